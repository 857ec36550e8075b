import fc from 'fast-check';
import { build } from 'hdr-histogram-js';
import type { JsHistogram } from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import { bucketOf, highestOf, lowestOf, maxValueNs } from './bucket-layout.js';
import { Histogram } from './histogram.js';

const reference = () =>
  build({
    bitBucketSize: 64,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: maxValueNs,
    numberOfSignificantValueDigits: 3,
  }) as JsHistogram;

/** Any duration, with as many short ones as long ones, and the edges of doublings in particular. */
const duration = fc.oneof(
  fc.integer({ min: 0, max: 42 }).chain((bits) => fc.integer({ min: 0, max: 2 ** bits - 1 })),
  fc
    .tuple(fc.integer({ min: 0, max: 41 }), fc.integer({ min: -2, max: 2 }))
    .map(([bits, off]) => Math.max(0, 2 ** bits + off)),
  fc.integer({ min: 50_000, max: 5_000_000 }),
);
const durations = fc.array(duration, { maxLength: 300 });

function recorded(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

function state(histogram: Histogram) {
  const { minNs, maxNs, meanNs } = histogram;
  return { ...histogram.snapshot(), minNs, maxNs, meanNs };
}

describe('the buckets are those of hdr-histogram-js', () => {
  test('for any value', () => {
    const hdr = reference();
    fc.assert(
      fc.property(duration, (value) => {
        const bucket = bucketOf(value);
        expect(bucket).toBe(hdr.countsArrayIndex(value));
        expect(lowestOf(bucket)).toBe(hdr.lowestEquivalentValue(value));
        expect(highestOf(bucket)).toBe(hdr.highestEquivalentValue(value));
      }),
      { numRuns: 5000 },
    );
  });

  test('at every edge of every bucket', () => {
    const hdr = reference();
    let next = 0;
    let wrong = 0;
    for (let bucket = 0; bucket < hdr.countsArrayLength; bucket++) {
      const low = lowestOf(bucket);
      const high = highestOf(bucket);
      if (low !== next || bucketOf(low) !== bucket || bucketOf(high) !== bucket) wrong++;
      if (hdr.countsArrayIndex(low) !== bucket || hdr.countsArrayIndex(high) !== bucket) wrong++;
      next = high + 1;
    }
    expect(wrong).toBe(0);
    expect(next - 1).toBe(maxValueNs);
  });
});

test('every percentile equals that of hdr-histogram-js', () => {
  const percentile = fc.oneof(
    fc.constantFrom(0, 50, 90, 95, 99, 99.9, 99.99, 100),
    fc.double({ min: 0, max: 100, noNaN: true }),
  );
  fc.assert(
    fc.property(durations, fc.array(percentile, { minLength: 1, maxLength: 8 }), (values, percentiles) => {
      const hdr = reference();
      for (const value of values) hdr.recordValue(value);
      const ours = recorded(values);
      for (const p of percentiles) expect(ours.valueAtPercentile(p)).toBe(hdr.getValueAtPercentile(p));
    }),
    { numRuns: 300 },
  );
});

test('a percentile is within 0.1 % of the true one', () => {
  fc.assert(
    fc.property(
      fc.array(duration, { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 100 }),
      (values, p) => {
        const truth = values.toSorted((a, b) => a - b)[Math.ceil((p / 100) * values.length) - 1]!;
        const ours = recorded(values).valueAtPercentile(p);
        expect(ours).toBeGreaterThanOrEqual(truth);
        expect(ours).toBeLessThanOrEqual(truth * 1.001);
      },
    ),
  );
});

test('count, sum, mean, minimum and maximum are exact', () => {
  fc.assert(
    fc.property(durations, (values) => {
      const sum = values.reduce((a, b) => a + b, 0);
      expect(state(recorded(values))).toMatchObject({
        count: values.length,
        sumNs: sum,
        meanNs: values.length === 0 ? 0 : sum / values.length,
        minNs: values.length === 0 ? 0 : Math.min(...values),
        maxNs: values.length === 0 ? 0 : Math.max(...values),
        saturated: 0,
      });
    }),
  );
});

test('merging shards equals recording everything in one', () => {
  const shards = fc.array(durations, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(shards, (parts) => {
      const merged = new Histogram();
      // Through a structured clone, as snapshots travel from a worker.
      for (const part of parts) merged.add(structuredClone(recorded(part).snapshot()));
      expect(state(merged)).toEqual(state(recorded(parts.flat())));
    }),
  );
});

test('a snapshot is sparse and does not change with the histogram', () => {
  const histogram = recorded([5, 5, 3_000_000_000, 7_000]);
  const snapshot = histogram.snapshot();
  histogram.record(5);
  histogram.reset();
  expect(Array.from(snapshot.counts)).toEqual([2, 1, 1]);
  expect(Array.from(snapshot.indices)).toEqual([5, 7_000, 3_000_000_000].map(bucketOf));
});

test('after a reset it is as new', () => {
  fc.assert(
    fc.property(durations, durations, (before, after) => {
      const histogram = recorded(before);
      histogram.record(maxValueNs + 1);
      histogram.reset();
      expect(state(histogram)).toEqual(state(new Histogram()));
      for (const value of after) histogram.record(value);
      expect(state(histogram)).toEqual(state(recorded(after)));
    }),
  );
});

test('values beyond the range are clamped, and counted as such', () => {
  const histogram = recorded([1, maxValueNs, maxValueNs + 1, 1e300, Infinity]);
  expect(histogram).toMatchObject({ count: 5, saturated: 3, maxNs: maxValueNs });
  expect(histogram.valueAtPercentile(100)).toBe(maxValueNs);
  expect(maxValueNs).toBeGreaterThan(3600e9);
  const merged = new Histogram();
  merged.add(histogram.snapshot());
  merged.add(histogram.snapshot());
  expect(merged.saturated).toBe(6);
});

test('what is no duration is a bug, and leaves the histogram as it was', () => {
  const histogram = recorded([3]);
  for (const value of [-1, NaN, -Infinity]) expect(() => histogram.record(value)).toThrow('not a duration');
  expect(state(histogram)).toEqual(state(recorded([3])));
});

test('an empty histogram answers zero', () => {
  expect(new Histogram().valueAtPercentile(99)).toBe(0);
  expect(state(new Histogram())).toMatchObject({ count: 0, minNs: 0, maxNs: 0, meanNs: 0, sumNs: 0 });
});

test('memory is taken where values fall, not for the whole range', () => {
  const bytesOf = (histogram: Histogram) =>
    JSON.parse(
      JSON.stringify(histogram, (_, value: unknown) =>
        value instanceof Float64Array ? value.byteLength : value,
      ),
    ).pages.reduce((sum: number, page: number | null) => sum + (page ?? 0), 0) as number;
  expect(bytesOf(new Histogram())).toBe(0);
  expect(bytesOf(recorded([1_000_000, 1_040_000, 1_048_575]))).toBe(8192);
});
