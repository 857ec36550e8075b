import { describe, expect, it } from 'vitest';
import { metricOf, sampleResult, spread } from '../../../result/result.fixture.js';
import type { Interval } from '../../../result/result.js';
import { framesOf, gatherFrames } from './frames.js';

const { intervals } = sampleResult();

describe('framesOf', () => {
  it('makes a frame of each interval', () => {
    const frames = framesOf(intervals);
    expect(frames).toHaveLength(15);
    expect(frames[3]).toMatchObject({ atMs: 3000, durationMs: 1000, ok: 800, sessionsReady: 100 });
    expect(frames[3]!.histogram!.count).toBe(800);
  });

  it('gives what is left of a second at the end to the frame before it', () => {
    const tail: Interval = {
      ...intervals[0]!,
      atMs: 15_000,
      durationMs: 100,
      totals: { ...intervals[0]!.totals, ok: 5, sessionsReady: 99 },
    };
    const frames = framesOf([...intervals, tail]);
    expect(frames).toHaveLength(15);
    expect(frames.at(-1)).toMatchObject({ atMs: 14_000, durationMs: 1100, ok: 805, sessionsReady: 99 });
  });

  it('has no figures where no call ended', () => {
    const silent: Interval = { ...intervals[0]!, metrics: {} };
    expect(framesOf([silent])[0]).toMatchObject({ response: null, histogram: null });
  });

  it('is nothing of nothing', () => {
    expect(framesOf([])).toEqual([]);
    expect(gatherFrames([], 10)).toEqual([]);
  });
});

describe('gatherFrames', () => {
  it('loses no call and covers the same time', () => {
    const frames = framesOf(intervals);
    const few = gatherFrames(frames, 4);
    expect(few).toHaveLength(4);
    expect(few.reduce((sum, { ok }) => sum + ok, 0)).toBe(15 * 800);
    expect(few.reduce((sum, { histogram }) => sum + histogram!.count, 0)).toBe(15 * 800);
    expect(few.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBe(15_000);
    expect(few[3]).toMatchObject({ atMs: 12_000, durationMs: 3000 });
  });

  it('takes percentiles of all calls, not means of percentiles', () => {
    const slow = metricOf(spread(800, 50e6, 0.1));
    const mixed = gatherFrames(
      framesOf([intervals[0]!, { ...intervals[1]!, metrics: { 'call.response': slow } }]),
      1,
    );
    const all = metricOf([...spread(800, 5.2e6, 0.4), ...spread(800, 50e6, 0.1)]);
    expect(mixed[0]!.response!.p99 / all.p99).toBeCloseTo(1, 1);
    expect(mixed[0]!.response!.p50 / all.p50).toBeCloseTo(1, 1);
  });
});
