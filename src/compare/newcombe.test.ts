import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newcombe } from './newcombe.js';

const proportion = fc
  .tuple(fc.integer({ min: 1, max: 2000 }), fc.nat(2000))
  .map(([total, some]) => ({ count: some % (total + 1), total }));

describe("Newcombe's interval", () => {
  // Newcombe 1998, "Interval estimation for the difference between independent proportions", table II, method 10.
  it.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])('of %i/%i − %i/%i is the published one', (a, m, b, n, low, high) => {
    const found = newcombe({ count: b, total: n }, { count: a, total: m });
    expect(found.difference).toBeCloseTo(a / m - b / n, 12);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  it('mirrors when the sides are swapped, contains the difference and stays within ±1', () => {
    fc.assert(
      fc.property(proportion, proportion, (base, head) => {
        const [there, back] = [newcombe(base, head), newcombe(head, base)];
        expect(back.low).toBeCloseTo(-there.high, 12);
        expect(back.high).toBeCloseTo(-there.low, 12);
        expect(there.low).toBeLessThanOrEqual(there.difference);
        expect(there.high).toBeGreaterThanOrEqual(there.difference);
        expect(Math.max(-there.low, there.high)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('widens with the confidence, and where its variance was estimated', () => {
    fc.assert(
      fc.property(proportion, proportion, (base, head) => {
        const width = (confidence: number, degrees?: number): number => {
          const { low, high } = newcombe(base, head, confidence, degrees);
          return high - low;
        };
        expect(width(0.99)).toBeGreaterThanOrEqual(width(0.9));
        expect(width(0.95, 8)).toBeGreaterThanOrEqual(width(0.95));
      }),
    );
  });

  it('refuses what is no proportion', () => {
    expect(() => newcombe({ count: 1, total: 0 }, { count: 0, total: 1 })).toThrow(RangeError);
    expect(() => newcombe({ count: 2, total: 1 }, { count: 0, total: 1 })).toThrow(RangeError);
  });
});
