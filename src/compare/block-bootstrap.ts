import type { ConfidenceInterval } from './confidence-interval.js';
import { equivalenceConfidence } from './hodges-lehmann.js';
import { IntervalBlocks } from './interval-blocks.js';
import type { EdgesOf, IntervalCounts } from './interval-blocks.js';
import { criticalValue } from './normal-quantile.js';
import { seededRandom } from './seeded-random.js';

/** What to compare: a percentile as a share (0.99), or calls per interval. */
export type Statistic = { percentile: number } | 'rate';

/** How to compare one run with another. */
export interface BootstrapOptions {
  statistic: Statistic;
  edgesOf: EdgesOf;
  /** Standard deviation of the logarithm between runs of the same thing, where it is known. */
  betweenRuns?: { sdLog: number; degreesOfFreedom: number } | undefined;
  confidence?: { decision?: number; equivalence?: number };
  replicates?: number;
  seed?: number;
}

/** The change from one run to another. */
export interface BootstrapEstimate {
  kind: 'estimate';
  base: number;
  head: number;
  ratio: number;
  interval: ConfidenceInterval;
  equivalence: ConfidenceInterval;
  /** True if the intervals include the noise between runs; false if they show what happened within these two runs only, which can fail nobody. */
  seesRuns: boolean;
  blockLength: { base: number; head: number };
}

/** Why there is nothing to say. */
export type BootstrapRefusal =
  | { kind: 'too few intervals'; had: number; needed: number }
  | { kind: 'no samples' };

/** Fewer one-second intervals than this hold too few blocks to resample. */
export const fewestIntervals = 30;

const defaultReplicates = 1000;
const defaultConfidence = 0.96;

/**
 * Ratio head/base of a statistic of two single runs by circular block bootstrap over their one-second intervals: blocks of ⌈n^⅓⌉
 * intervals keep what neighbouring seconds have in common. Where the variation between runs is given, its share is added in quadrature. (It was
 * measured between whole runs and so contains the noise within a run once more: the interval errs to the wide side.)
 */
export function blockBootstrap(
  base: readonly IntervalCounts[],
  head: readonly IntervalCounts[],
  options: BootstrapOptions,
): BootstrapEstimate | BootstrapRefusal {
  const had = Math.min(base.length, head.length);
  if (had < fewestIntervals) return { kind: 'too few intervals', had, needed: fewestIntervals };
  const sides = {
    base: new IntervalBlocks(base, options.edgesOf),
    head: new IntervalBlocks(head, options.edgesOf),
  };
  if (sides.base.total === 0 || sides.head.total === 0) return { kind: 'no samples' };

  const of = (blocks: IntervalBlocks, starts?: Uint32Array): number =>
    options.statistic === 'rate'
      ? blocks.rate(starts)
      : blocks.percentile(options.statistic.percentile, starts);
  const [baseValue, headValue] = [of(sides.base), of(sides.head)];
  const shift = logRatio(baseValue, headValue);
  const shifts = resample(
    sides,
    of,
    options.replicates ?? defaultReplicates,
    seededRandom(options.seed ?? 1),
  );
  const blocks = Math.min(sides.base.blocksPerRun, sides.head.blocksPerRun);
  const between = (level: number): ConfidenceInterval =>
    widened(shift, shifts, level, blocks, options.betweenRuns);
  return {
    kind: 'estimate',
    base: baseValue,
    head: headValue,
    ratio: Math.exp(shift),
    interval: between(options.confidence?.decision ?? defaultConfidence),
    equivalence: between(options.confidence?.equivalence ?? equivalenceConfidence),
    seesRuns: options.betweenRuns !== undefined,
    blockLength: { base: sides.base.blockLength, head: sides.head.blockLength },
  };
}

function resample(
  sides: { base: IntervalBlocks; head: IntervalBlocks },
  of: (blocks: IntervalBlocks, starts: Uint32Array) => number,
  replicates: number,
  random: () => number,
): Float64Array {
  const shifts = new Float64Array(replicates);
  const baseStarts = new Uint32Array(sides.base.blocksPerRun);
  const headStarts = new Uint32Array(sides.head.blocksPerRun);
  for (let i = 0; i < replicates; i++) {
    sides.base.draw(baseStarts, random);
    sides.head.draw(headStarts, random);
    shifts[i] = logRatio(of(sides.base, baseStarts), of(sides.head, headStarts));
  }
  return shifts.sort();
}

function logRatio(base: number, head: number): number {
  // Both lost to failed calls, or both nothing: no change that could be told.
  return base === head ? 0 : Math.log(head) - Math.log(base);
}

// The plain percentile interval is too short with few blocks: k blocks show (k − 1)/k of the variance, and tails as thin as the normal
// ones where Student's are due. Both are made good before the variation between runs is added. Coverage: `npm run simulate`.
function widened(
  shift: number,
  sorted: Float64Array,
  confidence: number,
  blocks: number,
  betweenRuns: BootstrapOptions['betweenRuns'],
): ConfidenceInterval {
  const side = (1 - confidence) / 2;
  const few =
    (criticalValue(confidence, blocks - 1) / criticalValue(confidence)) * Math.sqrt(blocks / (blocks - 1));
  const runs =
    betweenRuns === undefined
      ? 0
      : criticalValue(confidence, betweenRuns.degreesOfFreedom) * Math.SQRT2 * betweenRuns.sdLog;
  const reach = (bound: number): number => Math.hypot(Math.max(0, bound) * few, runs);
  return {
    low: Math.exp(shift - reach(difference(shift, quantile(sorted, side)))),
    high: Math.exp(shift + reach(difference(quantile(sorted, 1 - side), shift))),
    confidence,
  };
}

function difference(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function quantile(sorted: Float64Array, p: number): number {
  const rank = Math.round(p * (sorted.length - 1));
  return sorted[rank]!;
}
