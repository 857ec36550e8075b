import { expect, test } from 'vitest';
import { chance, Choice } from './chance.js';

test('lies in [0, 1) and depends on every argument', () => {
  const seen = new Set<number>();
  for (const seed of [0, 1, 2 ** 40])
    for (const session of [0, 1, 9000])
      for (const call of [0, 1, 1e6])
        for (const choice of [Choice.lost, Choice.latency]) seen.add(chance(seed, session, call, choice));
  expect(seen.size).toBe(54);
  for (const u of seen) expect(u >= 0 && u < 1).toBe(true);
  expect(chance(1, 2, 3, Choice.lost)).toBe(chance(1, 2, 3, Choice.lost));
});

test('is uniform along calls, sessions and seeds, and independent between choices', () => {
  const samples = 20_000;
  const draws: ((n: number) => number)[] = [
    (n) => chance(1, 0, n, Choice.lost),
    (n) => chance(1, n, 0, Choice.lost),
    (n) => chance(n, 0, 0, Choice.lost),
  ];
  for (const draw of draws) {
    const bins = Array.from({ length: 20 }, () => 0);
    for (let n = 0; n < samples; n++) bins[Math.floor(draw(n) * 20)]!++;
    const expected = samples / 20;
    const chiSquare = bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 19 degrees of freedom: 60 is beyond one in a hundred thousand, and the draws never change.
    expect(chiSquare).toBeLessThan(60);
  }
  let both = 0;
  for (let n = 0; n < samples; n++)
    if (chance(1, 0, n, Choice.lost) < 0.5 && chance(1, 0, n, Choice.duplicate) < 0.5) both++;
  expect(Math.abs(both / samples - 0.25)).toBeLessThan(0.02);
});
