import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { HistogramLogReader, build } from 'hdr-histogram-js';
import type { Histogram as HdrHistogram, JsHistogram } from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { bucketOf, maxValueNs } from './bucket-layout.js';
import { decodeV2, encodeV2, fromHdr, summarise, toHdr, writeHlog } from './hdr.js';
import { Histogram } from './histogram.js';

const durations = fc.array(
  fc.integer({ min: 0, max: 42 }).chain((bits) => fc.integer({ min: 0, max: 2 ** bits - 1 })),
  { maxLength: 200 },
);

function recorded(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

function countsOf(hdr: HdrHistogram): [number, number][] {
  const js = hdr as JsHistogram;
  const found: [number, number][] = [];
  for (let i = 0; i < js.countsArrayLength; i++)
    if (js.getCountAtIndex(i) > 0) found.push([i, js.getCountAtIndex(i)]);
  return found;
}

test('as an hdr-histogram-js histogram it has the same buckets, extremes and percentiles', () => {
  fc.assert(
    fc.property(durations, (values) => {
      const ours = recorded(values);
      const hdr = toHdr(ours);
      const { indices, counts } = ours.snapshot();
      expect(countsOf(hdr)).toEqual(Array.from(indices, (index, i) => [index, counts[i]]));
      expect(hdr.totalCount).toBe(values.length);
      expect(hdr.maxValue).toBe(ours.maxNs);
      const { mean, ...figures } = summarise(hdr);
      expect(summarise(ours)).toMatchObject(figures);
      expect(mean).toBeCloseTo(ours.meanNs, -Math.log10(ours.meanNs * 0.001 + 1));
    }),
    { numRuns: 40 },
  );
});

test('of any digits it is the same as if the values had been recorded there', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(1 as const, 2 as const, 3 as const), (values, digits) => {
      const direct = toHdr(new Histogram(), digits);
      for (const value of values) direct.recordValue(value);
      const converted = toHdr(recorded(values), digits);
      expect(countsOf(converted)).toEqual(countsOf(direct));
      expect(converted.maxValue).toBe(direct.maxValue);
      expect(converted.totalCount).toBe(direct.totalCount);
      if (!values.includes(0)) expect(converted.minNonZeroValue).toBe(direct.minNonZeroValue);
      else
        expect(bucketOf(converted.minNonZeroValue % 2 ** 42)).toBe(
          bucketOf(direct.minNonZeroValue % 2 ** 42),
        );
      for (const p of [0, 50, 99, 100])
        expect(converted.getValueAtPercentile(p)).toBe(direct.getValueAtPercentile(p));
    }),
    { numRuns: 100 },
  );
});

test('the V2 text gives back every bucket', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(2 as const, 3 as const), (values, digits) => {
      const hdr = toHdr(recorded(values), digits);
      const back = decodeV2(encodeV2(hdr));
      expect(countsOf(back)).toEqual(countsOf(hdr));
      expect(back.numberOfSignificantValueDigits).toBe(digits);
      expect(encodeV2(recorded(values), digits)).toBe(encodeV2(hdr));
    }),
    { numRuns: 40 },
  );
});

test('back from V2 it is a snapshot again, and merges', () => {
  fc.assert(
    fc.property(durations, durations, (left, right) => {
      const merged = new Histogram();
      for (const values of [left, right]) merged.add(fromHdr(decodeV2(encodeV2(recorded(values)))));
      const whole = recorded([...left, ...right]).snapshot();
      const { indices, counts, count } = merged.snapshot();
      expect({ indices, counts, count }).toEqual({
        indices: whole.indices,
        counts: whole.counts,
        count: whole.count,
      });
    }),
    { numRuns: 40 },
  );
});

test('an interval of 2 digits keeps its percentiles as a snapshot', () => {
  fc.assert(
    fc.property(durations, (values) => {
      const hdr = toHdr(recorded(values), 2);
      expect(summarise(fromHdr(hdr))).toEqual(summarise(hdr));
      if (values.length > 0) expect(summarise(hdr).mean).toBeCloseTo(hdr.mean, 6 - Math.log10(hdr.mean + 1));
    }),
    { numRuns: 40 },
  );
});

