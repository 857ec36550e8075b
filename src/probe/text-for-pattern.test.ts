import { expect, test } from 'vitest';
import { textForPattern } from './text-for-pattern.js';

const limits = {
  mostCharacters: 1000,
  onSlow: (): never => {
    throw new Error('slow');
  },
};
const textFor = (pattern: string, minLength = 0): string | null => textForPattern(pattern, minLength, limits);

test.each([
  ['^[a-z]+$', 'a'],
  ['^[A-Z]{2}\\d{3}$', 'AA111'],
  ['^(foo|bar)-(?:baz)?$', 'foo-'],
  ['^\\w+@\\w+\\.com$', 'a@a.com'],
  ['^[^a-z]$', 'A'],
  ['\\d', '1'],
  ['^a*$', ''],
  ['^.{3,}$', 'aaa'],
  ['^(?<year>\\d{4})$', '1111'],
])('%s', (pattern, text) => {
  expect(textFor(pattern)).toBe(text);
});

test('as long as asked for, where the pattern allows it', () => {
  expect(textFor('^[a-z]+$', 5)).toBe('aaaaa');
  expect(textFor('^[a-z]{1,3}$', 5)).toBeNull();
});

test.each(['^(?=a)a$', '(', '^\\p{L}$', '^(a)\\1$', '^[^\\s\\S]$'])('%s is beyond it', (pattern) => {
  expect(textFor(pattern)).toBeNull();
});

test.each([
  ['a repetition of millions', 'a{500000000}'],
  ['repetitions within each other', '((a{1000}){1000}){1000}'],
  ['more than a number holds', `a{${'9'.repeat(400)}}`],
  ['groups within each other', '('.repeat(2000) + ')'.repeat(2000)],
  ['longer than any that is meant well', 'a'.repeat(100_000)],
])('%s: no text, at once', (_, pattern) => {
  expect(textFor(pattern)).toBeNull();
});

test('nothing repeated millions of times is nothing', () => {
  expect(textFor('^(?:){2000000000}$')).toBe('');
});

test.each(['^(\\w|a)*\\B$', '^(a+)+\\B$'])('%s backtracks for ever, and is given up', (pattern) => {
  expect(() => textFor(pattern, 30)).toThrow('slow');
});
