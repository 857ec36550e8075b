import type { RunResult } from '../../result/result.js';
import { redact } from '../../text/secrets.js';

/** What to try after a first look at a server: lines to copy. */
export function nextSteps({ scenario, totals }: RunResult, url: string): string {
  const [operation] = scenario.operations;
  const { tool } = operation!;
  const args = JSON.stringify(operation!.arguments);
  const call =
    tool === null ? '' : ` --tool ${quoted(tool)}${args === '{}' ? '' : ` --arguments ${quoted(args)}`}`;
  const run = `mcp-bench run --target ${quoted(url)}${call}`;
  const half = roundDown(totals.callsPerSec / 2);
  const steps = [
    `a rate it can keep up with    ${run} --rate ${half}/s --duration 30s`,
    ...(tool === null ? [] : [`the same, kept as a scenario  ${run} --save ${fileFor(tool)}`]),
    `a scenario from its tools     mcp-bench init ${quoted(url)}`,
    `what it speaks and supports   mcp-bench probe ${quoted(url)}`,
  ];
  return redact(['Next', ...steps.map((step) => `  ${step}`), ''].join('\n'));
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
