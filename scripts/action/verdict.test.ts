import { expect, test } from 'vitest';
import type { Comparison } from '../../src/compare/comparison.js';
import { sampleResult } from '../../src/result/result.fixture.js';
import type { RunResult, ThresholdResult } from '../../src/result/result.js';
import { judge } from './verdict.mjs';

const failOn = ['regression', 'thresholds'];
const reasons = [{ code: 'x', message: 'late' }];

function run(...states: ThresholdResult['state'][]): RunResult {
  const rule = { metric: 'errors', rule: 'rate < 1%', value: 0, limit: 0.01, abortOnFail: false, detail: '' };
  return sampleResult({ thresholds: states.map((state) => ({ ...rule, state })) });
}

const suspect: RunResult = { ...run('pass'), validity: { state: 'suspect', reasons, warnings: [] } };

test.each<[string, number, RunResult[], Comparison['outcome'] | null, string, number]>([
  ['thresholds that hold', 0, [run('pass', 'pass'), run('pass', 'pass')], null, 'passed', 0],
  ['no thresholds', 0, [run()], null, 'passed', 0],
  ['one missed in one of the runs', 99, [run('pass'), run('pass', 'fail')], null, 'thresholds', 99],
  [
    'one that could not be decided: no pass, and nobody is blamed',
    0,
    [run('pass', 'undecided')],
    null,
    'undecided',
    0,
  ],
  ['a regression, and all thresholds hold', 4, [run('pass')], 'regression', 'regression', 4],
  ['a regression and a missed threshold', 99, [run('fail')], 'regression', 'thresholds', 99],
  ['a suspect run', 0, [run('pass'), suspect], null, 'suspect', 0],
  ['a comparison that is inconclusive', 0, [run('pass')], 'inconclusive', 'inconclusive', 0],
  ['a run that failed', 1, [run('pass')], null, 'failed', 1],
])('%s', (_, exitCode, results, outcome, verdict, failWith) => {
  const comparison = outcome === null ? null : { outcome };
  expect(judge({ exitCode, results, comparison, comparable: true, failOn })).toEqual({ verdict, failWith });
});

test('with fail-on: suspect, doubt fails the job too: a suspect run, an undecided threshold', () => {
  const strict = { comparison: null, comparable: true, failOn: ['suspect'] };
  expect(judge({ ...strict, exitCode: 3, results: [suspect] })).toEqual({ verdict: 'suspect', failWith: 3 });
  const undecided = judge({ ...strict, exitCode: 3, results: [run('undecided')] });
  expect(undecided).toEqual({ verdict: 'undecided', failWith: 3 });
});
