import { rankOf } from '../../src/stats/histogram.js';
import type { LoggedCall } from './logged-calls.js';

/** The value that `percentile` of all values do not exceed, as HdrHistogram defines it, without any buckets. */
export function exactPercentile(values: readonly number[], percentile: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[rankOf(percentile, sorted.length) - 1]!;
}

/** From the receipt of each call to the sending of its event. */
export function servedNs(calls: readonly LoggedCall[]): number[] {
  return calls.map(({ receivedNs, sentNs }) => sentNs! - receivedNs);
}

/**
 * When each call should have started, by arithmetic: the n-th of a constant rate is due n / rate after the first. When that
 * was, the earliest arrival tells: some call was not late, and took next to no time to arrive.
 */
export function intendedNs(calls: readonly LoggedCall[], perSecond: number): number[] {
  const dueNs = calls.map((_, n) => (n * 1e9) / perSecond);
  const startNs = calls.reduce(
    (least, { receivedNs }, n) => Math.min(least, receivedNs - dueNs[n]!),
    Infinity,
  );
  return dueNs.map((ns) => startNs + ns);
}

/** From the intended start of each call to the sending of its event: what a user would have waited. */
export function respondedNs(calls: readonly LoggedCall[], perSecond: number): number[] {
  return intendedNs(calls, perSecond).map((dueNs, n) => calls[n]!.sentNs! - dueNs);
}
