import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashSeed, Random } from './random.js';

test('the same seed gives the same values, another seed others', () => {
  const values = (seed: number): number[] => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.uint32());
  };
  expect(values(1)).toEqual(values(1));
  expect(new Set([1, 2, 3, 2 ** 32, 2 ** 40 + 1].flatMap(values)).size).toBe(100);
});

test('the values are fixed for good: results name a seed', () => {
  const random = new Random(1);
  expect([random.uint32(), random.int(1, 20), random.next()]).toMatchInlineSnapshot(`
    [
      1779833415,
      10,
      0.3868573661893606,
    ]
  `);
  expect(hashSeed(1, 2, 3)).toMatchInlineSnapshot(`4984868526712758`);
});

test('whole numbers stay within their bounds and reach both of them', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer(), fc.nat(5), (seed, min, span) => {
      const random = new Random(seed);
      const seen = new Set(Array.from({ length: 200 }, () => random.int(min, min + span)));
      expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: span + 1 }, (_, i) => min + i));
    }),
  );
  const wide = new Random(7);
  for (let i = 0; i < 100; i++) expect(Number.isSafeInteger(wide.int(0, 2 ** 52))).toBe(true);
});

test('next is even over [0, 1)', () => {
  const random = new Random(3);
  const buckets = Array.from({ length: 10 }, () => 0);
  for (let i = 0; i < 100_000; i++) buckets[Math.floor(random.next() * 10)]! += 1;
  for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});

test('seeds made of several numbers do not collide and depend on every one and on their order', () => {
  const seeds = new Set<number>();
  for (let a = 0; a < 100; a++) for (let b = 0; b < 100; b++) seeds.add(hashSeed(a, b));
  expect(seeds.size).toBe(10_000);
  expect(hashSeed(1)).not.toBe(hashSeed(1, 0));
  for (const seed of seeds) expect(Number.isSafeInteger(seed)).toBe(true);
});
