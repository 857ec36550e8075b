import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { readResult } from '../../result/read-result.js';
import type { RunResult } from '../../result/result.js';
import type { VersusResult } from '../../versus/versus-result.js';
import type { CommandEnd } from '../fixtures/command-lane.js';
import { countsOf } from '../fixtures/play.js';

/** A command that talks to a server, in one of its ways. */
export interface HostileCommand {
  readonly name: string;
  readonly kind: 'run' | 'probe' | 'init' | 'ceiling' | 'versus';
  args(url: string, files: CommandFiles): string[];
}

/** What a command reads and writes. */
export interface CommandFiles {
  readonly scenario: string;
  readonly targets: string;
  readonly out: string;
}

const words = (line: string): string[] => line.split(' ');

const runs = [1, 2].flatMap((workers) =>
  ['serial', 'pipelined:1', 'shared:2'].map((posts): HostileCommand => ({
    name: `run --workers ${workers} --posts ${posts}`,
    kind: 'run',
    args: (url, { scenario, out }) =>
      words(
        // The server is in this very process: to find that out by its port takes a third of a run's time.
        `run ${scenario} --target ${url} --target-pid ${process.pid} --out ${out} --workers ${workers} --posts ${posts}`,
      ),
  })),
);

/** Every command that talks to a server; `run` with one worker and two, by each way of sending POSTs. */
export const hostileCommands: readonly HostileCommand[] = [
  ...runs,
  {
    name: 'probe',
    kind: 'probe',
    args: (url) => words(`probe ${url} --timeout 300ms --listen 100ms --calls 2`),
  },
  {
    name: 'init',
    kind: 'init',
    args: (url) => words(`init ${url} --timeout 300ms --out -`),
  },
  {
    name: 'ceiling',
    kind: 'ceiling',
    args: (url) => words(`ceiling ${url} --timeout 300ms --duration 20ms --connections 2`),
  },
  {
    name: 'versus',
    kind: 'versus',
    args: (_url, { targets, scenario, out }) =>
      words(`versus ${targets} ${scenario} --rounds 1 --out ${out}`),
  },
];

// Of the exit codes in their help, those that a server can bring about: the figures are there, or they are not.
const exitCodes = [0, 1];

/** What must hold of a command whatever the server does; returns the result of a run that has one. */
export function expectUnhurt({ kind }: HostileCommand, end: CommandEnd, out: string): RunResult | null {
  const { code, stdout, stderr } = end;
  expect(stderr, 'no stack trace').not.toMatch(/^(mcp-bench: )?\s*at .*\d|node:internal/m);
  expect(exitCodes, `exit code, after ${stderr.slice(0, 500)}`).toContain(code);
  for (const line of [...stdout.split('\n'), ...stderr.split('\n')]) expect(line).toSatisfy(isPrintable);
  if (!existsSync(out)) return null;
  if (kind === 'versus') expectSound(JSON.parse(readFileSync(out, 'utf8')) as VersusResult);
  if (kind !== 'run') return null;
  const result = readResult(out);
  expectConserved(result);
  return result;
}

// Neither moves a terminal's cursor nor tells GitHub's runner what to do.
function isPrintable(line: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|^\s*::/.test(line);
}

function expectConserved(result: RunResult): void {
  const { totals, validity, intervals } = result;
  expect(totals.conserved).toBe(true);
  expect(totals.sent).toBe(totals.started - totals.outcomes.notSent);
  const ended = intervals.reduce(
    (sum, each) => sum + each.totals.ok + each.totals.failed + each.totals.notSent,
    0,
  );
  expect(ended, 'every end belongs to one interval').toBe(totals.started);
  expect(JSON.stringify(validity.reasons)).not.toMatch(/worker-crashed|internal-error|not-conserved/);
  expect(countsOf(result)).not.toHaveProperty('aborted');
}

function expectSound({ targets }: VersusResult): void {
  const [{ runs: turns, reason }] = targets as [VersusResult['targets'][number]];
  const said = JSON.stringify([reason, turns.map((turn) => [turn.reason, turn.doubts])]);
  expect(said).not.toMatch(/crashed|bug|does not add up/i);
}
