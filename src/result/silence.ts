import type { Interval } from './result.js';

const shortestMs = 2000;
const slowestTimes = 2;

/**
 * How long at most a server answered nothing at all while the slots of a closed loop were taken, in whole intervals; 0 where that is
 * less than two seconds, or no more than it took for calls that were answered.
 */
export function longestSilenceMs(intervals: readonly Interval[], endMs: number, slowestNs: number): number {
  const within = intervals.filter(({ atMs }) => atMs < endMs);
  const slots = Math.max(0, ...within.map(({ totals }) => totals.inFlight));
  let longestMs = 0;
  let lengthMs = 0;
  for (const { durationMs, totals } of within) {
    // One lost answer takes one slot for long; only if most are taken does the server do nothing else.
    lengthMs = totals.ok === 0 && totals.inFlight > slots / 2 ? lengthMs + durationMs : 0;
    longestMs = Math.max(longestMs, lengthMs);
  }
  return longestMs < Math.max(shortestMs, (slowestTimes * slowestNs) / 1e6) ? 0 : longestMs;
}
