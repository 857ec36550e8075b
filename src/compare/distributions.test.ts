import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaQuantile, incompleteBeta } from './incomplete-beta.js';
import { chiSquaredQuantile, incompleteGamma } from './incomplete-gamma.js';
import { logGamma } from './log-gamma.js';
import { criticalValue, normalQuantile, studentQuantile } from './normal-quantile.js';

describe('special functions', () => {
  it('give factorials and half-integer values of the gamma function', () => {
    let logFactorial = 0;
    for (let n = 1; n <= 170; n++) {
      expect(logGamma(n)).toBeCloseTo(logFactorial, 10);
      logFactorial += Math.log(n);
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
    expect(logGamma(1e-10)).toBeCloseTo(-Math.log(1e-10), 8);
  });

  it('give binomial sums for the incomplete beta function', () => {
    for (const n of [1, 5, 20, 40])
      for (const p of [0.01, 0.3, 0.5, 0.9]) {
        let term = (1 - p) ** n;
        let below = 0;
        for (let k = 0; k < n; k++) {
          below += term;
          // P(X ≤ k) = 1 − I_p(k + 1, n − k)
          expect(1 - incompleteBeta(p, k + 1, n - k)).toBeCloseTo(below, 12);
          term *= ((n - k) / (k + 1)) * (p / (1 - p));
        }
      }
  });

  it('give Poisson sums for the incomplete gamma function', () => {
    for (const x of [0.2, 1, 5, 30]) {
      let term = Math.exp(-x);
      let below = 0;
      for (let k = 0; k < 50; k++) {
        below += term;
        expect(1 - incompleteGamma(k + 1, x)).toBeCloseTo(below, 12);
        term *= x / (k + 1);
      }
    }
  });

  it('end, also where there is nothing to find', () => {
    expect(incompleteGamma(0.5, Infinity)).toBe(1);
    expect(incompleteGamma(0.5, 1e300)).toBe(1);
    expect(() => incompleteGamma(0.5, Number.NaN)).toThrow('did not converge');
  });

  it('are inverted by their quantiles', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.double({ min: 0.5, max: 2000, noNaN: true }),
        fc.double({ min: 0.5, max: 2000, noNaN: true }),
        (p, a, b) => {
          expect(incompleteBeta(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 9);
          expect(incompleteGamma(a, chiSquaredQuantile(p, 2 * a) / 2)).toBeCloseTo(p, 9);
        },
      ),
    );
  });
});

describe('quantiles', () => {
  it('are those of the printed tables', () => {
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963985, 8);
    expect(normalQuantile(0.05)).toBeCloseTo(-1.644853627, 8);
    expect(normalQuantile(0.9995)).toBeCloseTo(3.290526731, 8);
    expect(studentQuantile(0.975, 1)).toBeCloseTo(12.7062, 4);
    expect(studentQuantile(0.975, 8)).toBeCloseTo(2.306, 4);
    expect(studentQuantile(0.95, 30)).toBeCloseTo(1.6973, 4);
    expect(chiSquaredQuantile(0.95, 10)).toBeCloseTo(18.307, 3);
    expect(chiSquaredQuantile(0.025, 4)).toBeCloseTo(0.4844, 4);
    expect(chiSquaredQuantile(0.99, 1)).toBeCloseTo(6.6349, 4);
  });

  it('of Student approach the normal ones', () => {
    expect(studentQuantile(0.9, Infinity)).toBe(normalQuantile(0.9));
    expect(studentQuantile(0.9, 1e7)).toBeCloseTo(normalQuantile(0.9), 6);
    expect(studentQuantile(0.1, 5)).toBe(-studentQuantile(0.9, 5));
    expect(criticalValue(0.9, 5)).toBeCloseTo(2.015, 3);
    expect(criticalValue(0.95)).toBeCloseTo(1.96, 3);
  });
});
