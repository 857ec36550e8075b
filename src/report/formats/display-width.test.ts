import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, pad, truncate, wrap, wrapItems } from './display-width.js';

test.each([
  ['', 0],
  ['plain', 5],
  ['µs ▇ ✓', 6],
  ['\u001b[1mbold\u001b[22m', 4],
  ['漢字', 4],
  ['e\u0301', 1],
  ['🚀', 2],
])('%s takes %d columns', (text, width) => expect(displayWidth(text)).toBe(width));

test('padding counts columns, not characters', () => {
  expect(pad('漢', 4)).toBe('漢  ');
  expect(pad('\u001b[1mx\u001b[22m', 3, 'right')).toBe('  \u001b[1mx\u001b[22m');
  expect(pad('long', 2)).toBe('long');
});

test('what is cut shows that it was', () => {
  expect(truncate('abcdef', 6)).toBe('abcdef');
  expect(truncate('abcdef', 5)).toBe('abcd…');
  expect(truncate('漢字漢字', 5)).toBe('漢字…');
  expect(truncate('abc', 0)).toBe('');
});

test('lines break between words, and inside a word only where it is longer than a line', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('abcdefghij k', 4)).toEqual(['abcd', 'efgh', 'ij k']);
  expect(wrap('', 10)).toEqual(['']);
});

test('items stay whole', () => {
  expect(wrapItems(['2 cores', '', '1 worker', 'seed 1'], 20)).toEqual(['2 cores · 1 worker ·', 'seed 1']);
});

test('wrapping loses nothing and keeps to the width', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1 }),
      fc.integer({ min: 5, max: 40 }),
      (words, width) => {
        const lines = wrap(words.join(' '), width);
        expect(lines.every((line) => displayWidth(line) <= width)).toBe(true);
        expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
      },
    ),
  );
});

// Quadratic, it would take minutes, and so be out of time.
test.each(['n'.repeat(2_000_000), '漢'.repeat(1_000_000), 'e\u0301'.repeat(1_000_000)])(
  'a very long word is cut and broken in one pass',
  (word) => {
    const lines = wrap(word, 80);
    expect(lines.join('')).toBe(word);
    expect(lines.slice(0, -1).every((line) => displayWidth(line) === 80)).toBe(true);
    expect([79, 80]).toContain(displayWidth(truncate(word, 80)));
  },
);
