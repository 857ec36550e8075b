import { expect, test } from 'vitest';
import { medianInterval } from './median-interval.js';
import { rankTargets } from './rank-targets.js';

const around = (middle: number): number[] => [0.98, 0.99, 1, 1.01, 1.02].map((factor) => middle * factor);

test('the better stand first, and those that cannot be told apart share a letter and a place', () => {
  const { places, pairConfidence } = rankTargets('callsPerSec', [
    { target: 'slow', values: around(100) },
    { target: 'fast', values: around(1000) },
    { target: 'also fast', values: around(1003) },
  ]);
  expect(places.map(({ target, place, ties }) => [target, place, ties])).toEqual([
    ['also fast', 1, 'a'],
    ['fast', 1, 'a'],
    ['slow', 3, 'b'],
  ]);
  expect(pairConfidence).toBeCloseTo(0.968, 3);
  expect(places[0]!.toFirst).toBeNull();
  expect(places[2]!.toFirst!.ratio).toBeCloseTo(100 / 1003, 3);
  expect(places[2]!.toFirst!.low).toBeLessThan(places[2]!.toFirst!.ratio);
});

test('of times, the shorter are better', () => {
  const { places } = rankTargets('p99', [
    { target: 'a', values: around(20) },
    { target: 'b', values: around(10) },
  ]);
  expect(places.map(({ target, place }) => [target, place])).toEqual([
    ['b', 1],
    ['a', 2],
  ]);
});

test('too few rounds tell nobody apart', () => {
  const { places, pairConfidence } = rankTargets('p50', [
    { target: 'a', values: [1, 1, 1] },
    { target: 'b', values: [100, 100, 100] },
  ]);
  expect(pairConfidence).toBeNull();
  expect(places.map(({ place, ties }) => [place, ties])).toEqual([
    [1, 'a'],
    [1, 'a'],
  ]);
});

test('what failed calls reach into comes last, and has no ratio', () => {
  const { places } = rankTargets('p99', [
    { target: 'failing', values: [Infinity, Infinity, Infinity, Infinity, Infinity] },
    { target: 'failing too', values: [Infinity, Infinity, Infinity, Infinity, Infinity] },
    { target: 'sound', values: around(10) },
  ]);
  expect(places.map(({ target, place, toFirst }) => [target, place, toFirst])).toEqual([
    ['sound', 1, null],
    ['failing', 2, null],
    ['failing too', 2, null],
  ]);
});

test('no memory at all is less than any', () => {
  const { places } = rankTargets('memoryPerSession', [
    { target: 'some', values: around(1000) },
    { target: 'none', values: [0, 0, 0, 0, 0] },
  ]);
  expect(places.map(({ target, place, toFirst }) => [target, place, toFirst])).toEqual([
    ['none', 1, null],
    ['some', 2, null],
  ]);
});

test('a target without a figure is left out', () => {
  expect(rankTargets('peakMemory', [{ target: 'url', values: [] }]).places).toEqual([]);
});

test.each([
  // n, values skipped on either side, exact confidence
  [1, 0, 0],
  [3, 0, 0.75],
  [5, 0, 0.9375],
  [6, 0, 0.96875],
  [8, 0, 0.9921875],
  [9, 1, 0.9609375],
  [20, 5, 0.958611],
])('the interval of the median of %i values', (n, skipped, confidence) => {
  const found = medianInterval(Array.from({ length: n }, (_, at) => n - at));
  expect([found.low, found.high]).toEqual([1 + skipped, n - skipped]);
  expect(found.confidence).toBeCloseTo(confidence, 5);
});
