import { expect, test } from 'vitest';
import { Turn } from '../transport/turn.js';
import { Health } from './health.js';
import { ThreadClock } from './thread-clock.js';

const ms = 1e6;

test('only what was done while calls were due counts as work, neither warm-up nor drain', () => {
  const turn = new Turn();
  const health = new Health(turn, false, 10 * ms, new ThreadClock());
  health.watch();
  turn.busyNs = 5e9;
  turn.longestNs = 3e9;
  health.enterPhase();
  turn.busyNs += 1e6;
  health.leave();
  turn.busyNs += 7e9;
  turn.longestNs = 2e6;
  const { busyNs, longestTurnNs, elapsedNs } = health.read();
  expect(busyNs).toBe(1e6);
  expect(longestTurnNs, 'a long turn of the drain delays measured calls, too').toBe(2e6);
  expect(elapsedNs).toBeGreaterThan(0);
});

test('each phase has its own figures, though a light one follows a full one', () => {
  const turn = new Turn();
  const health = new Health(turn, false, 10 * ms, new ThreadClock());
  health.watch();
  health.enterPhase();
  turn.busyNs += 9e6;
  turn.longestNs = 4e6;
  const full = health.current;
  health.enterPhase();
  turn.busyNs += 1e6;
  turn.longestNs = 1e6;
  const light = health.current;
  expect([full.busyNs, full.longestTurnNs]).toEqual([9e6, 4e6]);
  expect([light.busyNs, light.longestTurnNs]).toEqual([1e6, 1e6]);
  expect(health.read().busyNs).toBe(10e6);
});

test('stopped before anything was measured: nothing is known', () => {
  const health = new Health(new Turn(), true, 10 * ms, new ThreadClock());
  health.watch();
  expect(health.read()).toMatchObject({ busyNs: 0, elapsedNs: 0, cpuNs: null });
});

/** Sweeps at the moments given, with a turn of the loop from and to, in ms; times to come, so that nothing real gets in between. */
function sweeps(sweepsMs: number[], turnMs: [number, number] | null = null) {
  const turn = new Turn();
  const health = new Health(turn, false, 10 * ms, new ThreadClock());
  health.enterPhase();
  const zero = Math.ceil(process.hrtime()[0] + 1) * 1e9;
  health.sweep(zero);
  const before = health.current.heldUpNs;
  const late = sweepsMs.map((at) => {
    if (turnMs !== null && turnMs[1] <= at) turn.endedNs = zero + turnMs[1] * ms;
    return health.sweep(zero + at * ms);
  });
  return { late, heldUpMs: (health.current.heldUpNs - before) / ms };
}

test('sweeps on time show no pause, be they as late as timers are', () => {
  expect(sweeps([10, 21, 33, 43])).toEqual({ late: [false, false, false, false], heldUpMs: 0 });
});

test('a sweep that comes late shows for how long it may have been kept from running', () => {
  expect(sweeps([10, 500, 510])).toEqual({ late: [false, true, false], heldUpMs: 490 });
});

test('a long turn is no pause: what came meanwhile knows how long it may have waited', () => {
  expect(sweeps([10, 500, 510], [12, 499.9])).toEqual({ late: [false, false, false], heldUpMs: 0 });
});
