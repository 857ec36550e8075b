import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { comparisons } from '../../compare/comparison.fixture.js';
import { terminalComparison } from './comparison-terminal.js';
import { displayWidth } from '../formats/display-width.js';

const plain = { colour: false, width: 100 };

test.each(Object.keys(comparisons))('%s looks as it did', async (name) => {
  await expect(terminalComparison(comparisons[name]!(), plain)).toMatchFileSnapshot(
    `./golden/comparison-${name}.txt`,
  );
});

test.each(Object.keys(comparisons))(
  '%s takes no more room than there is, and colours only colour',
  (name) => {
    const comparison = comparisons[name]!();
    for (const width of [120, 80, 60]) {
      const coloured = terminalComparison(comparison, { colour: true, width });
      const text = terminalComparison(comparison, { colour: false, width });
      expect(stripVTControlCharacters(coloured)).toBe(text);
      for (const line of text.split('\n').slice(0, 4)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    }
  },
);

test('a different machine is shown in red', () => {
  const comparison = comparisons.passed!();
  comparison.notes = [{ state: 'bad', code: 'different-machine', message: 'different machines: a, b.' }];
  expect(terminalComparison(comparison, { colour: true, width: 100 })).toContain(
    '\u001b[31mdifferent machines: a, b.\u001b[39m',
  );
});
