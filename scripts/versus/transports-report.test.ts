import { expect, test } from 'vitest';
import { contests } from '../../src/versus/versus-result.fixture.js';
import type { VersusTarget } from '../../src/versus/versus-result.js';
import { transportsMarkdown } from './transports-report.js';

const withCallsPerSec = (target: VersusTarget, name: string, values: readonly number[]): VersusTarget => ({
  ...target,
  name,
  runs: target.runs.map((run, at) => ({ ...run, figures: { ...run.figures, callsPerSec: values[at]! } })),
});
const cellsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const ranked = contests['ranked']!();
const [first, second] = ranked.targets;
const result = {
  ...ranked,
  targets: [
    withCallsPerSec(first!, 'HTTP+SSE', [100, 200, 400, 100, 100]),
    withCallsPerSec(second!, 'stateless', [150, 200, 1200, 200, 50]),
    { ...first!, name: 'sessions', reason: 'it ended\nby itself', runs: [] },
  ],
};

test('ratios are taken within the rounds, each with its interval, to the first transport', () => {
  const [titles, , base, other] = cellsOf(transportsMarkdown([{ name: 'x', about: 'lib 1', result }]));
  const column = titles!.indexOf('× calls/s');
  expect(base!.slice(0, 3)).toEqual(['x (lib 1)', 'HTTP+SSE', '100']);
  expect(base![column]).toBe('');
  expect(other!.slice(0, 3)).toEqual(['', 'stateless', '200']);
  expect(other![column]).toBe('1.50 (0.500 … 3.00)');
});

test('what was not measured is named with the reason, and has no row', () => {
  const text = transportsMarkdown([{ name: 'x', about: 'lib 1', result }]);
  expect(cellsOf(text).filter(([, name]) => name === 'sessions')).toEqual([]);
  expect(text).toContain('- x, sessions: it ended by itself');
});

test('says how many rounds there were, where not all contests had as many', () => {
  const contestsHeld = [5, 9].map((rounds) => ({ name: 'x', about: 'lib 1', result: { ...result, rounds } }));
  const text = transportsMarkdown(contestsHeld);
  expect(text).toContain('5 and 9 rounds');
  expect(text).toContain('interval of 93.8 % and 96.1 %');
});

test('no contest is no table', () => {
  expect(transportsMarkdown([])).toContain('No contest was held.');
});
