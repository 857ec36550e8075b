import { describe, expect, it } from 'vitest';
import { toHdr } from '../../src/stats/hdr.js';
import { Histogram } from '../../src/stats/histogram.js';
import { closeTo } from './check.js';
import type { LoggedCall } from './logged-calls.js';
import { exactPercentile, intendedNs, respondedNs, servedNs } from './truth.js';

const perSecond = 500;
/** Calls due every 2 ms from 1 s on; each arrives so much after its due time, and is answered so much later still. */
const calls = (latenessNs: readonly number[], workNs: number): LoggedCall[] =>
  latenessNs.map((late, n) => {
    const receivedNs = 1e9 + n * 2e6 + late;
    return { id: n + 1, receivedNs, sentNs: receivedNs + workNs, injected: [] };
  });

describe('truth', () => {
  it('finds the intended starts from the arrivals, however late most were', () => {
    const late = [90_000, 40_000, 3e8, 2e8, 1e8, 70_000];
    expect(intendedNs(calls(late, 5e6), perSecond)[3]).toBe(1e9 + 40_000 + 6e6);
  });

  it('counts the time a call was held up before it arrived into the response and not into the service', () => {
    const log = calls([0, 0, 3e8], 5e6);
    expect(servedNs(log)).toEqual([5e6, 5e6, 5e6]);
    expect(respondedNs(log, perSecond)).toEqual([5e6, 5e6, 305e6]);
  });

  it('takes percentiles as HdrHistogram does, but exactly', () => {
    const values = Array.from({ length: 1000 }, (_, i) => (i + 1) * 1000);
    const histogram = new Histogram();
    for (const value of values) histogram.record(value);
    for (const at of [0.1, 50, 90, 95, 99, 99.9, 100]) {
      const hdr = toHdr(histogram).getValueAtPercentile(at);
      expect(Math.abs(exactPercentile(values, at) - hdr)).toBeLessThanOrEqual(hdr / 1000);
    }
    expect(exactPercentile(values, 95)).toBe(950_000);
  });
});

describe('closeTo', () => {
  it.each([
    [100e6, 101.2e6, true],
    [100e6, 101.3e6, false],
    [100e6, 98.8e6, true],
    [100e6, 98.7e6, false],
    [0, 0.2e6, true],
  ])('allows 1 %% and 0.2 ms: %d against %d', (truthNs, measuredNs, pass) => {
    expect(closeTo('x', truthNs, measuredNs).pass).toBe(pass);
  });
});
