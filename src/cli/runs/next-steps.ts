import type { RunResult } from '../../result/result.js';
import { oneLine } from '../../text/one-line.js';
import { redact } from '../../text/secrets.js';

// Nobody copies more.
const longestArguments = 500;

/** What to try after a first look at a server: lines to copy. */
export function nextSteps(
  { scenario, totals }: RunResult,
  { target, server }: { readonly target?: string; readonly server?: readonly string[] },
): string {
  const [operation] = scenario.operations;
  const { tool } = operation!;
  const args = JSON.stringify(operation!.arguments);
  const sent = args.length > longestArguments ? '…' : quoted(args);
  const call = tool === null ? '' : ` --tool ${quoted(tool)}${args === '{}' ? '' : ` --arguments ${sent}`}`;
  const started = server === undefined ? '' : ` -- ${server.map(quoted).join(' ')}`;
  const named = target === undefined ? '' : ` ${quoted(target)}`;
  const run = `mcp-bench run${target === undefined ? '' : ' --target'}${named}${call}`;
  const half = roundDown(totals.callsPerSec / 2);
  const steps = [
    `a rate it can keep up with    ${run} --rate ${half}/s --duration 30s${started}`,
    ...(tool === null ? [] : [`the same, kept as a scenario  ${run} --save ${fileFor(tool)}${started}`]),
    `a scenario from its tools     mcp-bench init${named}${started}`,
    `what it speaks and supports   mcp-bench probe${named}${started}`,
  ];
  return redact(['Next', ...steps.map((step) => `  ${oneLine(step)}`), ''].join('\n'));
}

function fileFor(tool: string): string {
  return `${tool.replace(/[^\w-]+/g, '-')}.yaml`;
}

function roundDown(perSec: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, perSec)));
  return ([5, 2, 1].find((step) => step * size <= perSec) ?? 1) * size;
}

/** As a POSIX shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
