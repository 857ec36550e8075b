import { expect, test } from 'vitest';
import { sampleResult } from '../../result/result.fixture.js';
import { burstText } from './burst-text.js';

test('over all phases of bursts: the mean of all, the longest of any', () => {
  const result = sampleResult();
  const [phase] = result.phases;
  const bursts = { bursts: 1, meanMs: 20, longestMs: 20, longestSliceMs: 5 };
  const more = { bursts: 3, meanMs: 40, longestMs: 60, longestSliceMs: 6 };
  result.phases = [phase!, { ...phase!, bursts }, { ...phase!, bursts: more }];
  expect(burstText(result)).toBe(
    '4, written out in 35.0 ms on average, 60.0 ms at most, in slices of up to 6.00 ms between reads',
  );
});

test('none', () => {
  expect(burstText(sampleResult())).toBeNull();
});
