import { expect, test } from 'vitest';
import { Turn } from '../transport/turn.js';
import { Health } from './health.js';

test('only what was done while calls were due counts as work, neither warm-up nor drain', () => {
  const turn = new Turn();
  const health = new Health(turn, false);
  health.watch();
  turn.busyNs = 5e9;
  turn.longestNs = 3e9;
  health.begin();
  turn.busyNs += 1e6;
  health.end();
  turn.busyNs += 7e9;
  turn.longestNs = 2e6;
  const { busyNs, longestTurnNs, elapsedNs } = health.read();
  expect(busyNs).toBe(1e6);
  expect(longestTurnNs, 'a long turn of the drain delays measured calls, too').toBe(2e6);
  expect(elapsedNs).toBeGreaterThan(0);
});

test('stopped before anything was measured: nothing is known', () => {
  const health = new Health(new Turn(), true);
  health.watch();
  expect(health.read()).toMatchObject({ busyNs: 0, elapsedNs: 0, cpuNs: null });
});
