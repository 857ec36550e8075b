import { expect, test } from 'vitest';
import type { Interval } from './result.js';
import { longestSilenceMs } from './silence.js';

// Answered well, in flight, answered badly and cancelled in each second.
function seconds(...given: [ok: number, inFlight: number, bad?: number, cancelled?: number][]): Interval[] {
  return given.map(([ok, inFlight, bad = 0, cancelled = 0], at) => ({
    atMs: at * 1000,
    durationMs: 1000,
    totals: {
      started: ok + bad + cancelled,
      ok,
      failed: bad + cancelled,
      notSent: 0,
      answered: ok + bad,
      cancelled,
      sessionsReady: 4,
      inFlight,
      bytesIn: 0,
      bytesOut: 0,
    },
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
  ['and seldom more than one call is in flight', seconds([9, 0], [0, 1], [0, 1], [0, 1]), 4000, 20e6, 0],
  ['errors are answers', seconds([0, 8, 90], [0, 8, 90], [0, 8, 90]), 3000, 0, 0],
  ['the scenario cancels', seconds([0, 8, 0, 90], [0, 8, 0, 90], [0, 8, 0, 90]), 3000, 0, 0],
])('%s', (_, intervals, endMs, slowestNs, silentMs) => {
  expect(longestSilenceMs(intervals, endMs, slowestNs, () => 8)).toBe(silentMs);
});
