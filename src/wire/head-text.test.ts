import { expect, test } from 'vitest';
import { type HeadPart, strayInHead } from './head-text.js';

const all = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code));
const taken = (part: HeadPart): string => all.filter((text) => strayInHead(part, text) === null).join('');
const visible = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).join('');

test('of the first 768 characters only these may go into a head', () => {
  expect(taken('target')).toBe(visible);
  expect(taken('value')).toBe(`\t ${visible}`);
  expect(taken('name')).toBe(visible.replace(/["(),/:;<=>?@[\\\]{}]/g, ''));
});

test.each([
  ['/m\u010aGET', 'U+010A'],
  ['/\u{1f99c}', 'U+1F99C'],
  ['/\ud800', 'U+D800'],
  ['/a\r\nb', 'U+000D'],
  ['/a b', 'U+0020'],
  ['', null],
])('the first stray of %j is %s', (text, stray) => {
  expect(strayInHead('target', text)).toBe(stray);
});
