import { expect, it } from 'vitest';
import { seededRandom } from './seeded-random.js';

it('repeats itself for a seed and differs between seeds, also beyond 32 bits', () => {
  const first = (seed: number): number[] => {
    const random = seededRandom(seed);
    return Array.from({ length: 20 }, () => random());
  };
  expect(first(1)).toEqual(first(1));
  expect(new Set([0, 1, 2, 3, 2 ** 32, 2 ** 32 + 1].flatMap(first)).size).toBe(120);
});

it('is uniform: every sixteenth of [0, 1) gets its share, alone and in pairs', () => {
  const random = seededRandom(99);
  const cells = Array.from({ length: 256 }, () => 0);
  const draws = 256 * 400;
  for (let i = 0; i < draws; i++) cells[16 * Math.floor(16 * random()) + Math.floor(16 * random())]!++;
  const chiSquared = cells.reduce((sum, cell) => sum + (cell - 400) ** 2 / 400, 0);
  // 255 degrees of freedom: 99.9 % lie below 330 and 0.1 % below 190.
  expect(chiSquared).toBeLessThan(330);
  expect(chiSquared).toBeGreaterThan(190);
});
