import { describe, expect, it } from 'vitest';
import { changePoints } from './change-points.js';
import { seededRandom } from './seeded-random.js';

/** Levels held for some runs each, with a between-run variation of 3 %; some runs, drawn at random, are 50 % slower. */
function series(seed: number, levels: [runs: number, level: number][], outliers = 0): number[] {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return levels
    .flatMap(([runs, level]) => Array.from({ length: runs }, () => level * Math.exp(0.03 * normal())))
    .map((value) => (random() < outliers ? value * 1.5 : value));
}

const near = (found: { at: number }[], expected: number[], by: number): boolean =>
  found.length === expected.length && found.every(({ at }, i) => Math.abs(at - expected[i]!) <= by);

/** In how many of 60 seeded series the change points are found where they are, give or take two runs. */
function found(levels: [number, number][], expected: number[], outliers?: number): number {
  let hits = 0;
  for (let seed = 0; seed < 60; seed++)
    if (near(changePoints(series(seed, levels, outliers)), expected, 2)) hits++;
  return hits;
}

describe('change points', () => {
  it('are rarely seen where there are none: within the level, with and without outliers', () => {
    for (const outliers of [0, 0.15]) {
      let alarms = 0;
      for (let seed = 0; seed < 400; seed++)
        if (changePoints(series(seed, [[30, 20]], outliers), { alpha: 0.05, seed }).length > 0) alarms++;
      // At most 5 % in truth; 400 series show more than 8 % in one case of 200.
      expect(alarms).toBeLessThanOrEqual(32);
    }
  });

  it('are found for a lasting change of 10 %, also between outliers', () => {
    expect(
      found(
        [
          [20, 20],
          [20, 22],
        ],
        [20],
      ),
    ).toBeGreaterThanOrEqual(54);
    expect(
      found(
        [
          [20, 20],
          [20, 22],
        ],
        [20],
        0.05,
      ),
    ).toBeGreaterThanOrEqual(48);
  });

  it('are found for a temporary change and for two steps', () => {
    expect(
      found(
        [
          [20, 20],
          [8, 22],
          [20, 20],
        ],
        [20, 28],
      ),
    ).toBeGreaterThanOrEqual(50);
    expect(
      found(
        [
          [15, 20],
          [15, 22],
          [15, 25],
        ],
        [15, 30],
      ),
    ).toBeGreaterThanOrEqual(50);
  });

  it('are found as soon as the new level has held for a few runs', () => {
    expect(
      found(
        [
          [30, 20],
          [5, 23],
        ],
        [30],
      ),
    ).toBeGreaterThanOrEqual(54);
  });

  it('come with the size of the change and its p-value', () => {
    const [point, ...others] = changePoints(
      series(1, [
        [20, 20],
        [20, 24],
      ]),
    );
    expect(others).toEqual([]);
    expect(point!.at).toBe(20);
    expect(point!.ratio).toBeCloseTo(1.2, 1);
    expect(point!.pValue).toBeLessThanOrEqual(0.01);
  });

  it('do not depend on the unit, and mirror in time', () => {
    const values = series(3, [
      [15, 20],
      [12, 23],
      [15, 20],
    ]);
    const at = (of: number[]): number[] => changePoints(of).map((point) => point.at);
    expect(at(values.map((value) => value * 1e6))).toEqual(at(values));
    expect(at(values.toReversed())).toEqual(
      at(values)
        .map((index) => values.length - index)
        .toReversed(),
    );
  });

  it('repeat themselves for a seed', () => {
    const values = series(4, [
      [15, 20],
      [15, 21],
    ]);
    expect(changePoints(values, { seed: 9 })).toEqual(changePoints(values, { seed: 9 }));
  });

  it('need runs: none in a series too short, constant, or empty', () => {
    expect(changePoints([])).toEqual([]);
    expect(changePoints([1, 1, 1, 2, 2, 2])).toEqual([]);
    expect(changePoints(Array.from({ length: 50 }, () => 7))).toEqual([]);
    expect(() => changePoints([1, Number.NaN])).toThrow(RangeError);
  });

  it('cope with values that have no finite logarithm', () => {
    const lost = [...series(5, [[15, 20]]), ...Array.from({ length: 15 }, () => Infinity)];
    expect(changePoints(lost)).toMatchObject([{ at: 15, ratio: Infinity }]);
  });
});
