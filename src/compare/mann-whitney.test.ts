import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hodgesLehmann } from './hodges-lehmann.js';
import { criticalU, lowerTailOfU, mannWhitney, rankInterval } from './mann-whitney.js';

/** Counts, for each u, the ways to choose which n of n + m ranks belong to one side. */
function enumerate(n: number, m: number): number[] {
  const ways = Array.from({ length: n * m + 1 }, () => 0);
  const choose = (rank: number, left: number, u: number, passed: number): void => {
    if (left === 0) {
      ways[u]!++;
      return;
    }
    if (rank + left > n + m) return;
    choose(rank + 1, left - 1, u + passed, passed);
    choose(rank + 1, left, u, passed + 1);
  };
  choose(0, n, 0, 0);
  return ways;
}

/** The same counts by the textbook recursion, in whole numbers of any size. */
function count(n: number, m: number): bigint[] {
  let rows: bigint[][] = Array.from({ length: m + 1 }, () => [1n]);
  for (let i = 1; i <= n; i++) {
    const next: bigint[][] = [[1n]];
    for (let j = 1; j <= m; j++)
      next.push(
        Array.from({ length: i * j + 1 }, (_, u) => (rows[j]![u - j] ?? 0n) + (next[j - 1]![u] ?? 0n)),
      );
    rows = next;
  }
  return rows[m]!;
}

describe('the distribution of U', () => {
  it('equals a count of all arrangements, for all sizes up to 8 against 8', () => {
    for (let n = 1; n <= 8; n++)
      for (let m = 1; m <= 8; m++) {
        const ways = enumerate(n, m);
        const all = ways.reduce((sum, way) => sum + way, 0);
        let below = 0;
        lowerTailOfU(n, m).forEach((p, u) => {
          below += ways[u]!;
          expect(p).toBeCloseTo(below / all, 13);
        });
      }
  });

  it('keeps its relative precision in the tail where counts no longer fit a double', () => {
    for (const [n, m] of [
      [30, 30],
      [12, 45],
      [50, 40],
    ] as const) {
      const ways = count(n, m);
      const all = Number(ways.reduce((sum, way) => sum + way, 0n));
      let below = 0n;
      lowerTailOfU(n, m).forEach((p, u) => {
        below += ways[u]!;
        expect(Math.abs(p / (Number(below) / all) - 1)).toBeLessThan(1e-11);
      });
    }
  });

  it('needs a value on each side', () => {
    expect(() => lowerTailOfU(0, 3)).toThrow(RangeError);
    expect(() => lowerTailOfU(3, 1.5)).toThrow(RangeError);
  });
});

// Two-tailed critical values as the common tables print them (n down, m = 3 … 20 across; −1 where they have a dash). Some tables have 13
// for 4/20 and 67 for 14/17, where the distribution, counted out, gives 14 and 69.
const at5Percent: Record<number, number[]> = {
  3: [-1, -1, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8],
  4: [-1, 0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 13, 14],
  5: [0, 1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17, 18, 19, 20],
  6: [1, 2, 3, 5, 6, 8, 10, 11, 13, 14, 16, 17, 19, 21, 22, 24, 25, 27],
  7: [1, 3, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34],
  8: [2, 4, 6, 8, 10, 13, 15, 17, 19, 22, 24, 26, 29, 31, 34, 36, 38, 41],
  9: [2, 4, 7, 10, 12, 15, 17, 20, 23, 26, 28, 31, 34, 37, 39, 42, 45, 48],
  10: [3, 5, 8, 11, 14, 17, 20, 23, 26, 29, 33, 36, 39, 42, 45, 48, 52, 55],
  12: [4, 7, 11, 14, 18, 22, 26, 29, 33, 37, 41, 45, 49, 53, 57, 61, 65, 69],
  14: [5, 9, 13, 17, 22, 26, 31, 36, 40, 45, 50, 55, 59, 64, 69, 74, 78, 83],
  15: [5, 10, 14, 19, 24, 29, 34, 39, 44, 49, 54, 59, 64, 70, 75, 80, 85, 90],
  20: [8, 14, 20, 27, 34, 41, 48, 55, 62, 69, 76, 83, 90, 98, 105, 112, 119, 127],
};

