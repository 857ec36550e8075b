import { describe, expect, test } from 'vitest';
import { Histogram, type HistogramSnapshot } from '../stats/histogram.js';
import { type EdgedTimes, isDisturbed, meanEnds, minEnds, noPauses, percentileEnds } from './disturbance.js';

const ms = 1e6;

function times(values: readonly number[]): HistogramSnapshot {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value * ms);
  return histogram.snapshot();
}

const hundred = Array.from({ length: 100 }, (_, at) => at + 1);

function edged(seen: readonly number[], least = seen): EdgedTimes {
  return { seen: times(seen), least: times(least), most: null };
}

const near = (value: number) => expect.closeTo(value, -6);

describe('a percentile lies between its two ends', () => {
  test('which are one where the generator had no part in it', () => {
    expect(percentileEnds(edged(hundred), 0, 90, noPauses)).toEqual({
      seen: near(90 * ms),
      low: near(90 * ms),
      high: near(90 * ms),
    });
  });

  test('the least is the percentile of what the calls were at the least', () => {
    const { low, seen } = percentileEnds(
      edged(
        hundred,
        hundred.map((value) => value / 2),
      ),
      0,
      90,
      noPauses,
    );
    expect([seen, low]).toEqual([near(90 * ms), near(45 * ms)]);
  });

  test('pauses of a share of the time move it down by as many ranks, and what woke it waited', () => {
    const { low } = percentileEnds(edged(hundred), 0, 90, { share: 0.2, wakeNs: ms });
    expect(low).toEqual(near(69 * ms));
    expect(percentileEnds(edged(hundred), 0, 10, { share: 0.2, wakeNs: 0 }).low).toBe(0);
  });

  test('failed calls are slower than any other', () => {
    const both = percentileEnds(edged(hundred), 100, 60, noPauses);
    expect(both).toEqual({ seen: Infinity, low: Infinity, high: Infinity });
    expect(isDisturbed(both)).toBe(false);
    const one = percentileEnds(edged(hundred), 100, 51, { share: 0.05, wakeNs: 0 });
    expect(one.seen).toBe(Infinity);
    expect(isDisturbed(one)).toBe(true);
  });

  test('a difference of two reads has a most as well', () => {
    const both = {
      ...edged(
        hundred,
        hundred.map((value) => value - 1),
      ),
      most: times(hundred.map((value) => value + 5)),
    };
    expect(percentileEnds(both, 0, 50, noPauses)).toEqual({
      seen: near(50 * ms),
      low: near(49 * ms),
      high: near(55 * ms),
    });
  });
});

test.each([
  [0.3, 0.11, false],
  [0.3, 0.09, true],
  [50, 45.1, false],
  [50, 44.9, true],
])('%f ms seen and %f ms at the least', (seen, low, disturbed) => {
  expect(isDisturbed({ seen: seen * ms, low: low * ms, high: seen * ms })).toBe(disturbed);
});

test('the mean and the shortest have ends, too', () => {
  const half = hundred.map((value) => value / 2);
  expect(meanEnds(edged(hundred, half), 0, noPauses)).toMatchObject({
    seen: near(50.5 * ms),
    low: near(25.25 * ms),
  });
  // Of the tenth of the calls that pauses may have delayed nothing is known.
  expect(meanEnds(edged(hundred), 0, { share: 0.1, wakeNs: 0 }).low / ms).toBeCloseTo(45 * 0.91, 0);
  expect(minEnds(edged(hundred, half), noPauses)).toMatchObject({ seen: near(ms), low: near(ms / 2) });
  expect(minEnds(edged(hundred), { share: 0.1, wakeNs: 0 }).low).toBe(0);
});
