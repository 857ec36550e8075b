import { expect, test } from 'vitest';
import { slotNs } from '../stats/slot-recorder.js';
import type { Slot, SlotState } from '../stats/slot-sum.js';
import { measureAvailability, withAvailability } from './availability.js';
import { sampleResult } from './result.fixture.js';
import { unavailableFindings } from './unavailable.js';

const states: Record<string, SlotState> = { U: 'up', d: 'down', '.': 'unobserved' };
const slotsOf = (letters: string, ready = 4): Slot[] =>
  [...letters].map((letter, index) => ({
    startNs: index * slotNs,
    state: states[letter]!,
    wanted: 4,
    ready,
  }));
const measure = (letters: string, measuredNs = letters.length * slotNs) =>
  measureAvailability(slotsOf(letters), measuredNs);

test('up over up and down; what was not observed counts for neither', () => {
  expect(measure('UUU.d.UU..')).toMatchObject({
    upMs: 500,
    downMs: 100,
    unobservedMs: 400,
    share: 5 / 6,
    outages: 1,
    longestDown: { atMs: 400, durationMs: 100 },
    downSinceMs: null,
  });
  expect(measure('....')).toMatchObject({ share: null, downSinceMs: null });
});

test('the last slot is as long as the measurement lets it be', () => {
  expect(measure('Ud', 1.25 * slotNs)).toMatchObject({ upMs: 100, downMs: 25, share: 0.8 });
});

test('an outage goes on through what was not observed, and ends with an answer', () => {
  expect(measure('Ud.dUdU')).toMatchObject({ outages: 2, longestDown: { atMs: 100, durationMs: 300 } });
});

test('down for good: since the first slot after the last answer', () => {
  expect(measure('UdUUdd.d').downSinceMs).toBe(400);
  expect(measure('UUdd..').downSinceMs, 'nobody has seen it up again').toBe(200);
  expect(measure('dddd').downSinceMs).toBe(0);
});

test('sessions ready over those wanted', () => {
  expect(measureAvailability(slotsOf('UUUU', 3), 4 * slotNs).sessionsReady).toBe(0.75);
});

test('each interval has the time of the slots that begin in it', () => {
  const intervals = sampleResult().intervals.slice(0, 3);
  const slots = slotsOf('UUUUUUUUUUUUddd.....dddddddddd');
  expect(
    withAvailability(intervals, slots, 2.95e9).map(({ totals: { upMs, downMs } }) => [upMs, downMs]),
  ).toEqual([
    [1000, 0],
    [200, 300],
    [0, 950],
  ]);
});

const findings = (letters: string, gone: string | null = null, lost = 0): string[] =>
  unavailableFindings({ ...measure(letters), gone }, '2026-11-18T07:03:12.345Z', lost).map(
    ({ code, message }) => `${code}: ${message}`,
  );

test('findings say for how long, when by the clock, and what to look at', () => {
  expect(findings('UUUU')).toEqual([]);
  expect(findings('....')).toEqual([]);
  expect(findings('UUUUUUUUUUUUUUUddddd', 'connection refused')).toEqual([
    'target-gone: the server answered nothing for 0.5 s of the 2.0 s in which calls or sessions were wanted (availability 75 %). It was gone for good from 1.5 s after the start, and accepted no connection afterwards (connection refused): it ended, crashed or was killed, or it hangs and accepts no connections. Check its log at 07:03:13 UTC.',
  ]);
  expect(findings('UdUUddUU')[0]).toMatch(
    /^unavailable: .*\(availability 62.5 %\), in 2 stretches, the longest 0.2 s, from 0.4 s after the start \(07:03:12 UTC\)\. Did it restart/,
  );
  expect(findings('UUdd')[0]).toMatch(/had not come back at the end, although it accepted a connection then/);
  expect(findings('UUdd')[0]).not.toMatch(/drop responses/);
  expect(findings('UUdd', null, 7)[0]).toMatch(/Or did it only drop responses\?/);
});
