import { expect, test } from 'vitest';
import { sampleAvailability, sampleOutcomes, sampleResult } from '../../result/result.fixture.js';
import type { RunResult } from '../../result/result.js';
import { outcomeHeadline, validityHeadline } from './headline.js';
import { results } from './results.fixture.js';

const withOutcomes = (change: Parameters<typeof sampleOutcomes>[0], started: number): RunResult => {
  const { totals } = sampleResult();
  return sampleResult({ totals: { ...totals, started, outcomes: sampleOutcomes(change) } });
};

const cases: [string, RunResult, string][] = [
  ['all well', results.happy!(), 'good done: 12,000 calls ok, none failed'],
  [
    'thresholds held',
    results.thresholdsHeld!(),
    'good passed: 12,000 calls ok, none failed; both thresholds hold',
  ],
  [
    'thresholds missed',
    results.thresholdsFailed!(),
    'bad failed: 2 of 3 thresholds missed; 11,700 calls ok, 300 failed (2.5 %)',
  ],
  ['some failed', withOutcomes({ ok: 99, timeout: 1 }, 100), 'doubt done: 99 calls ok, 1 failed (1 %)'],
  ['all failed', results.allFailed!(), 'bad failed: all 12,000 calls failed'],
  [
    'gone for good',
    {
      ...results.thresholdsHeld!(),
      totals: {
        ...sampleResult().totals,
        availability: sampleAvailability({ downSinceMs: 4_100, gone: 'connection refused' }),
      },
    },
    'bad failed: the target was gone from 4.1 s of 15 s on (connection refused); 12,000 calls ok, none failed',
  ],
  ['nothing happened', withOutcomes({}, 0), 'bad failed: no call was made'],
  [
    'interrupted',
    results.interrupted!(),
    'doubt interrupted: after 4.2 s of 15 s, all figures are of that part; 3,370 calls ok, none failed, 34 cut off by us',
  ],
  [
    'interrupted at once',
    { ...withOutcomes({}, 0), ended: 'interrupted', durationMs: 0 },
    'doubt interrupted: before anything was measured',
  ],
  [
    'aborted by a threshold',
    { ...results.thresholdsFailed!(), ended: 'aborted', durationMs: 4_213 },
    'bad aborted: after 4.2 s of 15 s, all figures are of that part; 2 of 3 thresholds missed; 11,700 calls ok, 300 failed (2.5 %)',
  ],
];

test.each(cases)('%s', (_, result, expected) => {
  const { state, word, text } = outcomeHeadline(result);
  expect(`${state} ${word}: ${text}`).toBe(expected);
});

test('validity is told apart from the outcome', () => {
  expect(validityHeadline(results.happy!())).toMatchObject({ state: 'good', word: 'valid' });
  expect(validityHeadline(results.suspect!())).toMatchObject({ state: 'bad', word: 'suspect' });
  expect(validityHeadline(withOutcomes({}, 0)).text).toBe('but nothing was measured');
  const warned = sampleResult({
    validity: { state: 'valid', reasons: [], warnings: [{ code: 'x', message: 'y' }] },
  });
  expect(validityHeadline(warned)).toEqual({ state: 'doubt', word: 'valid', text: 'with 1 warning below' });

  const { 'call.response': response } = sampleResult().metrics;
  const moved = (...disturbed: ('p50' | 'p90' | 'p99' | 'p999')[]): RunResult =>
    sampleResult({ metrics: { 'call.response': { ...response!, disturbed } } });
  expect(validityHeadline(moved('p99')).text).toBe('in part: p50 and p90 hold; p99 is disturbed');
  // A closed loop: its median makes it no less valid, and nothing of it holds.
  expect(validityHeadline(moved('p50', 'p90', 'p99')).text).toBe('but p50 and above are disturbed');
});
