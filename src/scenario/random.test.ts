import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

describe('seek', () => {
  const valuesAt = (seed: number, place: number, count = 3): number[] => {
    const random = new Random(seed);
    for (let i = 0; i < place % 7; i++) random.uint32();
    random.seek(place);
    return Array.from({ length: count }, () => random.uint32());
  };

  test('the values depend on the seed and the place alone, and are fixed for good', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(), (seed, place) => {
        const random = new Random(seed);
        random.seek(place + 1);
        random.seek(place);
        expect(Array.from({ length: 3 }, () => random.uint32())).toEqual(valuesAt(seed, place));
      }),
    );
    expect(valuesAt(1, 5)).toMatchInlineSnapshot(`
      [
        3998283269,
        3492573743,
        1592307229,
      ]
    `);
    expect(valuesAt(1, 2 ** 40 + 5)).not.toEqual(valuesAt(1, 5));
    expect(valuesAt(2, 5)).not.toEqual(valuesAt(1, 5));
  });

  test('near places have unrelated values: even, and no draw goes with its neighbours', () => {
    for (const [draws, seed] of [
      [1, 1],
      [2, 1],
      [3, 1],
      [1, 2],
    ] as const) {
      const values = Array.from({ length: 50_000 }, (_, place) => valuesAt(seed, place, draws).at(-1)!);
      expect(new Set(values).size, 'collisions are as rare as chance has them').toBeGreaterThan(49_960);
      // Every pair of bytes of neighbours: chi-square of 16 × 16 cells, 255 degrees of freedom; five standard deviations.
      for (const shift of [0, 14, 28]) {
        const cells = Array.from({ length: 256 }, () => 0);
        for (let i = 1; i < values.length; i++)
          cells[((values[i - 1]! >>> shift) & 15) * 16 + ((values[i]! >>> shift) & 15)]!++;
        const expected = (values.length - 1) / 256;
        const chiSquare = cells.reduce((sum, cell) => sum + (cell - expected) ** 2 / expected, 0);
        expect(Math.abs(chiSquare - 255)).toBeLessThan(5 * Math.sqrt(2 * 255));
      }
    }
  });
});
