// Runs one command line after the other in one process, each to the moment at which a process of its own would end: when
// nothing is left that keeps the event loop alive. Starting a process for each would take most of the time.
// Arguments: the built main.js, a file with the command lines as JSON. One line of JSON on standard output for each.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , main, jobs] = process.argv;
const commandLines = JSON.parse(readFileSync(jobs, 'utf8'));
const report = process.stdout.write.bind(process.stdout);
let at = -1;
let stdout = '';
let stderr = '';
process.stdout.write = collect((text) => (stdout += text));
process.stderr.write = collect((text) => (stderr += text));

process.on('beforeExit', () => {
  if (at >= 0) {
    const code = process.exitCode ?? 0;
    report(`${JSON.stringify({ at, code, stdout, stderr, peakBytes: peakBytes() })}\n`);
  }
  stdout = '';
  stderr = '';
  process.exitCode = 0;
  if (++at < commandLines.length) void run(commandLines[at]);
});

async function run(args) {
  globalThis.gc();
  // Each main.js has its own way to end by what it did not foresee.
  process.removeAllListeners('uncaughtException');
  forgetPeak();
  process.argv = [process.execPath, main, ...args];
  try {
    // A module of its own each time; what it imports is shared.
    await import(`${pathToFileURL(main)}?${at}`);
  } catch (error) {
    // As Node itself would end: with a stack trace.
    stderr += `Uncaught ${error?.stack ?? error}`;
    process.exitCode = 1;
  }
}

function collect(take) {
  return (chunk, encoding, done) => {
    take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback !== undefined) process.nextTick(callback);
    return true;
  };
}

// Of Linux alone; elsewhere the peak is that of all commands so far.
function forgetPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
}

function peakBytes() {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
    return Number(kilobytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
