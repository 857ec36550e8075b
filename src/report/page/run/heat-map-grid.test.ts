import { describe, expect, it } from 'vitest';
import { metricOf, sampleResult, spread } from '../../../result/result.fixture.js';
import type { Interval } from '../../../result/result.js';
import { framesOf } from './frames.js';
import { heatMapGrid } from './heat-map-grid.js';

const { intervals } = sampleResult();

function second(valuesNs: readonly number[]): Interval {
  return { ...intervals[0]!, metrics: { 'call.response': metricOf(valuesNs) } };
}

describe('heatMapGrid', () => {
  it('counts every call once', () => {
    const grid = heatMapGrid(framesOf(intervals))!;
    for (const column of grid.columns) expect(column.reduce((sum, count) => sum + count)).toBe(800);
  });

  it('has the slowest call in its top row and the fastest in its bottom row', () => {
    const grid = heatMapGrid(framesOf([second([1e6, 2e6, 3e6]), second([900e6])]))!;
    expect(grid.columns[1]!.findIndex((count) => count > 0)).toBe(0);
    expect(grid.columns[0]!.at(-1)).toBe(1);
    expect(grid.edgesNs[0]!).toBeGreaterThanOrEqual(900e6);
    expect(grid.edgesNs.at(-1)! / 1e6).toBeCloseTo(1, 2);
    expect(grid.edgesNs).toHaveLength(grid.columns[0]!.length + 1);
  });

  it('puts calls between the limits of their row', () => {
    const grid = heatMapGrid(framesOf([second([1e6, 10e6, 100e6])]))!;
    const row = grid.columns[0]!.findIndex((count, at) => count > 0 && at > 0);
    expect(grid.edgesNs[row]!).toBeGreaterThan(9.9e6);
    expect(grid.edgesNs[row + 1]!).toBeLessThan(10.1e6);
  });

  it('copes with calls that all took the same time, and with none', () => {
    expect(heatMapGrid(framesOf([second([5e6, 5e6])]))!.columns[0]!.at(-1)).toBe(2);
    expect(heatMapGrid(framesOf([second(spread(9, 5e6, 1e-9))]))!.mostCalls).toBe(9);
    expect(heatMapGrid(framesOf([{ ...intervals[0]!, metrics: {} }]))).toBeNull();
  });
});
