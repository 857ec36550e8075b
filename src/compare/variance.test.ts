import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from './seeded-random.js';
import { betweenRunVariation } from './variance.js';

describe('the variation between runs', () => {
  it('is the standard deviation of the logarithm, as a coefficient of variation with its chi-squared interval', () => {
    const logs = [0.01, -0.02, 0.03, 0, -0.01];
    const found = betweenRunVariation([logs.map((log) => 20 * Math.exp(log))])!;
    const mean = 0.002;
    const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / 4;
    expect(found.sdLog).toBeCloseTo(Math.sqrt(variance), 12);
    expect(found.cv).toBeCloseTo(Math.sqrt(Math.exp(variance) - 1), 12);
    // χ² at 4 degrees of freedom: 0.4844 and 11.1433.
    expect(found.low).toBeCloseTo(Math.sqrt((4 * variance) / 11.1433), 5);
    expect(found.high).toBeCloseTo(Math.sqrt((4 * variance) / 0.4844), 4);
    expect(found.degreesOfFreedom).toBe(4);
  });

  it('does not mind different means or units of the groups', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 2, noNaN: true }), { minLength: 2, maxLength: 9 }),
        fc.double({ min: 0.1, max: 1000, noNaN: true }),
        (group, factor) => {
          const alone = betweenRunVariation([group])!;
          const twice = betweenRunVariation([group, group.map((value) => value * factor)])!;
          expect(twice.cv).toBeCloseTo(alone.cv, 9);
          expect(twice.degreesOfFreedom).toBe(2 * alone.degreesOfFreedom);
          expect(twice.low).toBeLessThanOrEqual(twice.cv);
          expect(twice.high).toBeGreaterThanOrEqual(twice.cv);
        },
      ),
    );
  });

  it('covers the true value as often as it says (seeded)', () => {
    const random = seededRandom(7);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let covered = 0;
    for (let i = 0; i < 2000; i++) {
      const group = Array.from({ length: 6 }, () => Math.exp(0.03 * normal()));
      const { low, high } = betweenRunVariation([group], 0.9)!;
      if (low <= 0.03 && 0.03 <= high) covered++;
    }
    expect(covered / 2000).toBeGreaterThan(0.88);
    expect(covered / 2000).toBeLessThan(0.92);
  });

  it('is zero for equal runs, and unknown without two runs or without finite logarithms', () => {
    expect(betweenRunVariation([[5, 5, 5]])).toMatchObject({ cv: 0, low: 0, high: 0 });
    expect(betweenRunVariation([[5], [6], []])).toBeUndefined();
    expect(betweenRunVariation([[5, Infinity, 6]])).toBeUndefined();
    expect(betweenRunVariation([[5, 0]])).toBeUndefined();
  });
});
