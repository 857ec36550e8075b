import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hodgesLehmann } from './hodges-lehmann.js';

const runs = fc.array(fc.double({ min: 0.5, max: 500, noNaN: true }), { minLength: 4, maxLength: 10 });

describe('the Hodges–Lehmann ratio', () => {
  it('is the median of all pairwise ratios, with the ranks the method names', () => {
    const base = [20, 20.5, 19.8, 20.2, 21];
    const head = [22, 22.4, 21.9, 23, 22.1];
    const ratios = base.flatMap((b) => head.map((h) => h / b)).sort((x, y) => x - y);
    const { ratio, interval, equivalence, tiedPairs } = hodgesLehmann(base, head);
    expect(ratio).toBeCloseTo(ratios[12]!, 12);
    expect(interval!.low).toBeCloseTo(ratios[2]!, 12);
    expect(interval!.high).toBeCloseTo(ratios[22]!, 12);
    expect(interval!.confidence).toBeCloseTo(1 - 8 / 252, 12);
    expect(equivalence!.low).toBeCloseTo(ratios[4]!, 12);
    expect(equivalence!.high).toBeCloseTo(ratios[20]!, 12);
    expect(tiedPairs).toBe(0);
  });

  it('takes min to max of 16 for four runs a side', () => {
    const base = [10, 11, 12, 13];
    const head = [10, 12, 14, 16];
    const { interval, ratio } = hodgesLehmann(base, head);
    expect(interval!.low).toBeCloseTo(10 / 13, 12);
    expect(interval!.high).toBeCloseTo(16 / 10, 12);
    const ratios = base.flatMap((b) => head.map((h) => h / b)).sort((x, y) => x - y);
    expect(ratio).toBeCloseTo(Math.sqrt(ratios[7]! * ratios[8]!), 12);
  });

  it('mirrors when the sides are swapped', () => {
    fc.assert(
      fc.property(runs, runs, (base, head) => {
        const [there, back] = [hodgesLehmann(base, head), hodgesLehmann(head, base)];
        expect(back.ratio * there.ratio).toBeCloseTo(1, 9);
        expect(back.interval!.low * there.interval!.high).toBeCloseTo(1, 9);
        expect(back.interval!.high * there.interval!.low).toBeCloseTo(1, 9);
      }),
    );
  });

  it('follows a factor on one side', () => {
    fc.assert(
      fc.property(runs, runs, fc.double({ min: 0.5, max: 3, noNaN: true }), (base, head, factor) => {
        const plain = hodgesLehmann(base, head);
        const scaled = hodgesLehmann(
          base,
          head.map((value) => value * factor),
        );
        expect(scaled.ratio / plain.ratio).toBeCloseTo(factor, 9);
        expect(scaled.interval!.low / plain.interval!.low).toBeCloseTo(factor, 9);
        expect(scaled.equivalence!.high / plain.equivalence!.high).toBeCloseTo(factor, 9);
      }),
    );
  });

  it('nests: the estimate in the 90 % interval, that one in the deciding one', () => {
    fc.assert(
      fc.property(runs, runs, (base, head) => {
        const { ratio, interval, equivalence } = hodgesLehmann(base, head);
        expect(interval!.low).toBeLessThanOrEqual(equivalence!.low);
        expect(equivalence!.low).toBeLessThanOrEqual(ratio * (1 + 1e-12));
        expect(ratio).toBeLessThanOrEqual(equivalence!.high * (1 + 1e-12));
        expect(equivalence!.high).toBeLessThanOrEqual(interval!.high);
      }),
    );
  });

  it('never falls when a head run gets slower', () => {
    fc.assert(
      fc.property(runs, runs, fc.double({ min: 1, max: 10, noNaN: true }), (base, head, factor) => {
        const slower = [head[0]! * factor, ...head.slice(1)];
        const [before, after] = [hodgesLehmann(base, head), hodgesLehmann(base, slower)];
        expect(after.ratio).toBeGreaterThanOrEqual(before.ratio * (1 - 1e-12));
        expect(after.interval!.low).toBeGreaterThanOrEqual(before.interval!.low * (1 - 1e-12));
      }),
    );
  });

  it('leaves at most 2.1 % on either side, whatever the numbers of runs', () => {
    for (let n = 4; n <= 25; n++)
      for (let m = 4; m <= 25; m++) {
        const some = (length: number): number[] => Array.from({ length }, (_, i) => i + 1);
        const { confidence } = hodgesLehmann(some(n), some(m)).interval!;
        expect((1 - confidence) / 2).toBeLessThanOrEqual(0.021);
      }
  });

  it('ranks percentiles lost to failed calls above all others', () => {
    const lost = hodgesLehmann([10, 10, 11, 12], [Infinity, Infinity, Infinity, Infinity]);
    expect(lost).toMatchObject({ ratio: Infinity, interval: { low: Infinity, high: Infinity } });
    const both = hodgesLehmann([Infinity, Infinity, 3, 3], [Infinity, Infinity, 3, 3]);
    expect(both.ratio).toBe(1);
    expect(both.tiedPairs).toBe(8);
    expect(both.interval).toMatchObject({ low: 0, high: Infinity });
  });

  it('has no interval where too few runs allow none, and refuses negative values', () => {
    expect(hodgesLehmann([1, 2], [3, 4])).toMatchObject({ interval: undefined, equivalence: undefined });
    expect(() => hodgesLehmann([-1], [1])).toThrow(RangeError);
    expect(() => hodgesLehmann([Number.NaN], [1])).toThrow(RangeError);
  });
});
