import { expect, test } from 'vitest';
import { contests } from '../../versus/versus-result.fixture.js';
import { targetNotes, toFirstText } from './versus-rows.js';

const place = { target: 'a', place: 2, ties: 'a', values: [], median: 1, interval: { low: 1, high: 1 } };
const text = (ratio: number, low: number | null, high: number | null): string =>
  toFirstText({ ...place, toFirst: { ratio, low, high } } as unknown as Parameters<typeof toFirstText>[0]);

test('a ratio keeps its figures, however far from the first', () => {
  expect(text(0.002_345, 0.002_1, 0.003)).toBe('0.0023 × (0.0021 … 0.003)');
  expect(text(0.31, 0.3, 0.32)).toBe('0.31 × (0.30 … 0.32)');
  expect(text(0.0994, 0.0996, null)).toBe('0.099 × (0.10 … ?)');
  expect(text(12.34, null, null)).toBe('12.3 ×');
  expect(text(2112.4, 999, 1e6)).toBe('2,112 × (999 … 1,000,000)');
});

test('what was found with several targets is said once, and what with one alone stays with it', () => {
  const result = contests['ranked']!();
  const [first, second] = result.targets;
  const found = (at: number) => (of: typeof first) =>
    of!.runs.map((run, round) => ({ ...run, findings: [`took ${round + at}.5 ms longer`] }));
  const all = { ...result, targets: result.targets.map((each) => ({ ...each, runs: found(1)(each) })) };
  const runs = all.targets.flatMap(({ runs: of }) => of.filter(({ state }) => state === 'ok')).length;
  const ofAll = targetNotes(all).filter(({ text }) => text.includes('longer'));
  expect(ofAll).toEqual([{ target: null, text: `all ${runs} runs: took 1.5 ms longer` }]);
  const two = { ...result, targets: [first!, second!].map((each) => ({ ...each, runs: found(1)(each) })) };
  two.targets[1]!.runs[0]!.findings = [];
  expect(targetNotes(two)[0]!.text).toBe(
    `9 of 10 runs (${first!.name}, ${second!.name}): took 1.5 ms longer`,
  );
  const one = { ...result, targets: [{ ...first!, runs: found(1)(first) }, second!] };
  expect(targetNotes(one)).toContainEqual({
    target: first!.name,
    text: 'in 5 of 5 runs: took 1.5 ms longer',
  });
});
