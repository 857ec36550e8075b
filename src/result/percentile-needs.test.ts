import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Histogram } from '../stats/histogram.js';
import { hasEnoughSamples, percentileWithFailures, samplesNeeded } from './percentile-needs.js';

test.each([
  [50, 60],
  [90, 300],
  [95, 600],
  [99, 3_000],
  [99.9, 30_000],
  [99.99, 300_000],
])('p%d needs %d samples', (percentile, count) => {
  expect(samplesNeeded(percentile)).toBe(count);
  expect(hasEnoughSamples(percentile, count)).toBe(true);
  expect(hasEnoughSamples(percentile, count - 1)).toBe(false);
});

test('failed calls push percentiles up, and in the end beyond all bounds', () => {
  const ok = histogramOf(Array.from({ length: 90 }, (_, index) => index + 1));
  expect(percentileWithFailures(ok, 10, 50)).toBe(50);
  expect(percentileWithFailures(ok, 10, 90)).toBe(90);
  expect(percentileWithFailures(ok, 10, 91)).toBe(Infinity);
  expect(percentileWithFailures(ok, 10, 100)).toBe(Infinity);
  expect(percentileWithFailures(histogramOf([]), 1, 1)).toBe(Infinity);
  expect(percentileWithFailures(histogramOf([]), 0, 50)).toBe(0);
});

test('it is the percentile of a list in which failures are infinite', () => {
  const value = fc.integer({ min: 1, max: 2000 });
  fc.assert(
    fc.property(
      fc.array(value),
      fc.nat(50),
      fc.integer({ min: 1, max: 1000 }),
      (values, failed, permille) => {
        fc.pre(values.length + failed > 0);
        const all = [...values.toSorted((a, b) => a - b), ...Array.from({ length: failed }, () => Infinity)];
        // In thousandths, so that the expectation is free of rounding.
        const rank = Math.max(1, Math.ceil((permille * all.length) / 1000));
        expect(percentileWithFailures(histogramOf(values), failed, permille / 10)).toBe(all[rank - 1]);
      },
    ),
  );
});

test('without failures it is the percentile that the histogram gives', () => {
  const histogram = new Histogram();
  for (let ns = 1; ns < 1e9; ns = Math.ceil(ns * 1.01)) histogram.record(ns);
  for (const percentile of [1, 50, 90, 99, 99.9])
    expect(percentileWithFailures(histogram.snapshot(), 0, percentile)).toBe(
      histogram.valueAtPercentile(percentile),
    );
});

function histogramOf(values: number[]): ReturnType<Histogram['snapshot']> {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram.snapshot();
}
