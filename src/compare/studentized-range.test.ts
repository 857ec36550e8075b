import { describe, expect, it } from 'vitest';
import { studentQuantile } from './normal-quantile.js';
import { studentizedRange, studentizedRangeQuantile } from './studentized-range.js';

describe('the studentized range', () => {
  // Upper 5 % and 1 % points as in the tables of statistics textbooks: groups, degrees of freedom.
  it.each([
    [2, 2, 6.08, 14.04],
    [3, 5, 4.6, 6.98],
    [3, 10, 3.88, 5.27],
    [4, 12, 4.2, 5.5],
    [5, 20, 4.23, 5.29],
    [6, 30, 4.3, 5.24],
    [8, 40, 4.52, 5.39],
    [10, 60, 4.65, 5.45],
    [12, 120, 4.71, 5.44],
    [20, Infinity, 5.01, 5.65],
  ])('has the published points for %i groups and %d degrees of freedom', (groups, df, five, one) => {
    expect(studentizedRangeQuantile(0.95, groups, df)).toBeCloseTo(five, 2);
    expect(Math.abs(studentizedRangeQuantile(0.99, groups, df) - one)).toBeLessThan(0.0051);
  });

  // scipy 1.17.1, scipy.stats.studentized_range.ppf(0.95), ppf(0.99)
  it.each([
    [2, 3, 4.500658726456356, 8.260293162416069],
    [2, 8, 3.26118232289417, 4.745234270986537],
    [3, 4, 5.040241254983202, 8.119791806342748],
    [4, 2, 9.798045034631867, 22.293745660346644],
    [5, 16, 4.332687844866267, 5.488500457676126],
    [12, 4, 8.208282560052545, 12.840162761756886],
    [12, 8, 6.175337605211584, 8.17569312689087],
    [12, 44, 4.877758977442284, 5.718668851732375],
    [20, 5, 8.208037996648018, 11.93177159253078],
    [60, 3, 13.754087464951585, 24.131977046370537],
    [60, 120, 5.92939285354277, 6.587596536058444],
  ])('agrees with scipy for %i groups and %d degrees of freedom', (groups, df, five, one) => {
    expect(studentizedRangeQuantile(0.95, groups, df) / five).toBeCloseTo(1, 7);
    expect(studentizedRangeQuantile(0.99, groups, df) / one).toBeCloseTo(1, 7);
  });

  // scipy 1.17.1, scipy.stats.studentized_range.cdf, also for the broken degrees of freedom of Welch.
  it.each([
    [0.01, 2, 5, 0.005368395607296532],
    [0.5, 3, 4, 0.06548714953027497],
    [1, 2, 8, 0.5004241056367411],
    [2, 5, 10, 0.3669177374726362],
    [3, 60, 6.3, 0.048215844621837776],
    [3.5, 12, 44, 0.6186286800818306],
    [4.9, 12, 44, 0.9519460005948195],
    [6, 12, 4.2, 0.870389567606365],
    [10, 4, 2.7, 0.9766663198279529],
  ])('is below %d, of %i groups and %d degrees of freedom, as often as scipy says', (q, groups, df, p) => {
    expect(studentizedRange(q, groups, df)).toBeCloseTo(p, 8);
  });

  it('of two groups is Student’s t, times the root of two', () => {
    for (const df of [1, 2, 4.5, 8, 30])
      expect(studentizedRangeQuantile(0.95, 2, df) / Math.SQRT2 / studentQuantile(0.975, df)).toBeCloseTo(
        1,
        8,
      );
  });

  it('is nothing below zero and all at infinity', () => {
    expect([0, -1, Infinity].map((q) => studentizedRange(q, 3, 5))).toEqual([0, 0, 1]);
    expect(() => studentizedRange(1, 1, 5)).toThrow('two groups');
    expect(() => studentizedRange(1, 2, 0)).toThrow('degrees of freedom');
  });
});
