import { HistogramLogReader, listTags, type Histogram } from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { hlogReport } from './hlog.js';
import { results, withMetrics } from './results.fixture.js';
import { oneLine } from '../../text/one-line.js';

test('happy looks as it did', async () => {
  const result = withMetrics(results.happy!(), 'call.response', 'handshake.total');
  await expect(hlogReport({ ...result, intervals: result.intervals.slice(0, 3) })).toMatchFileSnapshot(
    './golden/happy.hlog',
  );
});

test.each(Object.keys(results))('%s is read back by a reader of histogram logs', (name) => {
  const result = results[name]!();
  const text = hlogReport(result);
  const read = readAll(text);
  for (const [key, metric] of Object.entries(result.metrics)) {
    const histogram = read.find(({ tag }) => tag === oneLine(key).replace(/[,\s]+/g, '_'));
    expect(histogram?.totalCount).toBe(metric.count);
    expect(histogram?.getValueAtPercentile(50)).toBe(metric.p50);
  }
  expect(listTags(text).filter((tag) => tag !== 'NO TAG')).toHaveLength(Object.keys(result.metrics).length);
});

test('the seconds without a tag add up to the run', () => {
  const result = results.happy!();
  const seconds = readAll(hlogReport(result)).filter(({ tag }) => tag === 'NO TAG');
  expect(seconds).toHaveLength(15);
  expect(seconds.reduce((sum, { totalCount }) => sum + totalCount, 0)).toBe(result.totals.outcomes.ok);
  const startMs = Date.parse(result.startedAt);
  expect(seconds.map(({ startTimeStampMsec }) => Math.round(startTimeStampMsec - startMs))).toEqual(
    Array.from({ length: 15 }, (_, second) => second * 1000),
  );
});

test('every line is a comment, the legend, or four fields after an optional tag', () => {
  for (const line of hlogReport(results.hostile!()).trimEnd().split('\n'))
    expect(line).toMatch(
      /^(#.*|"StartTimestamp".*|(Tag=[^,\s]+,)?\d+\.\d{3},\d+\.\d{3},\d+\.\d{3},[A-Za-z0-9+/]+=*)$/,
    );
});

function readAll(text: string): Histogram[] {
  const reader = new HistogramLogReader(text, 64);
  const read: Histogram[] = [];
  for (let next = reader.nextIntervalHistogram(); next; next = reader.nextIntervalHistogram())
    read.push(next);
  return read;
}
