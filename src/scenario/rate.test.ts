import { expect, test } from 'vitest';
import { writtenRate, parseRate } from './rate.js';

test.each([
  ['500/s', 500],
  ['0.5/s', 0.5],
  ['30/min', 0.5],
  ['30/m', 0.5],
  ['3600/h', 1],
])('%s is %d a second', (text, perSec) => {
  expect(parseRate(text)).toBe(perSec);
});

test.each(['500', '-5/s', '5/ms', '/s', '5 /s', '5/s/s', ''])('"%s" is none', (text) => {
  expect(parseRate(text)).toBeNull();
});

test('is written as people read it', () => {
  expect([500, 0.5, 1 / 3, 0].map(writtenRate)).toEqual(['500/s', '30/min', '20/min', '0/s']);
});
