// Step of action.yml: starts the server, runs the scenario, compares, stops the server. What came of it are its outputs, not its exit code,
// so that the steps behind it can keep the results.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from './started-server.mjs';
import { judge, parseFailOn } from './verdict.mjs';
import { annotate, fail, input, setOutputs } from './workflow.mjs';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const results = input('RESULTS');
const [target, start] = [input('TARGET'), input('START')];
const failOn = parseFailOn(input('FAIL_ON'), fail);
if (start !== '' && target === '') fail('start: say with the input target where the server will answer');
const baseline = holdsResults(input('BASELINE')) ? input('BASELINE') : '';
if (baseline === '' && input('BASELINE') !== '')
  annotate('notice', 'mcp-bench', 'there is no baseline yet, so nothing was compared');
mkdirSync(results, { recursive: true });
for (const name of readdirSync(results))
  if (/^(run.*\.json|report.*\.html|comparison\.(html|md|xml|json))$/.test(name)) rmSync(join(results, name));

const server = start === '' ? null : await startServer(serverOptions()).catch((error) => fail(error.message));
let ran;
let comparable = true;
try {
  ran = await run(baseline);
  if (ran.exitCode === 3 && stored().length === 0 && baseline !== '') {
    comparable = false;
    annotate('warning', 'mcp-bench: not comparable with the baseline', ran.complaint);
    ran = await run('');
  }
} finally {
  await server?.stop();
}
const { exitCode } = ran;
const { verdict, failWith } = judge({
  exitCode,
  results: stored().map(readJson),
  comparison: existsSync(join(results, 'comparison.json')) ? readJson('comparison.json') : null,
  comparable,
  failOn,
});
if (verdict === 'failed') annotate('error', 'mcp-bench', ran.complaint || `exit code ${exitCode}`);
setOutputs({
  verdict,
  'exit-code': exitCode,
  'fail-with': failWith,
  'can-be-baseline': verdict !== 'failed' && canBeBaseline(),
  'baseline-found': baseline !== '',
});

/** One `mcp-bench run`, which tells Actions itself what it found; resolves to its exit code and the last line of its complaints. */
function run(against) {
  const file = (name) => join(results, name);
  const compared = [
    'html=comparison.html',
    'md=comparison.md',
    'junit=comparison.xml',
    'json=comparison.json',
  ];
  const args = [
    'run',
    input('SCENARIO'),
    '--repeat',
    input('REPEAT'),
    '--out',
    file('run.json'),
    '--report',
    `html=${file('report.html')}`,
    ...(target === '' ? [] : ['--target', target]),
    ...(failOn.includes('suspect') ? ['--strict'] : []),
    ...input('ARGS')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    ...(against === '' ? [] : ['--baseline', against]),
    ...(against === ''
      ? []
      : compared.flatMap((kind) => ['--comparison-report', kind.replace('=', `=${results}/`)])),
  ];
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'inherit', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    process.stderr.write(chunk);
    complaint = (complaint + chunk).slice(-4000);
  });
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      resolve({ exitCode: code ?? 1, complaint: complaint.trim().split('\n').at(-1) ?? '' });
    });
  });
}

/** By the command that the guide's shell recipe keeps its baseline with. */
function canBeBaseline() {
  const args = [main, 'compare', results, '--check', '--quiet'];
  return spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

function serverOptions() {
  const limitMs = 1000 * Number(input('READY_TIMEOUT'));
  if (!(limitMs > 0)) fail(`ready-timeout: expected seconds, found "${input('READY_TIMEOUT')}"`);
  return {
    command: start,
    url: target,
    limitMs,
    logFile: join(process.env.RUNNER_TEMP, 'mcp-bench-server.log'),
  };
}

function holdsResults(path) {
  if (path === '' || !existsSync(path)) return false;
  return !statSync(path).isDirectory() || readdirSync(path).some((name) => name.endsWith('.json'));
}

function stored() {
  return readdirSync(results).filter((name) => /^run.*\.json$/.test(name));
}

function readJson(name) {
  return JSON.parse(readFileSync(join(results, name), 'utf8'));
}
