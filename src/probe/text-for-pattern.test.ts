import { expect, test } from 'vitest';
import { textForPattern } from './text-for-pattern.js';

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
  expect(textForPattern(pattern)).toBe(text);
});

test('as long as asked for, where the pattern allows it', () => {
  expect(textForPattern('^[a-z]+$', 5)).toBe('aaaaa');
  expect(textForPattern('^[a-z]{1,3}$', 5)).toBeNull();
});

test.each(['^(?=a)a$', '(', '^\\p{L}$', '^(a)\\1$', '^[^\\s\\S]$'])('%s is beyond it', (pattern) => {
  expect(textForPattern(pattern)).toBeNull();
});
