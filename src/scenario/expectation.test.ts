import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileExpectation } from './expectation.js';
import type { ExpectPlan } from './plan.js';

const textResult = (text: string): unknown => ({ content: [{ type: 'text', text }] });
const check = (plan: ExpectPlan, result: unknown, echo = '', dataBytes = 0): string | null =>
  compileExpectation([plan])!(result, echo, dataBytes);

test('nothing expected, nothing to check', () => {
  expect(compileExpectation([])).toBeNull();
});

test.each([
  ['as content', textResult('hello 7')],
  ['bare', 'hello 7'],
  ['bare, in an object', { message: 'hello 7' }],
])('an echo %s', (_, result) => {
  expect(check({ kind: 'echo' }, result, '"hello 7"')).toBeNull();
});

test.each([
  [textResult('hello 8'), 'expected the echo of "hello 7", found "hello 8"'],
  [textResult('hello 7 '), 'expected the echo of "hello 7", found "hello 7 "'],
  [textResult(''), 'expected the echo of "hello 7", found ""'],
  [{ content: [] }, 'expected the echo of "hello 7", found no text in {"content":[]}'],
  [{ content: [null] }, 'expected the echo of "hello 7", found no text in {"content":[null]}'],
  [null, 'expected the echo of "hello 7", found no text in null'],
  [undefined, 'expected the echo of "hello 7", found no text in nothing'],
])('no echo: %j', (result, reason) => {
  expect(check({ kind: 'echo' }, result, '"hello 7"')).toBe(reason);
});

test('an echo is verbatim for any text, and its JSON text is not taken for it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = JSON.stringify(text);
      expect(check({ kind: 'echo' }, textResult(text), json)).toBeNull();
      expect(check({ kind: 'echo' }, textResult(`${text}x`), json)).not.toBeNull();
    }),
  );
  expect(check({ kind: 'echo' }, textResult('a\\nb'), '"a\\nb"')).not.toBeNull();
});

test('isError is false where the result does not say', () => {
  expect(check({ kind: 'isError', value: false }, textResult('x'))).toBeNull();
  expect(check({ kind: 'isError', value: true }, { isError: true })).toBeNull();
  expect(check({ kind: 'isError', value: true }, {})).toBe('expected isError to be true, found false');
});

test('a value at a path', () => {
  const plan: ExpectPlan = { kind: 'equals', path: 'content[0]', value: { type: 'text', text: 'x' } };
  expect(check(plan, textResult('x'))).toBeNull();
  expect(check(plan, textResult('y'))).toBe(
    'expected content[0] to be {"type":"text","text":"x"}, found {"type":"text","text":"y"}',
  );
  expect(check(plan, {})).toBe('expected content[0] to be {"type":"text","text":"x"}, found nothing');
});

test('a value at a path, from the row of the data that the call was made with', () => {
  const rows = [{ sum: 3 }, { sum: 7 }];
  const holds = compileExpectation([{ kind: 'equals', path: 'sum', value: '{{data.sum}}' }], { data: rows })!;
  expect(holds({ sum: 3 }, '', 0, 0)).toBeNull();
  expect(holds({ sum: 7 }, '', 0, 3)).toBeNull();
  expect(holds({ sum: 7 }, '', 0, 2)).toBe('expected sum to be 3, found 7');
  expect(() => holds({ sum: 7 }, '', 0)).toThrow('row');
});

test('a size', () => {
  const plan: ExpectPlan = { kind: 'size', minBytes: 10, maxBytes: 20 };
  expect([9, 10, 20, 21].map((bytes) => check(plan, {}, '', bytes))).toEqual([
    'expected at least 10 bytes, found 9',
    null,
    null,
    'expected at most 20 bytes, found 21',
  ]);
});

test('all that is expected must hold, and the first that does not is named', () => {
  const all = compileExpectation([{ kind: 'echo' }, { kind: 'isError', value: false }])!;
  expect(all(textResult('x'), '"x"', 0)).toBeNull();
  expect(all({ isError: true, message: 'x' }, '"x"', 0)).toBe('expected isError to be false, found true');
});

test('reasons stay short', () => {
  expect(check({ kind: 'echo' }, textResult('y'.repeat(1000)), `"${'x'.repeat(1000)}"`)!.length).toBeLessThan(
    200,
  );
});
