import { expect, test } from 'vitest';
import type { Interval } from './result.js';
import { longestSilenceMs } from './silence.js';

// Answered and in flight in each second.
function seconds(...given: [ok: number, inFlight: number][]): Interval[] {
  return given.map(([ok, inFlight], at) => ({
    atMs: at * 1000,
    durationMs: 1000,
    totals: { started: ok, ok, failed: 0, notSent: 0, sessionsReady: 4, inFlight, bytesIn: 0, bytesOut: 0 },
    metrics: {},
  }));
}

const frozen = seconds([900, 8], [0, 8], [0, 8], [0, 8], [5, 8]);

test.each<[string, Interval[], number, number, number]>([
  ['all answered', seconds([900, 8], [800, 8]), 2000, 1e6, 0],
  ['frozen for three seconds', frozen, 5000, 20e6, 3000],
  ['and never seen again', frozen.slice(0, 4), 4000, 20e6, 3000],
  ['after the load there is nothing to answer', frozen, 2000, 20e6, 0],
  ['a second is too short', seconds([900, 8], [0, 8], [900, 8]), 3000, 20e6, 0],
  ['a call takes that long', frozen, 5000, 1.6e9, 0],
  ['one lost answer beside clients that think', seconds([90, 8], [0, 1], [0, 1], [0, 1]), 4000, 20e6, 0],
])('%s', (_, intervals, endMs, slowestNs, silentMs) => {
  expect(longestSilenceMs(intervals, endMs, slowestNs)).toBe(silentMs);
});
