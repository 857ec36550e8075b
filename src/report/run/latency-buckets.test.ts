import { expect, test } from 'vitest';
import { spread } from '../../result/result.fixture.js';
import { Histogram } from '../../stats/histogram.js';
import { bucketBoundsNs, cumulativeCounts } from './latency-buckets.js';

test('limits rise, and reach from 10 µs to 100 s', () => {
  expect(bucketBoundsNs[0]).toBe(1e4);
  expect(bucketBoundsNs.at(-1)).toBe(1e11);
  expect(bucketBoundsNs.toSorted((a, b) => a - b)).toEqual(bucketBoundsNs);
});

test('counts are those of the values, to a thousandth', () => {
  const values = spread(5_000, 3e6, 1.5);
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  const counts = cumulativeCounts(histogram.snapshot());
  bucketBoundsNs.forEach((boundNs, index) => {
    const below = (limit: number): number => values.filter((value) => value <= limit).length;
    expect(counts[index]).toBeGreaterThanOrEqual(below(boundNs * 0.999));
    expect(counts[index]).toBeLessThanOrEqual(below(boundNs));
  });
});
