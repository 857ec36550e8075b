import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from './line-reader.js';

function readAll(chunks: readonly Buffer[], most = 1000, holdAfter: (text: string) => boolean = () => false) {
  const found: (string | null)[] = [];
  let bytes = 0;
  const reader: LineReader = new LineReader(
    {
      line: (text, length) => {
        found.push(text);
        bytes += length;
        if (holdAfter(text)) reader.hold();
      },
      tooLong: () => found.push(null),
      end: () => found.push('END'),
    },
    most,
  );
  for (const chunk of chunks) reader.feed(chunk);
  reader.end();
  return { found, reader, bytes: () => bytes };
}

test.each<[name: string, input: string, lines: (string | null)[]]>([
  ['lines', 'a\nbc\n', ['a', 'bc']],
  ['CRLF', 'a\r\nbc\r\n', ['a', 'bc']],
  ['both', 'a\r\nbc\n', ['a', 'bc']],
  ['empty lines', '\n\r\na\n\n', ['a']],
  ['a last line without an end', 'a\nbc', ['a', 'bc']],
  ['no line at all', '', []],
  ['a return inside', 'a\rb\n', ['a\rb']],
  ['letters of several bytes', 'äöü €\n😀\n', ['äöü €', '😀']],
  ['a line too long', `${'x'.repeat(41)}\nb\n`, [null, 'b']],
  ['a line as long as it may be', `${'x'.repeat(40)}\nb\n`, ['x'.repeat(40), 'b']],
  ['a last line too long', `a\n${'x'.repeat(41)}`, ['a', null]],
])('%s, cut at every byte', (_name, input, lines) => {
  const bytes = Buffer.from(input);
  for (let at = 0; at <= bytes.length; at++)
    expect(readAll([bytes.subarray(0, at), bytes.subarray(at)], 40).found).toEqual([...lines, 'END']);
  const single = [...bytes].map((byte) => Buffer.of(byte));
  expect(readAll(single, 40).found).toEqual([...lines, 'END']);
});

test('says how many bytes a line had, with its end', () => {
  expect(readAll([Buffer.from('ab\r\nä\nc')]).bytes()).toBe(4 + 3 + 1);
});

test('tells nothing while it is held, and all of it in order when it is released', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-c]{1,3}$/), { maxLength: 12 }),
      fc.array(fc.nat(30), { maxLength: 4 }),
      (lines, cuts) => {
        const bytes = Buffer.from(lines.join('\n'));
        const edges = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ];
        const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        const { found, reader } = readAll(chunks, 1000, () => true);
        for (let told = 1; told <= lines.length; told++) {
          expect(found).toEqual(lines.slice(0, told));
          reader.release();
        }
        expect(found).toEqual([...lines, 'END']);
      },
    ),
  );
});
