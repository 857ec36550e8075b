import { expect, test } from 'vitest';
import { spread } from '../../result/result.fixture.js';
import { Histogram } from '../../stats/histogram.js';
import { barLines, latencyBars } from './latency-bars.js';

test('every value is in one bar, and the bars are few, adjacent and round', () => {
  for (const [median, sigma] of [
    [1e3, 0.01],
    [5e6, 0.4],
    [20e6, 2],
    [3e8, 5],
  ] as const) {
    const bars = latencyBars(snapshotOf(spread(5_000, median, sigma)), 16);
    expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(5_000);
    expect(bars.length).toBeLessThanOrEqual(16);
    expect(bars.slice(1).map((bar) => bar.fromNs)).toEqual(bars.slice(0, -1).map((bar) => bar.toNs));
    expect(bars.every((bar) => Number(bar.fromNs.toPrecision(2)) === bar.fromNs)).toBe(true);
    expect(bars.at(0)!.count).toBeGreaterThan(0);
    expect(bars.at(-1)!.count).toBeGreaterThan(0);
  }
});

test('values fall between the limits of their bar', () => {
  const bars = latencyBars(snapshotOf([1.5e6, 1.6e6, 40e6]), 16);
  const filled = bars.filter((bar) => bar.count > 0);
  expect(filled.map((bar) => bar.count)).toEqual([2, 1]);
  expect(filled[0]!.fromNs).toBeLessThanOrEqual(1.5e6);
  expect(filled[0]!.toNs).toBeGreaterThan(1.6e6);
});

test('one value, and none', () => {
  expect(latencyBars(snapshotOf([5e6]), 16).map((bar) => bar.count)).toEqual([1]);
  expect(latencyBars(snapshotOf([0]), 16).map((bar) => bar.count)).toEqual([1]);
  expect(latencyBars(snapshotOf([]), 16)).toEqual([]);
});

test('bars are in proportion, and what is not nothing can be seen', () => {
  const bars = [
    { fromNs: 1e6, toNs: 2e6, count: 1_000_000 },
    { fromNs: 2e6, toNs: 5e6, count: 500_000 },
    { fromNs: 5e6, toNs: 10e6, count: 0 },
    { fromNs: 10e6, toNs: 20e6, count: 1 },
  ];
  expect(
    barLines(
      bars,
      [
        { title: 'p50', ns: 1.5e6 },
        { title: 'p99', ns: 4e6 },
      ],
      40,
    ),
  ).toEqual([
    '1.00ms │████████████████   66.7 %  p50',
    '2.00ms │████████           33.3 %  p99',
    '5.00ms │                      0 %',
    '10.0ms │▏                < 0.01 %',
  ]);
});

function snapshotOf(values: number[]): ReturnType<Histogram['snapshot']> {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram.snapshot();
}
