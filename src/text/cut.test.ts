import { expect, test } from 'vitest';
import { cut } from './cut.js';

test('what is too long ends in a mark, at just the length allowed', () => {
  expect(cut('abcd', 4)).toBe('abcd');
  expect(cut('abcde', 4)).toBe('abc…');
  expect(cut('ab', 1)).toBe('…');
});

test('no character is cut in two', () => {
  expect(cut('ab🚀cd', 4)).toBe('ab…');
  expect(cut('ab🚀cd', 5)).toBe('ab🚀…');
});
