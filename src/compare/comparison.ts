import type { Note } from '../result/result.js';
import type { ConfidenceInterval } from './confidence-interval.js';
import type { Gate, GateSequence } from './gates.js';
import type { BetweenRunVariation } from './variance.js';
import type { Margins, Verdict } from './verdict.js';

export const comparisonSchema = 'mcp-bench/comparison@1';

/** What comparing two sides of runs came to: every report of a comparison is made from this and nothing else. */
export interface Comparison {
  schema: typeof comparisonSchema;
  tool: { name: 'mcp-bench'; version: string };
  /** Of the scenario. */
  name: string;
  base: ComparedSide;
  head: ComparedSide;
  /** How the intervals were found: it depends on the number of runs. */
  method: ComparisonMethod;
  outcome: ComparisonOutcome;
  /** Why the runs cannot be compared; where there are any, there are no rows. */
  refusals: Note[];
  /** The gated metrics in their order, then the others. */
  rows: ComparisonRow[];
  gates: GateSequence;
  notes: ComparisonNote[];
}

/**
 * `ranks`: exact rank intervals, from 4 runs a side on. `few runs`: Student's t over the logarithms of the runs.
 * `one run`: block bootstrap over the seconds of a single run a side.
 */
export type ComparisonMethod = 'ranks' | 'few runs' | 'one run';

/** `inconclusive` where a gate could not tell; only `regression` and `refused` fail. */
export type ComparisonOutcome = 'refused' | 'regression' | 'inconclusive' | 'passed';

/** The runs of one side. */
export interface ComparedSide {
  label: string;
  runs: RunReference[];
}

export interface RunReference {
  path: string | null;
  startedAt: string;
  git: string | null;
  server: string | null;
  hostname: string;
  /** Host name, cores, CPU and memory, for people. */
  machine: string;
}

export interface ComparisonNote extends Note {
  state: 'bad' | 'doubt' | 'info';
}

/** One metric, on both sides. */
export interface ComparisonRow {
  /** Stable, for machines: `errors`, `p50`, `handshake.total p50`, `echo p99`. */
  metric: string;
  /** The gate it is, or null for what is shown only. */
  gate: Gate | null;
  /** The tool whose calls it is about; null where it is about all. */
  tool: string | null;
  unit: 'ns' | 'perSec' | 'share';
  /** Median over the runs; of errors the share over all of them. Infinity: failed calls reach into this percentile. */
  base: number;
  head: number;
  /** What each run gave. */
  runs: { base: number[]; head: number[] };
  /** How the change is given: head/base, or head − base. */
  scale: 'ratio' | 'difference';
  effect: number;
  interval: ConfidenceInterval | null;
  equivalence: ConfidenceInterval | null;
  /** What the interval rules out: a row that is worse or better for certain, by however little. */
  direction: 'worse' | 'better' | null;
  /** Of gates only; null where nothing can be said, see `doubt`. */
  verdict: Verdict | null;
  /** False behind the gate that stopped the sequence: shown, but neither passed nor failed. */
  decides: boolean;
  /** Why the verdict is missing or weaker than the figures. */
  doubt: string | null;
  /** Fewer samples beyond this percentile than it needs, in one of the runs. */
  weak: boolean;
  /** Runs, of both sides, in which the generator may have moved the figure by more than it tolerates. */
  disturbed: number;
  /** They are why there is no verdict: without them the figures have one. */
  turned: boolean;
  margins: Margins;
  /** How much the runs of a side differ; null with one run a side. */
  variation: BetweenRunVariation | null;
  /** Of inconclusive gates: runs a side, in all, that would probably settle it; null where no number would. */
  runsNeeded: number | null;
}
