import { describe, expect, it } from 'vitest';
import { markdown } from './bench-report.js';
import { median } from '../../src/compare/median.js';
import { makeRow, runRounds } from './rounds.js';

describe('runRounds', () => {
  it('measures all in turn, every other round in reverse, and keeps every value', async () => {
    const order: string[] = [];
    let next = 0;
    const contestants = ['a', 'b', 'c'].map((name) => ({
      name,
      run: async () => {
        order.push(name);
        return { [name]: next++ };
      },
    }));
    const figures = await runRounds(
      contestants,
      3,
      () => {},
      () => () => 0,
    );
    expect(order.join('')).toBe('abccbaabc');
    expect(figures).toEqual({ a: [0, 5, 6], b: [1, 4, 7], c: [2, 3, 8] });
  });
});

describe('makeRow', () => {
  const ratio = { title: 'a ÷ b', of: (round: Record<string, number>) => round['a']! / round['b']! };
  const figures = { a: [10, 40, 90], b: [10, 20, 30] };

  it('takes the ratio within each round and the median of the ratios', () => {
    expect(makeRow(ratio, figures)).toMatchObject({ values: [1, 2, 3], value: 2, goal: null, met: null });
  });

  it.each([
    ['at least', 2, true],
    ['at least', 2.1, false],
    ['at most', 2, true],
    ['at most', 1.9, false],
    ['exactly', 2, true],
    ['exactly', 1, false],
  ] as const)('judges a goal of %s %d', (is, limit, met) => {
    expect(makeRow({ ...ratio, goal: { is, limit } }, figures)!.met).toBe(met);
  });

  it('lets the worst round count where asked to', () => {
    expect(makeRow({ ...ratio, counts: 'largest' }, figures)!.value).toBe(3);
  });

  it.each([
    ['the goal within the spread', [1, 1.3, 0.9], 1.9, null],
    ['the goal beyond the spread', [1, 1.04, 0.99], 1.9, true],
    ['a spread downwards counts as much', [0.8, 1, 1], 1.7, null],
  ] as const)('%s of the same program measured twice', (_, twice, limit, met) => {
    const again = {
      a: [10, 40, 90],
      b: [10, 20, 30],
      'a, again': twice.map((ratio, i) => ratio * [10, 40, 90][i]!),
    };
    const spec = { ...ratio, aa: (round: Record<string, number>) => round['a, again']! / round['a']! };
    const row = makeRow({ ...spec, goal: { is: 'at least', limit } }, again)!;
    expect(row.met).toBe(met);
    row.aa!.forEach((value, i) => expect(value).toBeCloseTo(twice[i]!));
  });

  it('leaves out what was not measured', () => {
    expect(makeRow(ratio, { a: [1] })).toBeNull();
  });
});

describe('markdown', () => {
  it('says what was met, what was missed, and every value', () => {
    const figures = { a: [10, 40, 90], b: [10, 20, 30] };
    const row = (limit: number) =>
      makeRow(
        { title: 'a ÷ b', of: (round) => round['a']! / round['b']!, goal: { is: 'at least', limit } },
        figures,
      )!;
    const machine = {
      cpu: 'C',
      cores: 2,
      memoryBytes: 2 ** 31,
      os: 'O',
      node: 'v20',
      git: null,
      loadBefore: 0.5,
    };
    const about = { name: 'n', title: 'T', date: 'D', machine, seconds: 1, rounds: 3, notes: ['N'] };
    const text = markdown({ ...about, rows: [row(2), row(2.5)], figures });
    expect(text).toContain('| a ÷ b | 2.00 × | ≥ 2.00 × | met        | 1.00 2.00 3.00 |');
    expect(text).toContain('| a ÷ b | 2.00 × | ≥ 2.50 × | **MISSED** | 1.00 2.00 3.00 |');
    expect(text).toContain('| b      | 10.0 20.0 30.0 |');
    expect(text).toContain('- N');
    const noisy = { ...row(2.1), aa: [1.1, 0.95], met: null };
    const withTwin = markdown({ ...about, rows: [noisy], figures });
    expect(withTwin).toMatch(/\| a ÷ b +\| 2\.00 × +\| ≥ 2\.10 × \| within A\/A \|/);
    expect(withTwin).toMatch(/A\/A: the same program twice +\| within 10\.0 % \| +\| +\| 1\.10 0\.950 +\|/);
  });
});

describe('median', () => {
  it('is the middle, or between the two middle ones', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });
});
