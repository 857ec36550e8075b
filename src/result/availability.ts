import { slotNs } from '../stats/slot-recorder.js';
import type { Slot } from '../stats/slot-sum.js';
import type { Availability, Interval } from './result.js';

/** Sums up the slots of a measurement of this length: for how long the target answered, for how long it did not, and since when it did no more. */
export function measureAvailability(slots: Iterable<Slot>, measuredNs: number): Availability {
  const ms = { up: 0, down: 0, unobserved: 0 };
  let wanted = 0;
  let ready = 0;
  let outages = 0;
  let longestDown: Availability['longestDown'] = null;
  let outage: { atMs: number; durationMs: number } | null = null;
  for (const slot of slots) {
    const atMs = slot.startNs / 1e6;
    const durationMs = Math.min(slotNs, measuredNs - slot.startNs) / 1e6;
    ms[slot.state] += durationMs;
    wanted += slot.wanted * durationMs;
    ready += slot.ready * durationMs;
    if (slot.state === 'up') outage = null;
    if (slot.state !== 'down') continue;
    if (outage === null) outages++;
    outage ??= { atMs, durationMs: 0 };
    outage.durationMs = atMs + durationMs - outage.atMs;
    if (outage.durationMs > (longestDown?.durationMs ?? 0)) longestDown = { ...outage };
  }
  return {
    upMs: ms.up,
    downMs: ms.down,
    unobservedMs: ms.unobserved,
    share: ms.up + ms.down > 0 ? ms.up / (ms.up + ms.down) : null,
    sessionsReady: wanted > 0 ? ready / wanted : null,
    outages,
    longestDown,
    downSinceMs: outage?.atMs ?? null,
    gone: null,
  };
}

/** Gives each interval the time in it that the target was up and down; slots count to the interval in which they begin. */
export function withAvailability(
  intervals: readonly Interval[],
  slots: Iterable<Slot>,
  measuredNs: number,
): Interval[] {
  const sums = intervals.map(() => ({ upMs: 0, downMs: 0 }));
  let at = 0;
  for (const { startNs, state } of slots) {
    while (at + 1 < intervals.length && intervals[at + 1].atMs <= startNs / 1e6) at++;
    const durationMs = Math.min(slotNs, measuredNs - startNs) / 1e6;
    if (sums[at] === undefined || state === 'unobserved') continue;
    sums[at][state === 'up' ? 'upMs' : 'downMs'] += durationMs;
  }
  return intervals.map((interval, index) => ({
    ...interval,
    totals: { ...interval.totals, ...sums[index] },
  }));
}
