import { Failure } from '../failure.js';
import type { Note, RunResult } from '../result/result.js';
import { packageVersion } from '../version.js';
import { hiddenToolNotes } from './changed-tools.js';
import { comparabilityNotes, machineOf, refusalsOf, type Sides } from './comparability.js';
import { compareErrors, compareRatio, type RowContext } from './compare-row.js';
import { comparisonSchema } from './comparison.js';
import type {
  ComparedSide,
  Comparison,
  ComparisonMethod,
  ComparisonNote,
  ComparisonRow,
} from './comparison.js';
import {
  checkToolGates,
  defaultFloorNs,
  defaultMargins,
  gateOrder,
  gateSequence,
  inSequence,
} from './gates.js';
import type { Gate } from './gates.js';
import { intervalCounts } from './interval-counts.js';
import type { KnownVariation } from './known-variation.js';
import { defaultLevels, type Levels } from './levels.js';
import { comparedMetrics } from './run-figures.js';
import { varianceNotes } from './variance-notes.js';

/** Runs of one side below which ranks say too little: no interval of the promised confidence exists. */
export const fewestRunsForRanks = 4;

/** How to compare; everything has a default. */
export interface CompareOptions {
  /** The change that matters: a share of the calls for errors, a relative change for the rest. */
  margins?: Partial<Record<Gate, number>>;
  /** Latency changes below this never fail a build. */
  floorNs?: number;
  /** The gates asked for; the others are shown only. */
  gates?: readonly Gate[];
  /** How much runs on this machine differ, where `calibrate` or stored results tell. */
  known?: KnownVariation | undefined;
  /** Other confidences than the usual, for one look of several. */
  levels?: Levels;
  /** Runs over different transports, or in different eras of MCP, may be compared: what would another cost? */
  allowTransport?: boolean;
  labels?: { base: string; head: string };
  paths?: { base: readonly string[]; head: readonly string[] };
}

/**
 * Compares runs of one scenario: refuses what cannot be compared, else gives every metric its change, interval and verdict, and the gates in their
 * order. From 4 runs a side on by exact rank intervals; one run a side by block bootstrap; in between, and of unequal sides, by Student's t.
 */
export function compareRuns(
  base: readonly RunResult[],
  head: readonly RunResult[],
  options: CompareOptions = {},
): Comparison {
  const sides: Sides = { base, head };
  checkSides(sides);
  const method = methodFor(base.length, head.length);
  const shared = {
    schema: comparisonSchema,
    tool: { name: 'mcp-bench', version: packageVersion() },
    name: head[0]!.name,
    base: describeSide('base', base, options),
    head: describeSide('head', head, options),
    method,
  } as const;
  const refusals = refusalsOf(sides, options.allowTransport);
  if (refusals.length > 0) {
    const gates = { steps: [], stoppedAt: undefined, regression: false };
    return { ...shared, outcome: 'refused', refusals, rows: [], gates, notes: notesBeside(sides, refusals) };
  }
  return { ...shared, refusals, ...judged(sides, method, options) };
}

// What refuses them is not said twice.
function notesBeside(sides: Sides, refusals: readonly Note[]): ComparisonNote[] {
  const said = new Set(refusals.map(({ code }) => code));
  return comparabilityNotes(sides).filter(({ code }) => !said.has(code));
}

function judged(
  sides: Sides,
  method: ComparisonMethod,
  options: CompareOptions,
): Pick<Comparison, 'outcome' | 'rows' | 'gates' | 'notes'> {
  const asked = options.gates ?? gateOrder;
  const compared = comparedMetrics(sides.head[0]!);
  checkToolGates(asked, [...new Set(compared.map(({ tool }) => tool).filter((tool) => tool !== null))]);
  const context: RowContext = {
    sides,
    method,
    margins: { ...defaultMargins, ...options.margins },
    floorNs: options.floorNs ?? defaultFloorNs,
    levels: options.levels ?? defaultLevels,
    known: options.known,
    asked,
    seconds: once(() => ({
      base: intervalCounts(sides.base[0]!),
      head: intervalCounts(sides.head[0]!),
    })),
  };
  const rows = [compareErrors(context), ...compared.flatMap((metric) => compareRatio(metric, context))];
  const sequence = inSequence(asked);
  const at = ({ gate }: ComparisonRow): number => (gate === null ? sequence.length : sequence.indexOf(gate));
  rows.sort((a, b) => at(a) - at(b));
  // A gate that cannot even be judged is as good as inconclusive: nothing behind it decides.
  const gates = gateSequence(
    Object.fromEntries(
      rows.filter(({ gate }) => gate !== null).map(({ gate, verdict }) => [gate, verdict ?? 'inconclusive']),
    ),
  );
  for (const row of rows) row.decides = gates.steps.find(({ gate }) => gate === row.gate)?.decides ?? false;
  const outcome = gates.regression ? 'regression' : gates.stoppedAt ? 'inconclusive' : 'passed';
  const notes: ComparisonNote[] = [
    ...comparabilityNotes(sides),
    ...hiddenToolNotes(rows),
    ...varianceNotes(rows, method, sides, options.known),
  ];
  return { outcome, rows, gates, notes };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function methodFor(base: number, head: number): ComparisonMethod {
  if (Math.min(base, head) >= fewestRunsForRanks) return 'ranks';
  return base === 1 && head === 1 ? 'one run' : 'few runs';
}

// The same run twice is one observation counted as two.
function checkSides({ base, head }: Sides): void {
  if (base.length === 0 || head.length === 0)
    throw new Failure('a comparison needs at least one run on either side.');
  const seen = new Set<string>();
  for (const run of [...base, ...head]) {
    const identity = [
      run.startedAt,
      run.environment.hostname,
      run.totals.started,
      run.metrics['call.response']?.hdr,
    ].join(' ');
    if (seen.has(identity))
      throw new Failure(
        `the run of ${run.name} started at ${run.startedAt} is given twice: a run counts once, and on one side.`,
      );
    seen.add(identity);
  }
}

function describeSide(
  side: 'base' | 'head',
  runs: readonly RunResult[],
  options: CompareOptions,
): ComparedSide {
  return {
    label: options.labels?.[side] ?? side,
    runs: runs.map((run, at) => ({
      path: options.paths?.[side][at] ?? null,
      startedAt: run.startedAt,
      git: run.environment.git,
      server: run.target.server && `${run.target.server.name} ${run.target.server.version}`,
      hostname: run.environment.hostname,
      machine: machineOf(run),
    })),
  };
}
