import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareErrorRates, judgeErrorRates } from './error-rate.js';
import { newcombe } from './newcombe.js';
import type { Proportion } from './newcombe.js';

const of = (total: number, ...counts: number[]): Proportion[] => counts.map((count) => ({ count, total }));

describe('error rates', () => {
  it("are compared by Newcombe's interval over all calls where runs differ no more than chance would have it", () => {
    const found = compareErrorRates(of(1000, 10, 12, 8, 11, 9), of(1000, 14, 15, 13, 16, 12));
    expect(found.dispersion).toBe(1);
    expect(found.difference).toBeCloseTo(0.004, 12);
    const plain = newcombe({ count: 50, total: 5000 }, { count: 70, total: 5000 }, 0.96);
    expect(found.interval).toEqual({ low: plain.low, high: plain.high, confidence: 0.96 });
  });

  it('do not take one bad run for a regression', () => {
    const [base, head] = [of(10_000, 0, 0, 0, 0, 0), of(10_000, 50, 0, 0, 0, 0)];
    const pooled = newcombe({ count: 0, total: 50_000 }, { count: 50, total: 50_000 });
    expect(pooled.low).toBeGreaterThan(0);
    const found = compareErrorRates(base, head);
    // Pearson: (40² + 4·10²)/(10·0.999) over 4 degrees of freedom, as the other side shows nothing.
    expect(found.dispersion).toBeCloseTo(2000 / (10 * 0.999) / 4, 9);
    expect(found.interval.low).toBeLessThan(0);
    expect(judgeErrorRates(found, 0.001)).toBe('inconclusive');
  });

  it('take the same failures in every run for one', () => {
    const found = compareErrorRates(of(10_000, 0, 0, 0, 0, 0), of(10_000, 50, 52, 47, 49, 55));
    expect(judgeErrorRates(found, 0.001)).toBe('regression');
    const back = compareErrorRates(of(10_000, 50, 52, 47, 49, 55), of(10_000, 0, 0, 0, 0, 0));
    expect(judgeErrorRates(back, 0.001)).toBe('improvement');
    expect(judgeErrorRates(found, 0.01)).toBe('slower, size uncertain');
  });

  it('say "no change" where nothing failed, however short the runs', () => {
    expect(judgeErrorRates(compareErrorRates(of(10, 0, 0), of(10, 0, 0)), 0.001)).toBe('no change');
    expect(judgeErrorRates(compareErrorRates(of(10, 0, 0), of(10, 0, 1)), 0.001)).toBe('inconclusive');
    expect(judgeErrorRates(compareErrorRates(of(50_000, 3, 2), of(50_000, 2, 4)), 0.001)).toBe('no change');
  });

  it('measure a change against the failures there were, where calls fail all the time', () => {
    const same = compareErrorRates(of(5000, 250, 240, 260, 255, 245), of(5000, 252, 243, 258, 250, 249));
    expect(judgeErrorRates(same, 0.001)).toBe('no change');
    const more = compareErrorRates(of(5000, 250, 240, 260, 255, 245), of(5000, 290, 280, 300, 295, 285));
    expect(more.difference).toBeCloseTo(0.008, 12);
    expect(judgeErrorRates(more, 0.001)).toBe('slower, size uncertain');
    const many = compareErrorRates(of(5000, 250, 240, 260, 255, 245), of(5000, 320, 310, 330, 325, 315));
    expect(judgeErrorRates(many, 0.001)).toBe('regression');
  });

  it('know that one run a side hides what runs differ by', () => {
    expect(compareErrorRates(of(100, 1), of(100, 2))).toMatchObject({ seesRuns: false, dispersion: 1 });
    expect(compareErrorRates(of(100, 1, 1), of(100, 2, 3)).seesRuns).toBe(true);
    expect(() => compareErrorRates([], of(100, 2))).toThrow(RangeError);
  });

  it('mirror when the sides are swapped, and never narrow by dispersion', () => {
    const side = fc.array(fc.nat(200), { minLength: 2, maxLength: 6 }).map((counts) => of(1000, ...counts));
    fc.assert(
      fc.property(side, side, (base, head) => {
        const [there, back] = [compareErrorRates(base, head), compareErrorRates(head, base)];
        expect(back.interval.low).toBeCloseTo(-there.interval.high, 9);
        expect(there.dispersion).toBeGreaterThanOrEqual(1);
        const sum = (runs: Proportion[]): Proportion => ({
          count: runs.reduce((total, run) => total + run.count, 0),
          total: 1000 * runs.length,
        });
        const plain = newcombe(sum(base), sum(head), 0.96);
        const widths = [there.interval, plain].map(({ low, high }) => high - low);
        expect(widths[0]).toBeGreaterThanOrEqual(widths[1]! - 1e-12);
      }),
    );
  });
});
