import { expect, test } from 'vitest';
import { burstSpread } from './burst-spread.js';

const ms = 1e6;

test('of several workers the slowest counts', () => {
  const one = { bursts: 4, totalNs: 40 * ms, longestNs: 12 * ms, longestSliceNs: 5 * ms };
  const other = { bursts: 4, totalNs: 80 * ms, longestNs: 30 * ms, longestSliceNs: 6 * ms };
  expect(burstSpread([one, other])).toEqual({ bursts: 4, meanMs: 20, longestMs: 30, longestSliceMs: 6 });
});

test('a phase without bursts has none', () => {
  expect(burstSpread([null])).toBeUndefined();
  expect(burstSpread([{ bursts: 0, totalNs: 0, longestNs: 0, longestSliceNs: 0 }])).toBeUndefined();
});
