import { expect, test } from 'vitest';
import { parseJsonPath, valueAt } from './json-path.js';

test.each([
  ['content[0].text', ['content', 0, 'text']],
  ['$.content[0]', ['content', 0]],
  ['$', []],
  ['[1]', [1]],
  ['a["odd key"].b', ['a', 'odd key', 'b']],
  ['a-b.c_d', ['a-b', 'c_d']],
])('%s', (text, keys) => {
  expect(parseJsonPath(text)).toEqual(keys);
});

test.each(['', 'a..b', 'a[', 'a[x]', 'a]', '.a', 'a.', '$a'])('"%s" is no path', (text) => {
  expect(parseJsonPath(text)).toBeNull();
});

test('finds values, and nothing that is inherited', () => {
  expect(valueAt({ a: [{ b: 1 }] }, ['a', 0, 'b'])).toBe(1);
  expect(valueAt({ a: 1 }, ['a', 'b'])).toBeUndefined();
  expect(valueAt({}, ['toString'])).toBeUndefined();
  expect(valueAt(7, [])).toBe(7);
});
