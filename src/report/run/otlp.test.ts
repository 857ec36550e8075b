import { expect, test } from 'vitest';
import { z } from 'zod';
import { otlpReport } from './otlp.js';
import { results, withMetrics } from './results.fixture.js';

// The message types of opentelemetry-proto's metrics.proto in their JSON form: lowerCamelCase, 64-bit integers as
// decimal strings, enums as numbers, no field that is not there.
const int64 = z.string().regex(/^\d+$/);
const attributes = z.array(
  z.strictObject({ key: z.string().min(1), value: z.strictObject({ stringValue: z.string() }) }),
);
const number = z.union([
  z.strictObject({ attributes, startTimeUnixNano: int64.optional(), timeUnixNano: int64, asInt: int64 }),
  z.strictObject({
    attributes,
    startTimeUnixNano: int64.optional(),
    timeUnixNano: int64,
    asDouble: z.number(),
  }),
]);
const histogram = z.strictObject({
  attributes,
  startTimeUnixNano: int64,
  timeUnixNano: int64,
  count: int64,
  sum: z.number(),
  bucketCounts: z.array(int64),
  explicitBounds: z.array(z.number()),
  min: z.number(),
  max: z.number(),
});
const named = {
  name: z.string().regex(/^[a-z][a-z0-9_.]*$/),
  unit: z.string().min(1),
  description: z.string(),
};
const metric = z.union([
  z.strictObject({
    ...named,
    sum: z.strictObject({
      aggregationTemporality: z.literal(1),
      isMonotonic: z.boolean(),
      dataPoints: z.array(number).min(1),
    }),
  }),
  z.strictObject({ ...named, gauge: z.strictObject({ dataPoints: z.array(number).min(1) }) }),
  z.strictObject({
    ...named,
    histogram: z.strictObject({
      aggregationTemporality: z.literal(1),
      dataPoints: z.array(histogram).min(1),
    }),
  }),
]);
const request = z.strictObject({
  resourceMetrics: z
    .array(
      z.strictObject({
        resource: z.strictObject({ attributes }),
        scopeMetrics: z
          .array(
            z.strictObject({
              scope: z.strictObject({ name: z.string(), version: z.string() }),
              metrics: z.array(metric).min(1),
            }),
          )
          .length(1),
      }),
    )
    .length(1),
});

function parse(text: string) {
  return request.parse(JSON.parse(text)).resourceMetrics[0]!.scopeMetrics[0]!.metrics;
}

test('happy looks as it did', async () => {
  const result = withMetrics(results.happy!(), 'call.response{tool:echo}');
  const text = JSON.stringify(
    JSON.parse(otlpReport({ ...result, intervals: result.intervals.slice(0, 2) })),
    null,
    1,
  );
  await expect(text).toMatchFileSnapshot('./golden/otlp-happy.json');
});

test.each(Object.keys(results))('%s is a valid request', (name) => {
  expect(parse(otlpReport(results[name]!())).length).toBeGreaterThan(5);
});

test('names are unique', () => {
  const names = parse(otlpReport(results.suspect!())).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('buckets add up to the count and have one more than the limits', () => {
  const metrics = parse(otlpReport(results.happy!()));
  const points = metrics.flatMap((metric) => ('histogram' in metric ? metric.histogram.dataPoints : []));
  expect(points).toHaveLength(15);
  for (const { count, bucketCounts, explicitBounds } of points) {
    expect(bucketCounts.reduce((sum, bucket) => sum + Number(bucket), 0)).toBe(Number(count));
    expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
    expect(explicitBounds).toEqual(explicitBounds.toSorted((a, b) => a - b));
  }
});

test('the run lies between its start and its end, to the nanosecond', () => {
  const [calls] = parse(otlpReport(results.happy!()));
  const [point] = 'sum' in calls! ? calls.sum.dataPoints : [];
  expect(point?.startTimeUnixNano).toBe('1794985392345000000');
  expect(point?.timeUnixNano).toBe('1794985407345000000');
});

test('the timeline has a point for each second', () => {
  const rate = parse(otlpReport(results.happy!())).find(({ name }) => name === 'mcp_bench.interval.ok');
  expect(rate && 'gauge' in rate && rate.gauge.dataPoints).toHaveLength(15);
});
