import type { ConfidenceInterval } from './confidence-interval.js';
import { equivalenceConfidence } from './hodges-lehmann.js';
import { newcombe } from './newcombe.js';
import type { Proportion, ProportionDifference } from './newcombe.js';
import { differenceMargins, judge } from './verdict.js';
import type { Margins, Verdict } from './verdict.js';

/** How much the share of failed calls changed from base to head, over all runs of each side. */
export interface ErrorRateEstimate {
  base: number;
  head: number;
  /** head − base, as a share: 0.001 is 0.1 percentage points. */
  difference: number;
  interval: ConfidenceInterval;
  equivalence: ConfidenceInterval;
  /** Variance of the errors between runs, in units of what independent calls would have; never below 1. */
  dispersion: number;
  /** False where one run a side hides how much runs differ: then the interval is too narrow to fail anybody. */
  seesRuns: boolean;
}

/** Confidence asked of the deciding interval: 2 % on either side. Unlike ranks, it can have any level exactly. */
export const errorRateConfidence = 0.96;

/**
 * Difference of error rates with Newcombe's interval. Failures come in clusters (one cut stream fails many calls of one run), so the counts
 * are first divided by the dispersion seen between runs of a side, and z gives way to Student's t where that dispersion had to be estimated.
 */
export function compareErrorRates(
  base: readonly Proportion[],
  head: readonly Proportion[],
  confidence: { decision?: number; equivalence?: number } = {},
): ErrorRateEstimate {
  const sums = { base: pool(base), head: pool(head) };
  const sides = [pearson(base, sums.base), pearson(head, sums.head)];
  const degreesOfFreedom = sides.reduce((sum, side) => sum + side.degreesOfFreedom, 0);
  const chiSquared = sides.reduce((sum, side) => sum + side.chiSquared, 0);
  const dispersion = degreesOfFreedom > 0 ? Math.max(1, chiSquared / degreesOfFreedom) : 1;
  const seesRuns = base.length > 1 && head.length > 1;
  return estimateErrorRates({ ...sums, dispersion, degreesOfFreedom, seesRuns }, confidence);
}

/** All calls of each side, and how far from independent they were. */
export interface PooledErrors {
  base: Proportion;
  head: Proportion;
  dispersion: number;
  degreesOfFreedom: number;
  seesRuns: boolean;
}

/** The estimate for a known dispersion. */
export function estimateErrorRates(
  { base, head, dispersion, degreesOfFreedom, seesRuns }: PooledErrors,
  confidence: { decision?: number; equivalence?: number } = {},
): ErrorRateEstimate {
  const between = (level: number): ProportionDifference =>
    newcombe(
      deflate(base, dispersion),
      deflate(head, dispersion),
      level,
      dispersion > 1 ? degreesOfFreedom : Infinity,
    );
  const { difference, ...interval } = between(confidence.decision ?? errorRateConfidence);
  const { difference: _same, ...equivalence } = between(confidence.equivalence ?? equivalenceConfidence);
  return {
    base: base.count / base.total,
    head: head.count / head.total,
    difference,
    interval,
    equivalence,
    dispersion,
    seesRuns,
  };
}

/** Where calls fail all the time, a change of less than this share of the failures matters to nobody. */
const relativeMargin = 0.25;

/**
 * The verdict on the error rates, given the change that matters as a share of all calls (0.001 is 0.1 percentage points); where the lower of
 * the two rates is so high that a quarter of it is more, that quarter: else no number of calls could show that 5 % of failures stayed 5 %.
 */
export function judgeErrorRates(estimate: ErrorRateEstimate, margin: number): Verdict {
  const { base, head, difference } = estimate;
  // Without a failed call on either side short runs still leave a wide interval; there is nothing to wait for all the same.
  if (base === 0 && head === 0) return 'no change';
  return judge({ effect: difference, ...estimate }, errorMargins(estimate, margin));
}

/** From where on a change of these error rates matters. */
export function errorMargins({ base, head }: ErrorRateEstimate, margin: number): Margins {
  return differenceMargins(Math.max(margin, relativeMargin * Math.min(base, head)));
}

/** All calls of several runs together. */
export function pool(runs: readonly Proportion[]): Proportion {
  if (runs.length === 0) throw new RangeError('an error rate needs at least one run a side');
  return runs.reduce((sum, run) => ({ count: sum.count + run.count, total: sum.total + run.total }), {
    count: 0,
    total: 0,
  });
}

function deflate({ count, total }: Proportion, by: number): Proportion {
  return { count: count / by, total: total / by };
}

// Pearson's chi-squared of the runs of one side around their common rate. A side where nothing failed (or everything) cannot tell how
// failures cluster: counted as a side without clusters it would halve what the other side shows.
function pearson(
  runs: readonly Proportion[],
  sum: Proportion,
): { chiSquared: number; degreesOfFreedom: number } {
  const rate = sum.count / sum.total;
  if (rate === 0 || rate === 1) return { chiSquared: 0, degreesOfFreedom: 0 };
  const tried = runs.filter((run) => run.total > 0);
  const chiSquared = tried.reduce(
    (total, run) => total + (run.count - run.total * rate) ** 2 / (run.total * rate * (1 - rate)),
    0,
  );
  return { chiSquared, degreesOfFreedom: tried.length - 1 };
}
