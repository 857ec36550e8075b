import { describe, expect, it } from 'vitest';
import { mannWhitney } from './mann-whitney.js';
import { seededRandom } from './seeded-random.js';
import { studentizedRangeQuantile } from './studentized-range.js';
import { compareTable, limits } from './table-comparison.js';

const wobble = [0.98, 1.01, 1, 1.02, 0.99];
const shifted = [1.01, 0.985, 1.005, 0.99, 1.012];

describe('a table', () => {
  it('tells apart what differs by more than the rounds do, and gives an interval that agrees', () => {
    const table = compareTable([wobble, shifted, wobble.map((value) => value * 1.3)])!;
    expect([table.differ(0, 1), table.differ(0, 2), table.differ(2, 1)]).toEqual([false, true, true]);
    const far = table.ratio(0, 2);
    expect(far.ratio).toBeCloseTo(1.3, 10);
    expect(far.interval.low).toBeGreaterThan(1);
    const near = table.ratio(0, 1).interval;
    expect(near.low).toBeLessThan(1);
    expect(near.high).toBeGreaterThan(1);
  });

  it('takes out what a round did to all', () => {
    const rounds = [1, 3, 0.4, 7, 2];
    const noisy = [wobble, shifted.map((value) => value * 1.3)].map((row) =>
      row.map((value, round) => value * rounds[round]!),
    );
    expect(mannWhitney(noisy[0]!, noisy[1]!).pValue).toBeGreaterThan(0.5);
    expect(compareTable(noisy)!.differ(0, 1)).toBe(true);
  });

  it('does not borrow the quiet of the others for one that is noisy', () => {
    const quiet = [1, 1.001, 0.999, 1.0005, 0.9995];
    // Its mean is 20 % above theirs, and so is its own noise: pooled with eleven quiet ones that would be certain.
    const noisy = [1, 1.6, 0.9, 1.7, 0.95];
    const table = compareTable([...Array.from({ length: 11 }, () => quiet), noisy])!;
    expect(table.differ(0, 11)).toBe(false);
  });

  it('calls nothing different that agrees to a bucket of the histogram', () => {
    const row = (value: number): number[] => [value, value, value, value, value];
    expect(compareTable([row(1), row(1 + 1 / 2048)])!.differ(0, 1)).toBe(false);
    expect(compareTable([row(1), row(1)])!.differ(0, 1)).toBe(false);
    expect(compareTable([row(1), row(1.02)])!.differ(0, 1)).toBe(true);
  });

  it('tells nobody apart whom a disturbance could have moved', () => {
    const values = [wobble, shifted.map((value) => value * 1.3)];
    const table = (below: number, above: number): ReturnType<typeof compareTable> =>
      compareTable(values, 0.95, { below: [0, Math.log(below)], above: [Math.log(above), 0] });
    expect(table(1, 1)!.differ(0, 1)).toBe(true);
    expect(table(1.3, 1)!.differ(0, 1)).toBe(false);
    expect(table(1, 1.3)!.differ(1, 0)).toBe(false);
    expect(table(1.3, 1)!.ratio(0, 1).interval.low).toBeLessThan(1);
    // A doubt that could only make the difference larger takes nothing from it.
    const away = compareTable(values, 0.95, { below: [Math.log(2), 0], above: [0, Math.log(2)] })!;
    expect(away.differ(0, 1)).toBe(true);
    expect(away.ratio(0, 1).interval.low).toBeGreaterThan(1);
  });

  it('needs two rows and four rounds', () => {
    expect(compareTable([wobble])).toBeUndefined();
    expect(compareTable([])).toBeUndefined();
    expect(compareTable([wobble.slice(2), shifted.slice(2)])).toBeUndefined();
  });
});

it.each([
  [2, 3],
  [2, 4],
  [12, 3],
  [12, 4],
  [12, 9],
  [40, 4],
])('limits between the degrees of freedom of one row and of two: %i rows, %i in one', (groups, ofOneRow) => {
  const limitAt = limits(0.95, groups, ofOneRow);
  for (const factor of [1, 1.1, 1.25, 1.6, 1.9, 2]) {
    const exact = studentizedRangeQuantile(0.95, groups, ofOneRow * factor);
    expect(Math.abs(limitAt(ofOneRow * factor) / exact - 1)).toBeLessThan(1e-3);
  }
});

// The same by larger numbers, other noise and other sizes: `npm run simulate`.
describe('12 equal targets in 5 rounds, simulated (seeded)', () => {
  const tables = 2000;
  const random = seededRandom(12);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const draw = (): number[][] => {
    const row = (): number[] => Array.from({ length: 5 }, () => Math.exp(0.025 * normal()));
    return Array.from({ length: 12 }, row);
  };
  const pairs = Array.from({ length: 12 }, (_, a) =>
    Array.from({ length: a }, (_, b) => [a, b] as const),
  ).flat();
  const made = Array.from({ length: tables }, draw);

  it('a false claim in at most 2 % of the tables, where single rank tests make one in every other', () => {
    const falseTables = made.filter((values) => {
      const table = compareTable(values)!;
      return pairs.some(([a, b]) => table.differ(a, b));
    }).length;
    expect(falseTables / tables).toBeLessThanOrEqual(0.02);
    const quick = made.slice(0, 200);
    const uncorrected = quick.filter((values) =>
      pairs.some(([a, b]) => mannWhitney(values[a]!, values[b]!).pValue <= 0.0317461),
    ).length;
    expect(uncorrected / quick.length).toBeGreaterThan(0.3);
  });

  it('one that is 15 % slower is told from each of the others in 94 % and more', () => {
    let found = 0;
    for (const values of made.slice(0, 300)) {
      const table = compareTable([...values.slice(1), values[0]!.map((value) => value * 1.15)])!;
      for (let other = 0; other < 11; other++) if (table.differ(other, 11)) found++;
    }
    expect(found / (11 * 300)).toBeGreaterThan(0.94);
  });
});
