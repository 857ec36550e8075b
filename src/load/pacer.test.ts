import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPacer, offeredPerSec, type OpenLoad, type Pacer } from './pacer.js';

const second = 1e9;

function dueTimes(pacer: Pacer): number[] {
  const times: number[] = [];
  for (; pacer.nextNs !== Infinity; pacer.advance()) times.push(pacer.nextNs);
  return times;
}

function eachWorker(
  load: OpenLoad,
  durationNs: number,
  of: number,
  sessions: number,
  seed = 1,
  firstSession = 0,
): number[][] {
  return Array.from({ length: of }, (_, index) =>
    dueTimes(createPacer(load, durationNs, { shard: { index, of }, firstSession, sessions, seed })),
  );
}

function allWorkers(...given: Parameters<typeof eachWorker>): number[] {
  return eachWorker(...given)
    .flat()
    .sort((a, b) => a - b);
}

describe('uniform arrivals', () => {
  const cases: [string, OpenLoad, number, number[]][] = [
    ['4/s for a second', { model: 'rate', perSecond: 4, arrivals: 'uniform' }, second, [0, 0.25, 0.5, 0.75]],
    ['a third a second', { model: 'rate', perSecond: 1 / 3, arrivals: 'uniform' }, 7 * second, [0, 3, 6]],
    [
      'ramp from 0',
      { model: 'ramp', fromPerSecond: 0, toPerSecond: 4, arrivals: 'uniform' },
      2 * second,
      [0, 1, Math.SQRT2, Math.sqrt(3)],
    ],
    [
      'ramp to 0',
      { model: 'ramp', fromPerSecond: 4, toPerSecond: 0, arrivals: 'uniform' },
      2 * second,
      [0, 2 - Math.sqrt(3), 2 - Math.SQRT2, 1],
    ],
    [
      'steps',
      {
        model: 'steps',
        steps: [
          { perSecond: 2, durationNs: second },
          { perSecond: 0, durationNs: second },
          { perSecond: 4, durationNs: second },
        ],
        arrivals: 'uniform',
      },
      3 * second,
      [0, 0.5, 2, 2.25, 2.5, 2.75],
    ],
    [
      'bursts of 2 by 2 sessions',
      { model: 'burst', calls: 2, everyNs: second },
      1.5 * second,
      [0, 0, 0, 0, 1, 1, 1, 1],
    ],
  ];
  test.each(cases)('%s', (_name, load, durationNs, seconds) => {
    const times = allWorkers(load, durationNs, 1, 2);
    expect(times).toEqual(seconds.map((s) => Math.round(s * second)));
    expect(allWorkers(load, durationNs, 2, 2)).toEqual(times);
    const offered = offeredPerSec(load, durationNs, 2) * (durationNs / second);
    expect(Math.abs(offered - times.length)).toBeLessThan(1);
  });

  test('any number of workers makes exactly the calls of one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 30 }),
        (perSecond, of, more) => {
          const load: OpenLoad = { model: 'rate', perSecond, arrivals: 'uniform' };
          expect(allWorkers(load, second, of, of + more)).toEqual(allWorkers(load, second, 1, of + more));
        },
      ),
      { numRuns: 50 },
    );
  });
});

test('calls go to the workers that have the sessions for them, wherever the idle ones lie', () => {
  // Sessions 3 to 6 make calls; of three workers, number 0 has two of them.
  const perWorker = (load: OpenLoad): number[] =>
    eachWorker(load, second, 3, 4, 1, 3).map((times) => times.length);
  expect(perWorker({ model: 'burst', calls: 5, everyNs: second })).toEqual([10, 5, 5]);
  expect(perWorker({ model: 'rate', perSecond: 40, arrivals: 'uniform' })).toEqual([20, 10, 10]);
  // And of two workers, with sessions 1 to 3, number 1 has two.
  const shifted = eachWorker({ model: 'burst', calls: 1, everyNs: second }, second, 2, 3, 1, 1);
  expect(shifted.map((times) => times.length)).toEqual([1, 2]);
});

describe('poisson arrivals', () => {
  const load: OpenLoad = { model: 'rate', perSecond: 1000, arrivals: 'poisson' };

  test('the same seed gives the same times, another seed others', () => {
    expect(allWorkers(load, second, 2, 10, 7)).toEqual(allWorkers(load, second, 2, 10, 7));
    expect(allWorkers(load, second, 2, 10, 8)).not.toEqual(allWorkers(load, second, 2, 10, 7));
  });

  test.each([1, 2, 3])('%i workers: mean and variance of the gaps are those of a Poisson process', (of) => {
    const times = allWorkers(load, 100 * second, of, 10);
    // 100,000 expected; five standard deviations on either side.
    expect(Math.abs(times.length - 100_000)).toBeLessThan(5 * Math.sqrt(100_000));
    const gaps = times.slice(1).map((time, i) => time - times[i]);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(Math.sqrt(variance) / mean).toBeGreaterThan(0.98);
    expect(Math.sqrt(variance) / mean).toBeLessThan(1.02);
  });
});
