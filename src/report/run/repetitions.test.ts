import { expect, test } from 'vitest';
import { disturbed, madeUpSide } from '../../compare/comparison.fixture.js';
import { repeatedFigures } from '../../compare/repeated-figures.js';
import type { RunResult, ThresholdResult } from '../../result/result.js';
import { repetitionNotes } from './repetition-notes.js';
import { markdownRepetitions, terminalRepetitions } from './repetitions.js';

test('several runs look as they did', async () => {
  const runs = [...madeUpSide({ minute: 0 }), ...madeUpSide({ minute: 1, failed: 90 })];
  const figures = repeatedFigures(runs);
  const notes = repetitionNotes(runs.map((run, at) => judged(run, at + 1)));
  await expect(
    terminalRepetitions('steady', runs.length, figures, notes, { colour: false, width: 100 }),
  ).toMatchFileSnapshot('./golden/repetitions.txt');
  await expect(markdownRepetitions('steady | <b>', runs.length, figures, notes)).toMatchFileSnapshot(
    './golden/repetitions.md',
  );
});

test('figures that the generator may have moved are marked, and it is said what follows', () => {
  const [first, ...rest] = madeUpSide({}, [2, 1, 1.1]);
  const figures = repeatedFigures([disturbed(first!, 'p50', 0.5), ...rest]);
  const text = terminalRepetitions('steady', 3, figures, [], { colour: false, width: 100 });
  expect(text).toMatch(/^ {2}p50 +21\.0 ms +20\.0 ms +40\.0 ms~ /m);
  expect(text).toContain('~ disturbed by the generator (p50 in 1 run): median and variation');
  expect(markdownRepetitions('steady', 3, figures, [])).toMatch(
    /\| 21\.0 ms \| 20\.0 ms \| 40\.0 ms&#126; \|/,
  );
  const all = repeatedFigures([first!, ...rest].map((run) => disturbed(run, 'p50', 0.5)));
  expect(terminalRepetitions('steady', 3, all, [], { colour: false, width: 100 })).toMatch(
    /^ {2}p50 +22\.0 ms~ +20\.0 ms~ +40\.0 ms~ /m,
  );
});

function rule(rule: string, pass: boolean, detail: string): ThresholdResult {
  return {
    metric: 'call.response',
    rule,
    value: 1,
    limit: 1,
    state: pass ? 'pass' : 'fail',
    abortOnFail: false,
    detail,
  };
}

/** The p99 is missed by every run with an even number, the p50 by none; the third of four is suspect. */
function judged(run: RunResult, number: number): RunResult {
  return {
    ...run,
    thresholds: [
      rule('p(50) < 30ms', true, '20 ms'),
      rule('p(99) < 40ms', number % 2 === 1, `4${number} ms`),
    ],
    validity:
      number % 4 === 3
        ? { state: 'suspect', reasons: [{ code: 'x', message: 'it was late.' }], warnings: [] }
        : run.validity,
  };
}

test.each([
  [1, ['✓ p50: held in the run', '✓ p99: held in the run']],
  [2, ['✓ p50: held in all 2 runs', '✗ p99: missed in run 2 of 2: 42 ms']],
  [
    4,
    [
      '✓ p50: held in all 4 runs',
      '✗ p99: missed in 2 of 4 runs (2, 4): 42 ms, 44 ms',
      '! run 3 of 4 was suspect: it was late.',
    ],
  ],
])('of %i runs it says which thresholds were missed, and how many were disturbed', (count, expected) => {
  const runs = madeUpSide(
    {},
    Array.from({ length: count }, () => 1),
  ).map((run, at) => judged(run, at + 1));
  const marks = { good: '✓', bad: '✗', doubt: '!' };
  const notes = repetitionNotes(runs).map(({ state, text }) =>
    `${marks[state]} ${text}`.replace(/call\.response p\((\d+)\) < \d+ms/, 'p$1'),
  );
  expect(notes).toEqual(expected);
});

test('runs of which some percentiles do not hold, beside one that is suspect as a whole', () => {
  const [first, second, third, fourth] = madeUpSide({}, [1, 1, 1, 1]).map((run) => ({
    ...run,
    thresholds: [],
  }));
  const suspect = { state: 'suspect' as const, reasons: [{ code: 'x', message: 'late.' }], warnings: [] };
  const notes = repetitionNotes([
    disturbed(first!, 'p99', 0.5),
    second!,
    { ...disturbed(third!, 'p50', 0.5), validity: suspect },
    disturbed(fourth!, 'p90', 0.5),
  ]);
  expect(notes).toEqual([
    { state: 'doubt', text: 'run 3 of 4 was suspect: late.' },
    { state: 'doubt', text: '2 of 4 runs (1, 4) were disturbed: p99 of call.response (run 1)' },
  ]);
});

test('a run that was cut short, and rules that all runs miss', () => {
  const runs = madeUpSide({}, [1, 1]).map((run) => ({
    ...run,
    ended: 'aborted' as const,
    thresholds: [rule('p(50) < 1ms', false, '20 ms')],
  }));
  expect(repetitionNotes(runs).map(({ text }) => text)).toEqual([
    'call.response p(50) < 1ms: missed in all 2 runs: 20 ms, 20 ms',
    'all 2 runs were cut short: aborted',
  ]);
});
