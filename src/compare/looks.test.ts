import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alphaForLook } from './looks.js';
import { rankInterval } from './mann-whitney.js';

it('divides the error over the looks that are left, with what earlier ones left unspent', () => {
  expect(alphaForLook(0.05, 1, [])).toBe(0.05);
  expect(alphaForLook(0.06, 3, [])).toBeCloseTo(0.02, 12);
  expect(alphaForLook(0.06, 3, [0.02, 0.02])).toBeCloseTo(0.02, 12);
  expect(alphaForLook(0.06, 3, [0.008])).toBeCloseTo(0.026, 12);
  expect(() => alphaForLook(0.05, 2, [0.01, 0.01])).toThrow(RangeError);
});

it('never spends more than there is, with the ranks that real looks have', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 0.1, noNaN: true }),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
      (total, added) => {
        const spent: number[] = [];
        let runs = 4;
        for (const more of added) {
          const alpha = alphaForLook(total, added.length, spent);
          const interval = rankInterval(runs, runs, 1 - alpha);
          spent.push(interval === undefined ? 0 : 1 - interval.confidence);
          runs += more;
        }
        expect(spent.reduce((sum, alpha) => sum + alpha, 0)).toBeLessThanOrEqual(total + 1e-9);
      },
    ),
  );
});
