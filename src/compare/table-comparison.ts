import type { ConfidenceInterval } from './confidence-interval.js';
import { studentizedRangeQuantile } from './studentized-range.js';

/** Fewer rounds than this tell nobody apart. */
export const fewestRounds = 4;

/** Several things measured in the same rounds, and which of them differ. */
export interface TableComparison {
  /** Whether two differ: both tests say so, at the level of the whole table. */
  differ(a: number, b: number): boolean;
  /** Ratio b/a of their geometric means; the interval is the wider of the two tests', so that it excludes 1 exactly where they differ. */
  ratio(a: number, b: number): { ratio: number; interval: ConfidenceInterval };
}

// Percentiles come from buckets up to a thousandth wide: rounds that agree to the last digit need not be equal.
const resolution = 1 / 1024 / Math.sqrt(12);

/** How far off each value of a table may be, by the logarithm: the true one is at most `below` under it and `above` over it. */
export interface TableDoubt {
  readonly below: readonly number[];
  readonly above: readonly number[];
}

/**
 * Compares all pairs of a table at once. `values` has a row for each thing and a column for each round, all positive and finite. Two differ only if
 * both Tukey's test (logarithms, what a round did to all of them taken out, one variance for all) and Games and Howell's (each its own
 * variance) say so with this confidence over the table: the first keeps the level where the variances are alike, the second where they are not.
 * With a doubt about the rows, two differ only if they do so at its worst. Undefined with fewer than two rows or four rounds.
 */
export function compareTable(
  values: readonly (readonly number[])[],
  confidence = 0.95,
  doubt?: TableDoubt,
): TableComparison | undefined {
  const groups = values.length;
  const rounds = values[0]?.length ?? 0;
  if (groups < 2 || rounds < fewestRounds) return undefined;
  const centred = centre(values);
  const means = centred.map(mean);
  const variances = centred.map((row, at) => squares(row, means[at]!) / (rounds - 1) + resolution ** 2);
  const pooledFreedom = (rounds - 1) * (groups - 1);
  const residual = centred.reduce((sum, row, at) => sum + squares(row, means[at]!), 0);
  const pooled = residual / pooledFreedom + resolution ** 2;
  const tukey = studentizedRangeQuantile(confidence, groups, pooledFreedom) * Math.sqrt(pooled / rounds);
  const limitAt = limits(confidence, groups, rounds - 1);
  const howell = (a: number, b: number): number => {
    const [va, vb] = [variances[a]! / rounds, variances[b]! / rounds];
    const degreesOfFreedom = ((va + vb) ** 2 * (rounds - 1)) / (va ** 2 + vb ** 2);
    return limitAt(degreesOfFreedom) * Math.sqrt((va + vb) / 2);
  };
  const reach = (a: number, b: number): number => Math.max(tukey, howell(a, b));
  /** What the doubt may take from `b` being so much above `a`. */
  const slack = (a: number, b: number): number => (doubt?.above[a] ?? 0) + (doubt?.below[b] ?? 0);
  return {
    differ: (a, b) => {
      const [low, high] = means[a]! < means[b]! ? [a, b] : [b, a];
      const shift = means[high]! - means[low]! - slack(low, high);
      return shift > tukey && shift > reach(a, b);
    },
    ratio: (a, b) => {
      const shift = means[b]! - means[a]!;
      const half = reach(a, b);
      const low = Math.exp(shift - half - slack(a, b));
      const high = Math.exp(shift + half + slack(b, a));
      return { ratio: Math.exp(shift), interval: { low, high, confidence } };
    },
  };
}

/**
 * The studentized range's quantile for Welch's degrees of freedom, which lie between those of one row and of two: a parabola through three of
 * them, in the logarithm over the reciprocal, is within 0.1 % of it, and the quantile itself takes a tenth of a second.
 */
export function limits(
  confidence: number,
  groups: number,
  ofOneRow: number,
): (degreesOfFreedom: number) => number {
  const knots = [1, 4 / 3, 2].map((factor) => {
    const freedom = ofOneRow * factor;
    return { x: 1 / freedom, y: Math.log(studentizedRangeQuantile(confidence, groups, freedom)) };
  });
  return (degreesOfFreedom) => {
    const x = 1 / degreesOfFreedom;
    const terms = knots.map(({ x: own, y }) =>
      knots.reduce((term, { x: other }) => (other === own ? term : (term * (x - other)) / (own - other)), y),
    );
    return Math.exp(terms.reduce((sum, term) => sum + term, 0));
  };
}

/** Logarithms, less the mean of their round. */
function centre(values: readonly (readonly number[])[]): number[][] {
  const logs = values.map((row) => row.map((value) => Math.log(value)));
  const ofRound = logs[0]!.map((_, round) => mean(logs.map((row) => row[round]!)));
  return logs.map((row) => row.map((log, round) => log - ofRound[round]!));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function squares(values: readonly number[], middle: number): number {
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}