describe('critical values', () => {
  it('are the published ones at 5 %', () => {
    for (const [n, row] of Object.entries(at5Percent))
      expect(row.map((_, i) => criticalU(Number(n), i + 3, 0.05))).toEqual(row);
  });

  it('are the published ones at 1 % and 10 %', () => {
    expect([5, 6, 7, 8, 9, 10].map((n) => criticalU(n, n, 0.01))).toEqual([0, 2, 4, 7, 11, 16]);
    expect([3, 4, 5, 6, 7, 8, 9, 10].map((n) => criticalU(n, n, 0.1))).toEqual([0, 1, 4, 7, 11, 15, 21, 27]);
  });

  it('never cross the middle', () => {
    for (let n = 1; n <= 6; n++)
      for (let m = 1; m <= 6; m++) {
        const interval = rankInterval(n, m, 0.01);
        if (interval) expect(2 * interval.rank).toBeLessThanOrEqual(n * m + 1);
      }
  });
});

describe('rank intervals', () => {
  it('are those the method names: ranks and exact confidence', () => {
    const percent = (n: number): [number | undefined, string] => {
      const interval = rankInterval(n, n, 0.95);
      return [interval?.rank, (100 * (interval?.confidence ?? 0)).toFixed(1)];
    };
    expect(percent(4)).toEqual([1, '97.1']);
    expect(percent(5)).toEqual([3, '96.8']);
    expect(percent(6)).toEqual([6, '95.9']);
  });

  it('do not exist for too few values', () => {
    expect(rankInterval(3, 3, 0.95)).toBeUndefined();
    expect(rankInterval(3, 3, 0.9)).toEqual({ rank: 1, confidence: expect.closeTo(0.9, 12) });
    expect(rankInterval(1, 38, 0.95)).toBeUndefined();
    expect(rankInterval(1, 39, 0.95)?.rank).toBe(1);
  });

  it('widen with the confidence asked for, and give at least that', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 15 }),
        fc.integer({ min: 3, max: 15 }),
        fc.double({ min: 0.5, max: 0.99, noNaN: true }),
        fc.double({ min: 0.5, max: 0.99, noNaN: true }),
        (n, m, c1, c2) => {
          const [wide, narrow] = [rankInterval(n, m, Math.max(c1, c2)), rankInterval(n, m, Math.min(c1, c2))];
          if (wide === undefined) return;
          expect(wide.rank).toBeLessThanOrEqual(narrow!.rank);
          expect(wide.confidence).toBeGreaterThanOrEqual(Math.max(c1, c2) - 1e-12);
        },
      ),
    );
  });
});

const coarse = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 4, maxLength: 9 });

describe('the rank test', () => {
  it('has its level: over all arrangements, p ≤ α in at most α of them, and p is the exact tail', () => {
    for (const [n, m] of [
      [4, 4],
      [5, 5],
      [4, 6],
    ] as const) {
      const values = Array.from({ length: n + m }, (_, i) => i + 1);
      const pValues: number[] = [];
      for (let mask = 0; mask < 1 << (n + m); mask++) {
        const base = values.filter((_, i) => mask & (1 << i));
        if (base.length !== n) continue;
        pValues.push(
          mannWhitney(
            base,
            values.filter((_, i) => !(mask & (1 << i))),
          ).pValue,
        );
      }
      for (const p of new Set(pValues)) {
        const share = pValues.filter((other) => other <= p + 1e-12).length / pValues.length;
        expect(share).toBeLessThanOrEqual(p + 1e-12);
        if (p < 0.9) expect(share).toBeCloseTo(p, 12);
      }
    }
  });

  it('rejects exactly when the interval excludes no change, ties or not', () => {
    fc.assert(
      fc.property(coarse, coarse, (base, head) => {
        const { interval } = hodgesLehmann(base, head, { decision: 0.95 });
        const excludes = interval!.low > 1 || interval!.high < 1;
        expect(mannWhitney(base, head).pValue <= 0.05).toBe(excludes);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not care which side is which', () => {
    fc.assert(
      fc.property(coarse, coarse, (base, head) => {
        const [there, back] = [mannWhitney(base, head), mannWhitney(head, base)];
        expect(back.pValue).toBe(there.pValue);
        expect(back.notAbove).toBe(there.notBelow);
        expect(there.notAbove + there.notBelow - there.ties).toBe(base.length * head.length);
      }),
    );
  });

  it('finds nothing in equal values, and refuses NaN', () => {
    expect(mannWhitney([7, 7, 7, 7], [7, 7, 7, 7])).toMatchObject({ pValue: 1, ties: 16 });
    expect(() => mannWhitney([1, Number.NaN], [1])).toThrow(RangeError);
  });
});
