import { expect, test } from 'vitest';
import { planScenario } from '../../scenario/load-scenario.js';
import { nextBurstMs } from './run-progress.js';

const plan = planScenario({
  sessions: 1,
  warmup: '3s',
  phases: [
    { duration: '6s', load: { model: 'burst', calls: 1, every: '2s' } },
    { duration: '5s', load: { model: 'rate', perSecond: 1 } },
    { duration: '5s', load: { model: 'burst', calls: 1, every: '500ms' } },
  ],
  calls: [{ method: 'ping' }],
});

test.each([
  [0, 2000, 'the warm-up has bursts of its own'],
  [1900, 100, 'still'],
  [2500, null, 'and none behind its end'],
  [3000, 2000, 'the measurement begins a new grid'],
  [4500, 500, 'still'],
  [8000, null, 'the phase ends before another'],
  [10_000, null, 'no bursts'],
  [14_500, null, 'too close to be waited for'],
  [99_000, null, 'over'],
])('after %i ms: %s (%s)', (elapsedMs, expected, _why) => {
  expect(nextBurstMs(plan, elapsedMs)).toBe(expected);
});
