import { expect, test } from 'vitest';
import { readCallArguments } from './call-flags.js';

test.each([
  [undefined, undefined, undefined],
  ['{"a":1}', undefined, { a: 1 }],
  [
    undefined,
    ['a=1', 'b=x y', 'c="1"', 'd=', 'e=a=b', 'f=[1]'],
    { a: 1, b: 'x y', c: '1', d: '', e: 'a=b', f: [1] },
  ],
  ['{"a":1,"b":2}', ['b=3'], { a: 1, b: 3 }],
  [undefined, ['ms={{int 1 9}}'], { ms: '{{int 1 9}}' }],
])('--arguments %s --arg %j', (json, pairs, expected) => {
  expect(readCallArguments(json, pairs)).toEqual(expected);
});

test('an argument by the name of what every object has is one like any other', () => {
  expect(Object.entries(readCallArguments(undefined, ['__proto__=1'])!)).toEqual([['__proto__', 1]]);
});

test.each([
  [undefined, ['a'], '--arg: expected key=value, found "a"'],
  [undefined, ['=a'], '--arg: expected key=value, found "=a"'],
  ['[1]', undefined, '--arguments: expected a JSON object such as {"message":"hello"}, found [1]'],
  ['{a:1}', undefined, '--arguments: expected a JSON object such as {"message":"hello"}, found {a:1}'],
])('--arguments %s --arg %j is a mistake', (json, pairs, message) => {
  expect(() => readCallArguments(json, pairs)).toThrow(message);
});
