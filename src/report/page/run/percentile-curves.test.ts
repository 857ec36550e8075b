import { describe, expect, it } from 'vitest';
import { metricOf, spread } from '../../../result/result.fixture.js';
import { decodeV2, fromHdr } from '../../../stats/hdr.js';
import { percentileCurves } from './percentile-curves.js';

const metric = metricOf(spread(12_000, 5e6, 0.5));
const histogram = fromHdr(decodeV2(metric.hdr));

describe('percentileCurves', () => {
  const { x, values } = percentileCurves([{ histogram }]);
  const at = (place: number): number => values[0]![x.indexOf(place)]!;

  it('goes through the percentiles of the summary', () => {
    expect(at(10) / metric.p90).toBeCloseTo(1, 3);
    expect(at(100) / metric.p99).toBeCloseTo(1, 3);
    expect(at(1000) / metric.p999).toBeCloseTo(1, 3);
  });

  it('begins at the minimum, ends at the maximum and never falls', () => {
    expect(x[0]).toBe(1);
    expect(values[0]![0]! / metric.min).toBeCloseTo(1, 2);
    expect(x.at(-1)).toBe(12_000);
    expect(values[0]!.at(-1)! / metric.max).toBeCloseTo(1, 3);
    expect(values[0]).toEqual(values[0]!.toSorted((a, b) => a! - b!));
  });

  it('gives curves of different counts one axis, and none a value beyond its maximum', () => {
    const few = fromHdr(decodeV2(metricOf(spread(50, 1e6, 0.2)).hdr));
    const both = percentileCurves([{ histogram }, { histogram: few }]);
    expect(both.x).toEqual(both.x.toSorted((a, b) => a - b));
    expect(both.values[1]!.filter((value) => value !== null)).toHaveLength(
      both.x.filter((place) => place <= 50).length,
    );
    expect(both.values[0]).not.toContain(null);
  });

  it('ends where the failed calls begin', () => {
    const failing = percentileCurves([{ histogram, failed: 3000 }]);
    const last = failing.values[0]!.findLastIndex((value) => value !== null);
    // A fifth failed: nothing is known beyond the p80, which is 5 on this axis.
    expect(failing.x[last]!).toBeLessThanOrEqual(5);
    expect(failing.x[last + 1]!).toBeGreaterThan(5);
  });

  it('is empty for no calls', () => {
    const empty = {
      indices: new Uint32Array(),
      counts: new Float64Array(),
      count: 0,
      minNs: 0,
      maxNs: 0,
      sumNs: 0,
      saturated: 0,
    };
    expect(percentileCurves([{ histogram: empty }]).values[0]).toEqual([null]);
  });
});
