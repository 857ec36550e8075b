import type { ConfidenceInterval } from '../compare/confidence-interval.js';
import type { Environment } from '../result/result.js';
import type { Plan } from '../scenario/plan.js';

export const versusSchema = 'mcp-bench/versus@2';

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
  /** The same for each tool of a mix, by its p50 and its p99. */
  readonly toolRankings: readonly ToolRanking[];
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
  /** `suspect`: `compare` would refuse it, so its figures rank nothing, and it is made again while there are tries left. */
  readonly state: 'ok' | 'failed' | 'interrupted' | 'suspect';
  /** Why it is not `ok`. */
  readonly reason: string | null;
  readonly figures: VersusFigures;
  /** Of a mix of tools, each by itself. */
  readonly tools: Readonly<Record<string, ToolFigures>>;
  /** By metric, or by tool and percentile (`search p50`): figures that the generator may have moved, and between what. */
  readonly disturbed: Readonly<Record<string, FigureEnds>>;
  /** Whether it kept up with the offered rate; null where nothing was offered by the clock. */
  readonly achieved: boolean | null;
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

/** The true figure is neither below nor above these. */
export interface FigureEnds {
  readonly low: number;
  readonly high: number;
}

/** Nanoseconds; null where the run has too few calls of the tool. */
export interface ToolFigures {
  readonly p50: number | null;
  readonly p99: number | null;
}

/** All targets that have a figure, by one metric. */
export interface Ranking {
  readonly metric: VersusMetric;
  /** Of all claims of the table together; null where there are too few rounds or targets for any. */
  readonly confidence: number | null;
  /** Rounds that the claims are made from: those in which every target has a figure. */
  readonly rounds: number;
  readonly places: readonly RankedPlace[];
}

export interface ToolRanking extends Ranking {
  readonly metric: 'p50' | 'p99';
  readonly tool: string;
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
  /** Ratio to the first, of geometric means over the rounds, with an interval that excludes 1 exactly where the two differ; null for the first itself, and where a figure of nothing or of failure makes it none. */
  readonly toFirst: {
    readonly ratio: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
}
