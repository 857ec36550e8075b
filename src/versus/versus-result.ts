import type { ConfidenceInterval } from '../compare/confidence-interval.js';
import type { Environment } from '../result/result.js';
import type { Plan } from '../scenario/plan.js';

export const versusSchema = 'mcp-bench/versus@1';

/** What targets are ranked by, in the order of the tables. */
export const versusMetrics = [
  'callsPerSec',
  'p50',
  'p99',
  'handshake',
  'cpuPer1000Calls',
  'memoryPerSession',
  'peakMemory',
] as const;
export type VersusMetric = (typeof versusMetrics)[number];

/** Calls/s, nanoseconds, nanoseconds of CPU, bytes; null where the run has no such figure, Infinity where failed calls reach into it. */
export type VersusFigures = Readonly<Record<VersusMetric, number | null>>;

/** A contest, whole: every report is made from this. */
export interface VersusResult {
  readonly schema: typeof versusSchema;
  readonly tool: { readonly name: 'mcp-bench'; readonly version: string };
  readonly name: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly ended: 'complete' | 'interrupted';
  /** Rounds that were asked for. */
  readonly rounds: number;
  /** Names in the order in which they ran, round by round. */
  readonly order: readonly (readonly string[])[];
  /** The load, as the scenario has it; what single targets are asked instead stands with them. */
  readonly scenario: Plan;
  readonly environment: Environment;
  /** Best first; the first ranking is the one that the table is sorted by. */
  readonly rankings: readonly Ranking[];
  readonly targets: readonly VersusTarget[];
}

export interface VersusTarget {
  readonly name: string;
  /** In the words of the targets file. */
  readonly about: string | null;
  /** As it calls itself. */
  readonly server: { readonly name: string; readonly version: string } | null;
  readonly dialect: string | null;
  readonly url: string;
  /** How it was started: the command as the file has it, `the built-in mock`, or null for a URL alone. */
  readonly command: string | null;
  /** The calls it was asked instead of the scenario's, in words. */
  readonly askedInstead: readonly string[] | null;
  /** Why it is not ranked; null where it is. */
  readonly reason: string | null;
  readonly runs: readonly VersusRun[];
}

export interface VersusRun {
  readonly round: number;
  readonly startedAt: string;
  readonly state: 'ok' | 'failed' | 'interrupted';
  /** Why it failed. */
  readonly reason: string | null;
  readonly figures: VersusFigures;
  /** Percentiles with too few calls beyond them to mean much in a single run. */
  readonly weak: readonly VersusMetric[];
  readonly calls: { readonly started: number; readonly failed: number } | null;
  /** Doubts about the generator in this run, and oddities of the target. */
  readonly doubts: readonly string[];
  readonly findings: readonly string[];
  /** What the target itself used; null where it was not started by us. */
  readonly resources: VersusResources | null;
}

export interface VersusResources {
  /** From the first call, warm-up included, to the last answer; over `cpuCalls` calls. */
  readonly cpuMs: number;
  readonly cpuCalls: number;
  /** Resident memory when it was ready, when all sessions were open, and at its highest. */
  readonly idleBytes: number;
  readonly openBytes: number;
  readonly peakBytes: number;
  readonly sessions: number;
  /** Processes at the most. */
  readonly processes: number;
}

/** All targets that have a figure, by one metric. */
export interface Ranking {
  readonly metric: VersusMetric;
  /** Of the tests of two targets against each other; null where there are too few rounds for any. */
  readonly pairConfidence: number | null;
  readonly places: readonly RankedPlace[];
}

export interface RankedPlace {
  readonly target: string;
  /** One more than the number of targets that are better for certain: whoever cannot be told apart may share it. */
  readonly place: number;
  /** Targets that share a letter cannot be told apart. */
  readonly ties: string;
  readonly values: readonly number[];
  readonly median: number;
  /** Of the median. */
  readonly interval: ConfidenceInterval;
  /** Ratio to the first; null for the first itself, and where a figure of nothing or of failure makes it none. */
  readonly toFirst: {
    readonly ratio: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
}
