import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainEcho } from './plain-echo.js';

const response = (text: string, id: number | string = 7): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

function finds(echo: string, json: string): boolean {
  // Within a larger buffer, as the parser hands it over.
  const whole = Buffer.from(`data: ${json}\n\n`);
  return isPlainEcho(JSON.stringify(echo), whole, 6, whole.length - 2);
}

test.each([
  ['hello 12', response('hello 12'), true],
  ['hello 12', response('hello 12', 'a string'), true],
  ['hello 12', response('hello 12', 123_456_789), true],
  ['', response(''), true],
  ['Grüße 漢字 "quoted" \\ \n', response('Grüße 漢字 "quoted" \\ \n'), true],
  ['hello 12', response('hello 13'), false],
  ['hello 1', response('hello 12'), false],
  ['hello 12', response('hello 1'), false],
  ['hello 12', response('Echo: hello 12'), false],
  // The bytes of é, read one by one, are these two characters.
  ['Ã©', response('é'), false],
  ['é', response('Ã©'), false],
  ['x', '{"jsonrpc":"2.0","id":1', false],
  ['x', '', false],
])('%j in %s: %s', (echo, json, found) => expect(finds(echo, json)).toBe(found));

test('finds what was echoed, and nothing else', () => {
  const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(texts, texts, fc.nat(), (sent, got, id) => {
      expect(finds(sent, response(sent, id))).toBe(true);
      expect(finds(sent, response(got, id))).toBe(sent === got);
    }),
  );
});
