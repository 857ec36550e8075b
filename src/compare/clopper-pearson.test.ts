import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clopperPearson } from './clopper-pearson.js';

function binomialTail(n: number, p: number, holds: (k: number) => boolean): number {
  let term = (1 - p) ** n;
  let sum = 0;
  for (let k = 0; k <= n; k++) {
    if (holds(k)) sum += term;
    term *= ((n - k) / (k + 1)) * (p / (1 - p));
  }
  return sum;
}

describe('the Clopper–Pearson interval', () => {
  it.each([
    // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I.
    [81, 263, 0.2527, 0.3676],
    [15, 148, 0.0578, 0.1617],
    [0, 20, 0, 0.1684],
    [1, 29, 0.0009, 0.1776],
    // R's binom.test on Mendel's peas, and the common tables for n = 10.
    [682, 925, 0.7077, 0.7654],
    [0, 10, 0, 0.3085],
    [1, 10, 0.0025, 0.445],
    [5, 10, 0.1871, 0.8129],
    [10, 10, 0.6915, 1],
  ])('of %i in %i is the published one', (count, total, low, high) => {
    const interval = clopperPearson(count, total);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('stays exact for rare events in many trials', () => {
    // Documented example of the R package GenBinomApps: one-sided upper limit at 95 %.
    expect(clopperPearson(5, 100_000, 0.9).high).toBeCloseTo(0.0001051275, 10);
    expect(clopperPearson(50_000, 10_000_000).low).toBeGreaterThan(0.0049);
  });

  it('ends where the binomial tails are exactly half of the error, and covers as often as it says', () => {
    for (const n of [5, 12, 40]) {
      for (let k = 1; k < n; k++) {
        const { low, high } = clopperPearson(k, n);
        expect(binomialTail(n, low, (x) => x >= k)).toBeCloseTo(0.025, 9);
        expect(binomialTail(n, high, (x) => x <= k)).toBeCloseTo(0.025, 9);
      }
      for (let p = 0.01; p < 1; p += 0.01) {
        const covered = binomialTail(n, p, (x) => {
          const { low, high } = clopperPearson(x, n);
          return low <= p && p <= high;
        });
        expect(covered).toBeGreaterThanOrEqual(0.95 - 1e-9);
      }
    }
  });

  it('mirrors when successes and failures are swapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (total, some) => {
        const count = some % (total + 1);
        const [one, other] = [clopperPearson(count, total), clopperPearson(total - count, total)];
        expect(one.low).toBeCloseTo(1 - other.high, 12);
        expect(one.low).toBeLessThanOrEqual(count / total);
      }),
    );
  });

  it('refuses what is no proportion', () => {
    expect(() => clopperPearson(3, 2)).toThrow(RangeError);
    expect(() => clopperPearson(0, 0)).toThrow(RangeError);
    expect(() => clopperPearson(0.5, 2)).toThrow(RangeError);
  });
});
