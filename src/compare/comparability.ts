import { ExitCode } from '../failure.js';
import type { Note, RunResult } from '../result/result.js';
import { exitCodeOf, judgeRun } from '../result/run-verdict.js';
import { formatAmount } from '../result/units.js';
import type { ComparisonNote } from './comparison.js';

/** Both sides of a comparison. */
export interface Sides {
  base: readonly RunResult[];
  head: readonly RunResult[];
}

// Of the plan, what decides the load that was offered and what it asked for. Not the seed: runs that drew other
// numbers from the same distributions are runs of the same thing. Not the target, which is what is compared.
const offered = [
  ['posts', 'POST policy', 'post-policy'],
  ['sessions', 'offered load', 'offered-load'],
  ['warmupNs', 'offered load', 'offered-load'],
  ['phases', 'offered load', 'offered-load'],
  ['openLoop', 'offered load', 'offered-load'],
  ['operations', 'scenario', 'scenario'],
  ['timeouts', 'scenario', 'scenario'],
] as const;

const mostDifferences = 5;

/** Why these runs cannot be compared: other work was asked for, or a run's figures are not to be trusted. Empty where they can. */
export function refusalsOf(sides: Sides, allowTransport = false): Note[] {
  const speech = allowTransport ? [] : differentSpeech(sides);
  return [
    ...speech,
    ...differentWork(sides),
    ...unfitRuns('base', sides.base),
    ...unfitRuns('head', sides.head),
  ];
}

/** Why later runs could not be compared with these, or would gain by it: they are refused, or a run failed. Empty where they can be a baseline. */
export function baselineObjections(runs: readonly RunResult[]): Note[] {
  const refusals = refusalsOf({ base: runs, head: [] });
  if (refusals.length > 0) return refusals;
  const failed = runs.find((run) => exitCodeOf(judgeRun(run)) === ExitCode.runFailed);
  if (failed === undefined) return [];
  return [{ code: 'failed', message: `the run started at ${failed.startedAt} failed: ${judgeRun(failed)}.` }];
}

/** What a reader should know about runs that can be compared. */
export function comparabilityNotes(sides: Sides): ComparisonNote[] {
  const all = [...sides.base, ...sides.head];
  const differs = (pick: (run: RunResult) => string): string | null => differenceText(sides, pick);
  const notes: ComparisonNote[] = [];
  const add = (state: ComparisonNote['state'], code: string, message: string | null): void => {
    if (message !== null) notes.push({ state, code, message });
  };
  // Only where that was asked for: else it is a refusal.
  for (const { code, message } of differentSpeech(sides))
    add('bad', code, `${message} What changed may be the way of speaking, and not the server.`);
  const machine = differs(machineOf);
  add(
    'bad',
    'different-machine',
    machine && `different machines: ${machine}. What changed may be the machine.`,
  );
  const node = differs((run) => `Node ${run.environment.node}`);
  add('doubt', 'different-node', node && `the generator ran on different versions: ${node}.`);
  const workers = differs(
    ({ environment }) => `${formatAmount(environment.workers, 'worker')} (${environment.pacing})`,
  );
  add('doubt', 'different-workers', workers && `the generator worked differently: ${workers}.`);
  const tool = differs((run) => `mcp-bench ${run.tool.version}`);
  add('doubt', 'different-version', tool && `measured by different versions: ${tool}.`);
  const dialect = differs((run) => run.target.dialect);
  add('doubt', 'different-dialect', dialect && `the servers speak different dialects: ${dialect}.`);
  const protocol = differs(({ target }) => target.protocolVersion ?? 'unknown');
  add('doubt', 'different-protocol', protocol && `the servers speak different versions of MCP: ${protocol}.`);
  const name = differs((run) => run.name);
  add('info', 'different-name', name && `the same scenario under different names: ${name}.`);
  if (new Set(all.map(({ seed }) => seed)).size > 1)
    add(
      'info',
      'different-seeds',
      'the runs have different seeds: same distributions, other draws; data files are taken to be the same.',
    );
  add('doubt', 'not-interleaved', inBlocks(sides));
  return notes;
}

/** A machine as people tell it from others. */
export function machineOf({ environment }: RunResult): string {
  const { hostname, cores, cpu, memoryBytes } = environment;
  return `${hostname} (${cores} × ${cpu}, ${Math.round(memoryBytes / 1e9)} GB)`;
}

/** The same for all runs that may be compared with each other, as far as the result tells. */
export function workKey(run: RunResult): string {
  return JSON.stringify([
    transportAndEra(run),
    ...offered.map(([key]) => flatten(key, run.scenario[key]).map(([path, value]) => [path, value])),
  ]);
}

// As one word where there are sessions: calibrations that are kept hold a hash over it from before there was another era.
function transportAndEra({ target: { transport, era } }: RunResult): string {
  return era === 'sessions' ? transport : `${transport} ${era}`;
}

function differentSpeech(sides: Sides): Note[] {
  const notes: Note[] = [];
  const transport = differenceText(sides, (run) => run.target.transport);
  if (transport !== null)
    notes.push({ code: 'different-transport', message: `different transport: ${transport}.` });
  const era = differenceText(sides, (run) => run.target.era ?? 'unknown');
  if (era !== null) notes.push({ code: 'different-era', message: `different era of MCP: ${era}.` });
  return notes;
}

