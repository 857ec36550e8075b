import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleResult } from '../result/result.fixture.js';
import { maxValueNs } from '../stats/bucket-layout.js';
import { encodeV2 } from '../stats/hdr.js';
import { Histogram } from '../stats/histogram.js';
import { coarseEdges, intervalCounts } from './interval-counts.js';

function runOf(values: number[], digits: 2 | 3): ReturnType<typeof sampleResult> {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  const run = sampleResult();
  const [interval] = run.intervals;
  const response = { count: values.length, p50: 0, p99: 0, max: 0, hdr: encodeV2(histogram, digits) };
  return { ...run, intervals: [{ ...interval!, metrics: { 'call.response': response } }] };
}

test('the buckets are those of two digits, whatever the file has, and contain their values', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(maxValueNs), { minLength: 1, maxLength: 20 }), (values) => {
      const [two, three] = ([2, 3] as const).map((digits) => intervalCounts(runOf(values, digits))[0]!);
      expect(three).toEqual(two);
      const edges = Array.from(two!.indices, (index) => coarseEdges(index));
      for (const value of values)
        expect(edges.filter(([from, to]) => value >= from && value < to)).toHaveLength(1);
      expect(Array.from(two!.counts).reduce((sum, count) => sum + count, 0)).toBe(values.length);
      for (const [from, to] of edges) expect(to - from).toBeLessThanOrEqual(Math.max(1, from / 100));
    }),
    { numRuns: 50 },
  );
});

test('pieces of seconds and the drain are left out, failed calls counted', () => {
  const run = sampleResult();
  const second = run.intervals[0]!;
  const intervals = [
    { ...second, totals: { ...second.totals, failed: 2, notSent: 3 } },
    { ...second, atMs: 1000, durationMs: 400 },
    { ...second, atMs: 15_000 },
  ];
  expect(intervalCounts({ ...run, intervals }).map(({ failed }) => failed)).toEqual([5]);
});
