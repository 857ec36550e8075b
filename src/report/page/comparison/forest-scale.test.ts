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

  it('has room for the interval of every gate, and for all where nothing is judged', () => {
    const all = ratioScale(rows.map((row) => ({ ...row, gate: null })));
    for (const { interval, scale: kind } of rows)
      if (kind === 'ratio') {
        expect(all.at(interval!.low)).toBeGreaterThan(0);
        expect(all.at(interval!.high)).toBeLessThan(1);
      }
    for (const { interval, scale: kind, gate } of rows)
      if (kind === 'ratio' && gate !== null) {
        expect(scale.at(interval!.low)).toBeGreaterThan(0);
        expect(scale.at(interval!.high)).toBeLessThan(1);
      }
  });

  it('is not widened by what is not judged', () => {
    const wild = rows.map((row) => (row.gate === null ? { ...row, effect: 2.9 } : row));
    expect(ratioScale(wild).at(1.05)).toBe(scale.at(1.05));
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