function differentWork(sides: Sides): Note[] {
  const all = [...sides.base, ...sides.head];
  const notes: Note[] = [];
  // Most comparisons end here: one hash over all that was asked for.
  if (new Set(all.map(({ scenarioHash }) => scenarioHash)).size === 1) return notes;
  const found = new Map<string, { label: string; texts: string[] }>();
  for (const [key, label, code] of offered) {
    for (const path of differingPaths(all, key)) {
      const entry = found.get(code) ?? { label, texts: [] };
      entry.texts.push(`${path} is ${differenceText(sides, (run) => valueAt(run, key, path))}`);
      found.set(code, entry);
    }
  }
  for (const [code, { label, texts }] of found) {
    const more = texts.length - mostDifferences;
    const list = texts.slice(0, mostDifferences).join('; ') + (more > 0 ? `; and ${more} more` : '');
    notes.push({ code: `different-${code}`, message: `different ${label}: ${list}.` });
  }
  const sameSeed = new Set(all.map(({ seed }) => seed)).size === 1;
  const samePacing = new Set(all.map(({ scenario }) => scenario.pacing)).size === 1;
  if (found.size === 0 && sameSeed && samePacing)
    notes.push({
      code: 'different-scenario',
      message: 'different scenario: the hashes differ, and all but the data files is the same.',
    });
  return notes;
}

function unfitRuns(side: 'base' | 'head', runs: readonly RunResult[]): Note[] {
  const of = (count: number): string =>
    runs.length === 1 ? `the run of ${side}` : `${count} of the ${runs.length} runs of ${side}`;
  const notes: Note[] = [];
  const suspect = runs.filter(({ validity }) => validity.state === 'suspect');
  const [reason] = suspect.flatMap(({ validity }) => validity.reasons);
  if (suspect.length > 0)
    notes.push({
      code: 'suspect',
      message: `${of(suspect.length)} ${suspect.length === 1 ? 'is' : 'are'} suspect, so a change may be the generator's and not the server's: ${reason?.message ?? ''}`,
    });
  const partial = runs.filter(({ ended }) => ended !== 'complete');
  if (partial.length > 0)
    notes.push({
      code: 'incomplete',
      message: `${of(partial.length)} did not run to the end (${partial[0]!.ended}): repeat it.`,
    });
  const gone = runs.find(({ totals }) => totals.availability?.gone);
  if (gone !== undefined)
    notes.push({
      code: 'target-gone',
      message: `the target of a run of ${side}, started at ${gone.startedAt}, was gone at the end: its figures are of the time before.`,
    });
  if (runs.some(({ totals }) => totals.started === 0))
    notes.push({ code: 'no-calls', message: `a run of ${side} made no call: there is nothing to compare.` });
  return notes;
}

/** `a in base, b in head`, or null where all runs agree. */
function differenceText(sides: Sides, pick: (run: RunResult) => string): string | null {
  const values = (runs: readonly RunResult[]): string[] => [...new Set(runs.map(pick))].sort();
  const [base, head] = [values(sides.base), values(sides.head)];
  if (new Set([...base, ...head]).size === 1) return null;
  const text = (list: string[]): string =>
    list.slice(0, 3).join(' or ') + (list.length > 3 ? ' or others' : '');
  if (head.length === 0) return text(base);
  return base.join() === head.join()
    ? `${text(base)} on both sides`
    : `${text(base)} in base, ${text(head)} in head`;
}

function differingPaths(all: readonly RunResult[], key: keyof RunResult['scenario']): string[] {
  const values = new Map<string, Set<string>>();
  const maps = all.map((run) => new Map(flatten(key, run.scenario[key])));
  for (const path of new Set(maps.flatMap((map) => [...map.keys()])))
    values.set(path, new Set(maps.map((map) => map.get(path) ?? 'missing')));
  return [...values].filter(([, seen]) => seen.size > 1).map(([path]) => path);
}

function valueAt(run: RunResult, key: keyof RunResult['scenario'], path: string): string {
  return flatten(key, run.scenario[key]).find(([at]) => at === path)?.[1] ?? 'missing';
}

/** `phases.0.load.perSecond` and its value as JSON, for everything inside; sorted, as the order of keys means nothing. */
function flatten(path: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value) ?? 'missing']];
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (members.length === 0) return [[path, Array.isArray(value) ? '[]' : '{}']];
  return members.flatMap(([key, member]) => flatten(`${path}.${key}`, member));
}

function inBlocks({ base, head }: Sides): string | null {
  if (base.length < 2 || head.length < 2) return null;
  const times = (runs: readonly RunResult[]): number[] => runs.map(({ startedAt }) => Date.parse(startedAt));
  const apart = (first: number[], second: number[]): boolean => Math.max(...first) < Math.min(...second);
  const [b, h] = [times(base), times(head)];
  if (!apart(b, h) && !apart(h, b)) return null;
  return 'all runs of one side came before all runs of the other: a slow change of the machine would look like a change of the server. Alternate them where you can.';
}
