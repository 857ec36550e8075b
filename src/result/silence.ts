import type { Interval } from './result.js';

const shortestMs = 2000;
const slowestTimes = 2;

/**
 * How long at most a server answered nothing at all, not even with an error, while most slots of a closed loop were taken, in whole
 * intervals; 0 where that is less than two seconds, or no more than it took for calls that were answered.
 */
export function longestSilenceMs(
  intervals: readonly Interval[],
  endMs: number,
  slowestNs: number,
  slotsAt: (atMs: number) => number,
): number {
  let longestMs = 0;
  let lengthMs = 0;
  for (const { atMs, durationMs, totals } of intervals) {
    if (atMs >= endMs) break;
    const { answered = totals.ok, cancelled = 0, inFlight } = totals;
    // One lost answer takes one slot for long; only if most are taken does the server do nothing else. And what it would have answered to
    // calls that the scenario cancelled, nobody knows.
    const silent = answered === 0 && cancelled === 0 && inFlight > slotsAt(atMs) / 2;
    lengthMs = silent ? lengthMs + durationMs : 0;
    longestMs = Math.max(longestMs, lengthMs);
  }
  return longestMs < Math.max(shortestMs, (slowestTimes * slowestNs) / 1e6) ? 0 : longestMs;
}
