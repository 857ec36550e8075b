import { describe, expect, it } from 'vitest';
import { comparisons } from '../../../compare/comparison.fixture.js';
import { differenceScale, ratioScale } from './forest-scale.js';

describe('ratioScale', () => {
  const { rows } = comparisons['regression']!();
  const scale = ratioScale(rows);

  it('has no change in the middle, and double as far from it as half', () => {
    expect(scale.at(1)).toBe(0.5);
    expect(scale.at(1.1) - 0.5).toBeCloseTo(0.5 - scale.at(1 / 1.1));
  });

  it('has room for every interval', () => {
    for (const { interval, scale: kind } of rows)
      if (kind === 'ratio') {
        expect(scale.at(interval!.low)).toBeGreaterThan(0);
        expect(scale.at(interval!.high)).toBeLessThan(1);
      }
  });

  it('has round ticks on both sides', () => {
    expect(scale.ticks.map(({ text }) => text).sort()).toEqual(['+10 %', '+5 %', '0', '−10 %', '−5 %']);
  });

  it('ends where nobody reads on, for what is endless too', () => {
    const endless = ratioScale(rows.map((row) => ({ ...row, effect: Infinity })));
    expect(endless.at(Infinity)).toBe(1);
    expect(endless.at(0)).toBe(0);
    expect(endless.at(1.05)).toBeGreaterThan(0.52);
  });
});

describe('differenceScale', () => {
  it('is straight, around nothing', () => {
    const { rows } = comparisons['errors']!();
    const scale = differenceScale(rows);
    const { interval } = rows.find(({ metric }) => metric === 'errors')!;
    expect(scale.at(0)).toBe(0.5);
    expect(scale.at(interval!.high)).toBeGreaterThan(scale.at(interval!.low));
    expect(scale.at(interval!.high)).toBeLessThan(1);
  });
});
