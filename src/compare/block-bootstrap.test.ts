import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockBootstrap } from './block-bootstrap.js';
import type { BootstrapEstimate, BootstrapOptions } from './block-bootstrap.js';
import { IntervalBlocks } from './interval-blocks.js';
import type { IntervalCounts } from './interval-blocks.js';
import { seededRandom } from './seeded-random.js';

/** Buckets of one unit: index 7 holds [7, 8). */
const edgesOf = (index: number): [number, number] => [index, index + 1];
const p50: BootstrapOptions = { statistic: { percentile: 0.5 }, edgesOf };

function noisyRun(intervals: number, seed: number, level = 100, failed = 0): IntervalCounts[] {
  const random = seededRandom(seed);
  return Array.from({ length: intervals }, () => {
    const counts = new Map<number, number>();
    const drift = 10 * random();
    for (let i = 0; i < 40; i++) {
      const index = Math.floor(level * (0.9 + 0.2 * random()) + drift);
      counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    return { indices: [...counts.keys()], counts: [...counts.values()], failed };
  });
}

function estimate(base: IntervalCounts[], head: IntervalCounts[], options = p50): BootstrapEstimate {
  const found = blockBootstrap(base, head, options);
  if (found.kind !== 'estimate') throw new Error(found.kind);
  return found;
}

describe('blocks of intervals', () => {
  const sparse = fc.array(
    fc.record({
      indices: fc.uniqueArray(fc.nat(30), { maxLength: 8 }),
      failed: fc.nat(2),
    }),
    { minLength: 1, maxLength: 40 },
  );

  it('give the percentiles and rates of the merged intervals, for the run and for any resample of it', () => {
    fc.assert(
      fc.property(sparse, fc.infiniteStream(fc.nat(1000)), (shape, numbers) => {
        const next = (): number => numbers.next().value!;
        const run = shape.map(({ indices, failed }) => ({
          indices,
          counts: indices.map(() => 1 + (next() % 5)),
          failed,
        }));
        const blocks = new IntervalBlocks(run, edgesOf);
        const starts = Uint32Array.from({ length: blocks.blocksPerRun }, () => next() % run.length);
        const resampled = [...starts].flatMap((start) =>
          Array.from({ length: blocks.blockLength }, (_, i) => run[(start + i) % run.length]!),
        );
        for (const [intervals, chosen] of [
          [run, undefined],
          [resampled, starts],
        ] as const) {
          const values = intervals
            .flatMap(({ indices, counts, failed }) => [
              ...indices.flatMap((index, i) => Array.from({ length: counts[i]! }, () => index)),
              ...Array.from({ length: failed }, () => Infinity),
            ])
            .sort((a, b) => a - b);
          const ok = values.filter((value) => Number.isFinite(value)).length;
          expect(blocks.rate(chosen)).toBeCloseTo(ok / intervals.length, 12);
          if (values.length === 0) continue;
          for (const share of [0.01, 0.5, 0.9, 0.99, 1]) {
            const exact = values[Math.max(0, Math.ceil(share * values.length - 1e-9) - 1)]!;
            const found = blocks.percentile(share, chosen);
            if (exact === Infinity) expect(found).toBe(Infinity);
            else expect(Math.floor(found)).toBe(exact);
          }
        }
      }),
    );
  });

  it('have the length of the cube root', () => {
    const length = (n: number): number => new IntervalBlocks(noisyRun(n, 1), edgesOf).blockLength;
    expect([27, 30, 64, 65, 600].map(length)).toEqual([3, 4, 4, 5, 9]);
  });
});

describe('the block bootstrap', () => {
  it('refuses fewer than 30 intervals, and runs without a call', () => {
    expect(blockBootstrap(noisyRun(29, 1), noisyRun(60, 2), p50)).toEqual({
      kind: 'too few intervals',
      had: 29,
      needed: 30,
    });
    const silent = Array.from({ length: 40 }, () => ({ indices: [], counts: [] }));
    expect(blockBootstrap(silent, noisyRun(40, 2), p50)).toEqual({ kind: 'no samples' });
  });

  it('finds a change and its size, and none where there is none', () => {
    const slower = estimate(noisyRun(60, 1), noisyRun(60, 2, 120));
    expect(slower.ratio).toBeGreaterThan(1.15);
    expect(slower.interval.low).toBeGreaterThan(1.1);
    const same = estimate(noisyRun(60, 1), noisyRun(60, 2));
    expect(same.interval.low).toBeLessThan(1);
    expect(same.interval.high).toBeGreaterThan(1);
    expect(same.seesRuns).toBe(false);
  });

  it('compares rates', () => {
    const half = noisyRun(60, 2).map(({ indices, counts }) => ({
      indices,
      counts: Array.from(counts, (count) => 2 * count),
    }));
    const found = estimate(noisyRun(60, 1), half, { ...p50, statistic: 'rate' });
    expect(found).toMatchObject({ base: 40, head: 80, ratio: expect.closeTo(2, 9) });
  });

  it('repeats itself for a seed', () => {
    const [base, head] = [noisyRun(60, 1), noisyRun(60, 2)];
    expect(estimate(base, head, { ...p50, seed: 3 })).toEqual(estimate(base, head, { ...p50, seed: 3 }));
    expect(estimate(base, head, { ...p50, seed: 3 }).interval).not.toEqual(estimate(base, head).interval);
  });

  it('nests the 90 % interval and follows a change of scale', () => {
    const [base, head] = [noisyRun(60, 1), noisyRun(60, 2)];
    const plain = estimate(base, head);
    expect(plain.interval.low).toBeLessThanOrEqual(plain.equivalence.low);
    expect(plain.interval.high).toBeGreaterThanOrEqual(plain.equivalence.high);
    const micro = estimate(base, head, { ...p50, edgesOf: (index) => [1000 * index, 1000 * index + 1000] });
    expect(micro.ratio).toBeCloseTo(plain.ratio, 9);
    expect(micro.interval.high).toBeCloseTo(plain.interval.high, 9);
  });

  it('widens by the variation between runs, in quadrature', () => {
    const [base, head] = [noisyRun(60, 1), noisyRun(60, 2)];
    const within = estimate(base, head);
    const all = estimate(base, head, { ...p50, betweenRuns: { sdLog: 0.03, degreesOfFreedom: Infinity } });
    const reach = (found: BootstrapEstimate): number => Math.log(found.interval.high / found.ratio);
    // z of a 96 % interval, and two runs that each bring their noise.
    expect(reach(all)).toBeCloseTo(Math.hypot(reach(within), 2.053749 * Math.SQRT2 * 0.03), 6);
    expect(all.seesRuns).toBe(true);
    const uncertain = estimate(base, head, { ...p50, betweenRuns: { sdLog: 0.03, degreesOfFreedom: 4 } });
    expect(reach(uncertain)).toBeGreaterThan(reach(all));
  });

  it('counts failed calls as slower than any other', () => {
    const failing = estimate(noisyRun(60, 1), noisyRun(60, 2, 100, 50));
    expect(failing).toMatchObject({ head: Infinity, ratio: Infinity, interval: { low: Infinity } });
    const both = estimate(noisyRun(60, 1, 100, 50), noisyRun(60, 2, 100, 50));
    expect(both).toMatchObject({ ratio: 1, interval: { low: 1, high: 1 } });
  });
});