test('a histogram of another range or unit is taken as far as ours reaches', () => {
  for (const [lowestDiscernibleValue, numberOfSignificantValueDigits] of [
    [1, 3],
    [1000, 3],
    [1, 4],
  ] as const) {
    const wide = build({
      bitBucketSize: 64,
      lowestDiscernibleValue,
      numberOfSignificantValueDigits,
      highestTrackableValue: 2 ** 50,
    });
    for (const value of [0, 5_000_000, 2 ** 49]) wide.recordValue(value);
    const histogram = new Histogram();
    histogram.add(fromHdr(decodeV2(encodeV2(wide))));
    expect(histogram).toMatchObject({ count: 3, minNs: 0, maxNs: maxValueNs });
    expect(histogram.valueAtPercentile(100)).toBe(maxValueNs);
    expect(Math.abs(histogram.valueAtPercentile(50) / 5_000_000 - 1)).toBeLessThan(0.002);
  }
});

test('what is no histogram is refused', () => {
  for (const text of ['', 'AAAA', 'not base64!', encodeV2(recorded([1])).slice(0, 20)])
    expect(() => decodeV2(text)).toThrow();
});

test('a summary never shows a percentile above the maximum', () => {
  const summary = summarise(recorded([1_000_001, 2_000_003, 3_000_001]));
  expect(summary).toEqual({
    count: 3,
    min: 1_000_001,
    mean: (1_000_001 + 2_000_003 + 3_000_001) / 3,
    p50: 2_000_895,
    p90: 3_000_001,
    p95: 3_000_001,
    p99: 3_000_001,
    p999: 3_000_001,
    max: 3_000_001,
  });
  expect(summarise(new Histogram())).toEqual({
    count: 0,
    min: 0,
    mean: 0,
    p50: 0,
    p90: 0,
    p95: 0,
    p99: 0,
    p999: 0,
    max: 0,
  });
});

test('a histogram log is read back by hdr-histogram-js', () => {
  const startedAtMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const log = writeHlog(startedAtMs, [
    { startMs: 0, durationMs: 1000, histogram: recorded([1_000_000, 2_000_000]) },
    {
      startMs: 1000,
      durationMs: 500,
      tag: 'call.response{tool:a, b}',
      histogram: recorded([7_000_000]).snapshot(),
    },
  ]);
  expect(log.split('\n').slice(0, 4)).toEqual([
    '#[Histogram log format version 1.3]',
    '#[StartTime: 1767323045.678 (seconds since epoch), 2026-01-02T03:04:05.678Z]',
    '#[BaseTime: 1767323045.678 (seconds since epoch)]',
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
  ]);
  expect(log).toMatch(/^0\.000,1\.000,2\.000,HIST/m);
  expect(log).toMatch(/^Tag=call\.response\{tool:a_b\},1\.000,0\.500,7\.000,HIST/m);
  const reader = new HistogramLogReader(log, 64);
  const first = reader.nextIntervalHistogram()!;
  const second = reader.nextIntervalHistogram()!;
  expect(reader.nextIntervalHistogram()).toBeNull();
  expect(countsOf(first)).toEqual(countsOf(toHdr(recorded([1_000_000, 2_000_000]))));
  expect(first.startTimeStampMsec).toBe(startedAtMs);
  expect(second.tag).toBe('call.response{tool:a_b}');
  expect(second.endTimeStampMsec).toBe(startedAtMs + 1500);
});

test('a text of half a megabyte that unpacks to half a gigabyte is not unpacked', () => {
  const packed = deflateSync(Buffer.alloc(512 * 1024 * 1024), { level: 9 });
  const head = Buffer.from(encodeV2(new Histogram()), 'base64').subarray(0, 8);
  head.writeInt32BE(packed.length, 4);
  const before = process.memoryUsage().rss;
  expect(() => decodeV2(Buffer.concat([head, packed]).toString('base64'))).toThrow(/larger than/);
  expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
});
