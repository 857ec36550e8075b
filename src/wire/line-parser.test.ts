import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineParser } from './line-parser.js';
import { WireError } from './wire-error.js';

/** Feeds the pieces; the lines that were reported, and whether an unfinished one was dropped. */
function parse(pieces: readonly Buffer[], maxLineBytes?: number) {
  const lines: string[] = [];
  const parser = new LineParser(
    (buffer, start, end) => lines.push(buffer.toString('utf8', start, end)),
    maxLineBytes === undefined ? {} : { maxLineBytes },
  );
  let error: string | undefined;
  try {
    for (const piece of pieces) parser.feed(piece);
  } catch (thrown) {
    if (!(thrown instanceof WireError)) throw thrown;
    error = thrown.kind;
  }
  return { lines, dropped: parser.end(), error };
}

/** Each piece in memory of its own, so that what is read outside of it shows. */
function cut(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const edges = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
  return edges.slice(1).map((edge, i) => Buffer.from(whole.subarray(edges[i], edge)));
}

interface Fixture {
  readonly text: string;
  readonly lines: readonly string[];
  readonly dropped?: boolean;
  readonly maxLineBytes?: number;
  readonly error?: string;
}

const fixtures: Record<string, Fixture> = {
  LF: { text: '{"a":1}\n{"b":2}\n', lines: ['{"a":1}', '{"b":2}'] },
  CRLF: { text: '{"a":1}\r\n{"b":2}\r\n', lines: ['{"a":1}', '{"b":2}'] },
  'LF and CRLF in turn': { text: 'a\nb\r\nc\n', lines: ['a', 'b', 'c'] },
  'a CR within a line stays': { text: 'a\rb\r\r\n', lines: ['a\rb\r'] },
  'empty lines': { text: '\n\r\n\na\n', lines: ['', '', '', 'a'] },
  'UTF-8 of all lengths': { text: '"ä€😀\u2028"\n', lines: ['"ä€😀\u2028"'] },
  'an unfinished line is dropped': { text: 'a\nb', lines: ['a'], dropped: true },
  'a lone CR at the end is an unfinished line': { text: 'a\n\r', lines: ['a'], dropped: true },
  'nothing at all': { text: '', lines: [] },
  'a line as long as the limit': { text: '12345\n12345\r\n', lines: ['12345', '12345'], maxLineBytes: 5 },
  'a longer one': { text: 'a\n123456\n', lines: ['a'], maxLineBytes: 5, error: 'line-too-large' },
  'a longer one with CRLF': { text: '123456\r\n', lines: [], maxLineBytes: 5, error: 'line-too-large' },
};

describe.each(Object.entries(fixtures))('%s', (_name, { text, lines, dropped, maxLineBytes, error }) => {
  const whole = Buffer.from(text);
  const expected = { lines, error };
  const of = (pieces: readonly Buffer[]): typeof expected => {
    const found = parse(pieces, maxLineBytes);
    // Of a line that is too long nobody asks where it ended.
    if (error === undefined) expect(found.dropped).toBe(dropped ?? false);
    return { lines: found.lines, error: found.error };
  };

  test('whole', () => expect(of([whole])).toEqual(expected));
  test('cut at every byte', () => {
    for (let at = 0; at <= whole.length; at++) expect(of(cut(whole, [at])), `at ${at}`).toEqual(expected);
  });
  test('byte by byte', () => {
    expect(of(cut(whole, [...whole.keys()].slice(1)))).toEqual(expected);
  });
});

test('any lines in any pieces are the same lines', () => {
  const line = fc.string({ unit: fc.constantFrom('a', '{', '"', ' ', 'ä', '😀', '\t'), maxLength: 40 });
  const ending = fc.constantFrom('\n', '\r\n');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, ending)),
      fc.array(fc.nat({ max: 400 }), { maxLength: 20 }),
      (parts, cuts) => {
        const whole = Buffer.from(parts.map(([text, end]) => text + end).join(''));
        const within = cuts.map((at) => Math.min(at, whole.length));
        expect(parse(cut(whole, within))).toEqual({
          lines: parts.map(([text]) => text),
          dropped: false,
          error: undefined,
        });
      },
    ),
  );
});

test('a line too long is refused before its end has come', () => {
  const piece = Buffer.alloc(10, 'x');
  expect(parse([piece, piece], 15)).toEqual({ lines: [], dropped: true, error: 'line-too-large' });
});

test('a line of 10 MB in small pieces is copied a few times, and not once a piece', () => {
  const bytes = 10 * 1024 * 1024;
  const piece = Buffer.alloc(4096, 'x');
  let copied = 0;
  const counting = new Proxy(piece, {
    get: (target, key) => {
      if (key === 'copy')
        return (to: Buffer, at: number, start: number, end: number) => {
          copied += end - start;
          return target.copy(to, at, start, end);
        };
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
  let length = 0;
  let buffers = 0;
  let last: Buffer | null = null;
  const parser = new LineParser((buffer, start, end) => {
    length = end - start;
    last = buffer;
  });
  for (let sent = 0; sent < bytes; sent += piece.length) {
    parser.feed(counting);
    const { bytes: held } = (parser as unknown as { held: { bytes: Buffer } }).held;
    if (held !== last) buffers++;
    last = held;
  }
  parser.feed(Buffer.from('\n'));
  expect(length).toBe(bytes);
  expect(copied, 'each byte once').toBe(bytes);
  expect(buffers, 'grown by doubling').toBeLessThan(20);
});

test('a taker that resets it is told of nothing more of the chunk', () => {
  const lines: string[] = [];
  const parser: LineParser = new LineParser((buffer, start, end) => {
    lines.push(buffer.toString('utf8', start, end));
    parser.reset();
  });
  parser.feed(Buffer.from('a\nb\nc'));
  parser.feed(Buffer.from('d\n'));
  expect(lines).toEqual(['a', 'd']);
});
