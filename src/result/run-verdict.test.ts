import { expect, test } from 'vitest';
import { sampleAvailability, sampleOutcomes, sampleResult } from './result.fixture.js';
import type { RunResult } from './result.js';
import { exitCodeOf, judgeRun } from './run-verdict.js';

const missed = {
  metric: 'errors',
  rule: 'rate < 1%',
  value: 0.5,
  limit: 0.01,
  state: 'fail' as const,
  abortOnFail: false,
  detail: '',
};
const noCalls = { started: 0, sent: 0, outcomes: sampleOutcomes({}) };
const allFailed = { started: 8, sent: 8, outcomes: sampleOutcomes({ timeout: 8 }) };
const suspect = { state: 'suspect' as const, reasons: [{ code: 'x', message: 'y' }], warnings: [] };

function run(change: Partial<RunResult> & { calls?: Partial<RunResult['totals']> } = {}): RunResult {
  const { calls, ...rest } = change;
  return sampleResult({ totals: { ...sampleResult().totals, ...calls }, ...rest });
}

test.each<[string, RunResult, number]>([
  ['all well', run(), 0],
  ['no call was made', run({ calls: noCalls }), 1],
  ['all calls failed', run({ calls: allFailed }), 1],
  [
    'the target was gone for good, although few calls failed',
    run({ calls: { availability: sampleAvailability({ downSinceMs: 9000, gone: 'connection refused' }) } }),
    1,
  ],
  ['a worker crashed', run({ ended: 'failed' }), 1],
  [
    'every call was cut off, as the scenario wants',
    run({ calls: { started: 8, outcomes: sampleOutcomes({ aborted: 8 }) } }),
    0,
  ],
  ['a call too few', run({ calls: { conserved: false } }), 3],
  ['a threshold is missed', run({ thresholds: [missed] }), 99],
  ['cut short by a threshold that the last answers then met', run({ ended: 'aborted' }), 99],
  ['suspect, not asked for', run({ validity: suspect }), 0],
  ['interrupted, before any call', run({ ended: 'interrupted', calls: noCalls }), 130],
  ['all failed before failed thresholds', run({ calls: allFailed, thresholds: [missed] }), 1],
  ['a miscount before failed thresholds', run({ calls: { conserved: false }, thresholds: [missed] }), 3],
])('%s', (_, result, code) => expect(exitCodeOf(judgeRun(result))).toBe(code));

test('with --strict a suspect run fails, and a failed threshold comes before it', () => {
  expect(exitCodeOf(judgeRun(run({ validity: suspect }), { strict: true }))).toBe(3);
  expect(exitCodeOf(judgeRun(run({ validity: suspect, thresholds: [missed] }), { strict: true }))).toBe(99);
});

test('of several runs the gravest decides, and a miscount is graver than a threshold where doubt is not', () => {
  expect(exitCodeOf('passed', 'missed', 'suspect')).toBe(99);
  expect(exitCodeOf('passed', 'missed', 'miscounted')).toBe(3);
  expect(exitCodeOf('suspect', 'regression')).toBe(4);
  expect(exitCodeOf('incomparable', 'passed')).toBe(3);
  expect(exitCodeOf('missed', 'noCalls')).toBe(1);
});
