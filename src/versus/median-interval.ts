import type { ConfidenceInterval } from '../compare/confidence-interval.js';

const wanted = 0.95;

/**
 * Interval of the median between two order statistics, exact for any continuous distribution: the narrowest of at least 95 %,
 * and of few values (fewer than six) from the least to the most, with the confidence which that has.
 */
export function medianInterval(values: readonly number[]): ConfidenceInterval {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  let skip = 0;
  let confidence = coverage(n, 0);
  for (let next = 1; next < n / 2 && coverage(n, next) >= wanted; next++) {
    skip = next;
    confidence = coverage(n, next);
  }
  return { low: sorted[skip]!, high: sorted[n - 1 - skip]!, confidence };
}

/** 1 − 2·P(Bin(n, ½) ≤ skip): the median lies outside where at most `skip` values lie on one side of it. */
function coverage(n: number, skip: number): number {
  let term = 2 ** -n;
  let tail = term;
  for (let k = 1; k <= skip; k++) {
    term *= (n - k + 1) / k;
    tail += term;
  }
  return Math.max(0, 1 - 2 * tail);
}
