import { describe, expect, it } from 'vitest';
import { findGrowth, type MemorySample } from './memory-growth.js';

const mb = 2 ** 20;

/** Ten minutes, a sample a second. */
function series(bytesAt: (second: number) => number): MemorySample[] {
  return Array.from({ length: 600 }, (_, atSeconds) => ({ atSeconds, bytes: bytesAt(atSeconds) }));
}

/** Up by 30 MB in 7 s, then collected: what a busy heap looks like. */
const sawTooth = (second: number): number => 150 * mb + (second % 7) * 5 * mb;

describe('findGrowth', () => {
  it('sees none in the saw-tooth of a garbage collector', () => {
    const { grows, growthBytes, levelBytes } = findGrowth(series(sawTooth), 60);
    expect(grows).toBe(false);
    expect(Math.abs(growthBytes)).toBeLessThan(0.02 * levelBytes);
  });

  it('sees a leak under the saw-tooth', () => {
    const { grows, bytesPerSecond } = findGrowth(
      series((second) => sawTooth(second) + second * 0.03 * mb),
      60,
    );
    expect(grows).toBe(true);
    expect(bytesPerSecond / mb).toBeCloseTo(0.03, 2);
  });

  it('does not mind a steep warm-up, nor single peaks, nor memory given back', () => {
    const warm = series((second) => sawTooth(second) - Math.max(0, 60 - second) * 2 * mb);
    expect(findGrowth(warm, 60).grows).toBe(false);
    const peaks = series((second) => sawTooth(second) + (second > 500 && second % 5 === 0 ? 300 * mb : 0));
    expect(findGrowth(peaks, 60).grows).toBe(false);
    expect(
      findGrowth(
        series((second) => (400 - second / 10) * mb),
        60,
      ).grows,
    ).toBe(false);
  });

  it('lets a growth of less than a twentieth pass', () => {
    const { grows, trendZ } = findGrowth(
      series((second) => 200 * mb + second * 0.01 * mb),
      60,
    );
    expect(trendZ).toBeGreaterThan(5);
    expect(grows).toBe(false);
  });

  it('refuses to judge what was watched too briefly', () => {
    expect(() => findGrowth(series(sawTooth).slice(0, 90), 60)).toThrow(/8 are needed/);
  });
});
