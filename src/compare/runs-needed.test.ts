import { describe, expect, it } from 'vitest';
import { hodgesLehmann } from './hodges-lehmann.js';
import { runsNeeded, runsNeededForErrors } from './runs-needed.js';
import { seededRandom } from './seeded-random.js';
import { judge, ratioMargins } from './verdict.js';

const margins = ratioMargins({ margin: 0.05, floor: 0, typical: 20, worse: 'up' });

describe('runs needed', () => {
  it('grow with the variance and with the nearness to the margin', () => {
    const need = (ratio: number, sdLog: number): number => runsNeeded({ ratio, sdLog, runs: 5 }, margins)!;
    expect(need(1, 0.06)).toBeGreaterThan(need(1, 0.04));
    expect(need(1.02, 0.04)).toBeGreaterThan(need(1, 0.04));
    expect(need(1.1, 0.08)).toBeLessThan(need(1.06, 0.08));
    expect(need(1, 0.0001)).toBe(6);
  });

  it('are found, and at least four, also where too few runs were seen for ranks, or runs that all agree', () => {
    for (const runs of [1, 2, 3]) {
      expect(runsNeeded({ ratio: 1.03, sdLog: 0.05, runs }, margins)).toBe(
        runsNeeded({ ratio: 1.03, sdLog: 0.05, runs: 4 }, margins),
      );
      expect(runsNeeded({ ratio: 1, sdLog: 0, runs }, margins)).toBe(4);
    }
  });

  it('are the same upwards and downwards', () => {
    for (const ratio of [1.01, 1.03, 1.08])
      expect(runsNeeded({ ratio: 1 / ratio, sdLog: 0.05, runs: 4 }, margins)).toBe(
        runsNeeded({ ratio, sdLog: 0.05, runs: 4 }, margins),
      );
  });

  it('are unknown where no reasonable number would do', () => {
    expect(runsNeeded({ ratio: 1.02, sdLog: 5, runs: 5 }, margins)).toBeUndefined();
    expect(runsNeeded({ ratio: Infinity, sdLog: 0.1, runs: 5 }, margins)).toBeUndefined();
  });

  it('settle about four cases of five when what was seen is true (seeded simulation)', () => {
    const random = seededRandom(11);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    for (const [ratio, sdLog] of [
      [1, 0.04],
      [1.02, 0.03],
      [1.06, 0.05],
      [1.1, 0.1],
    ] as const) {
      const runs = runsNeeded({ ratio, sdLog, runs: 5 }, margins)!;
      const side = (level: number): number[] =>
        Array.from({ length: runs }, () => level * Math.exp(sdLog * normal()));
      let settled = 0;
      for (let i = 0; i < 600; i++) {
        const found = hodgesLehmann(side(1), side(ratio));
        if (judge({ effect: found.ratio, ...found }, margins) !== 'inconclusive') settled++;
      }
      expect(settled / 600).toBeGreaterThan(0.7);
      expect(settled / 600).toBeLessThan(0.97);
    }
  });

  it('are estimated for errors as well', () => {
    const runs = (total: number, ...counts: number[]): { count: number; total: number }[] =>
      counts.map((count) => ({ count, total }));
    const few = runsNeededForErrors(runs(1000, 0, 1, 0, 0, 0), runs(1000, 1, 0, 1, 0, 1), 0.001)!;
    expect(few).toBeGreaterThan(5);
    expect(few).toBeLessThan(100);
    // One failure in eight runs a side: far too few to show within 500 runs that their rate did not change.
    const rare = runs(5, 0, 1, 0, 0, 0, 0, 0, 0);
    expect(runsNeededForErrors(rare, rare.toReversed(), 0.000_001)).toBeUndefined();
  });
});
