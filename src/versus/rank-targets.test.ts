import { expect, test } from 'vitest';
import { medianInterval } from './median-interval.js';
import { rankTargets } from './rank-targets.js';

const around = (middle: number): number[] => [0.98, 0.99, 1, 1.01, 1.02].map((factor) => middle * factor);

test('the better stand first, and those that cannot be told apart share a letter and a place', () => {
  const { places, confidence, rounds } = rankTargets('callsPerSec', [
    { target: 'slow', rounds: around(100) },
    { target: 'fast', rounds: around(1000) },
    { target: 'also fast', rounds: around(1003).toReversed() },
  ]);
  expect(rounds).toBe(5);
  expect(places.map(({ target, place, ties }) => [target, place, ties])).toEqual([
    ['also fast', 1, 'a'],
    ['fast', 1, 'a'],
    ['slow', 3, 'b'],
  ]);
  expect(confidence).toBe(0.95);
  expect(places[0]!.toFirst).toBeNull();
  expect(places[2]!.toFirst!.ratio).toBeCloseTo(100 / 1003, 3);
  expect(places[2]!.toFirst!.low).toBeLessThan(places[2]!.toFirst!.ratio);
});

test('of times, the shorter are better', () => {
  const { places } = rankTargets('p99', [
    { target: 'a', rounds: around(20) },
    { target: 'b', rounds: around(10).toReversed() },
  ]);
  expect(places.map(({ target, place }) => [target, place])).toEqual([
    ['b', 1],
    ['a', 2],
  ]);
});

test('too few rounds tell nobody apart', () => {
  const { places, confidence } = rankTargets('p50', [
    { target: 'a', rounds: [1, 1, 1] },
    { target: 'b', rounds: [100, 100, 100] },
  ]);
  expect(confidence).toBeNull();
  expect(places.map(({ place, ties }) => [place, ties])).toEqual([
    [1, 'a'],
    [1, 'a'],
  ]);
});

test('what failed calls reach into comes last, and has no ratio', () => {
  const { places } = rankTargets('p99', [
    { target: 'failing', rounds: [Infinity, Infinity, Infinity, Infinity, Infinity] },
    { target: 'failing too', rounds: [Infinity, Infinity, Infinity, Infinity, Infinity] },
    { target: 'sound', rounds: around(10) },
  ]);
  expect(places.map(({ target, place, toFirst }) => [target, place, toFirst])).toEqual([
    ['sound', 1, null],
    ['failing', 2, null],
    ['failing too', 2, null],
  ]);
});

test('no memory at all is less than any', () => {
  const { places } = rankTargets('memoryPerSession', [
    { target: 'some', rounds: around(1000) },
    { target: 'none', rounds: [0, 0, 0, 0, 0] },
  ]);
  expect(places.map(({ target, place, toFirst }) => [target, place, toFirst])).toEqual([
    ['none', 1, null],
    ['some', 2, null],
  ]);
});

test('only rounds in which all have a figure are compared, each with its own', () => {
  const rounds = [1, 50, 2, 7, 0.5, 3];
  const given = (target: string, factor: number, missing: number): Parameters<typeof rankTargets>[1][0] => ({
    target,
    rounds: rounds.map((value, at) => (at === missing ? null : value * factor * (1 + 0.002 * (at % 2)))),
  });
  const { places, rounds: used } = rankTargets('p50', [given('b', 1.05, 4), given('a', 1, 1)]);
  expect(used).toBe(4);
  expect(places.map(({ target, place, values }) => [target, place, values.length])).toEqual([
    ['a', 1, 5],
    ['b', 2, 5],
  ]);
  expect(
    rankTargets('p50', [given('b', 1.05, 4), { target: 'a', rounds: [1, 2, 3, null, 4, 5] }]),
  ).toMatchObject({
    rounds: 4,
  });
  const few = rankTargets('p50', [given('b', 9, 4), { target: 'a', rounds: [1, null, null, 1, 4, 5] }]);
  expect(few).toMatchObject({ rounds: 3, confidence: null, places: [{ place: 1 }, { place: 1 }] });
});

test('what is level by the load is not told apart', () => {
  const given = [
    { target: 'a', rounds: [100, 100, 100, 100, 100] },
    { target: 'b', rounds: [99, 99, 99, 99, 99] },
    { target: 'c', rounds: [60, 60, 60, 60, 60] },
  ];
  const level = (a: string, b: string): boolean => a !== 'c' && b !== 'c';
  const tied = (options: object): string[] =>
    rankTargets('callsPerSec', given, options).places.map(({ ties }) => ties);
  expect(tied({ level })).toEqual(['a', 'a', 'b']);
  expect(tied({})).toEqual(['a', 'b', 'c']);
});

test('a target without a figure is left out', () => {
  expect(rankTargets('peakMemory', [{ target: 'url', rounds: [] }]).places).toEqual([]);
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
