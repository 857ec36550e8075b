import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { SseParser } from './sse-parser.js';
import { WireError } from './wire-error.js';

type Call =
  | [what: 'event', name: string, data: string]
  | [what: 'comment' | 'id', text: string]
  | [what: 'retry', ms: number];

/** Feeds the pieces; all that was reported, in order, and whether an unfinished event was dropped. */
function parse(pieces: Buffer[], maxEventBytes?: number) {
  const calls: Call[] = [];
  const parser = new SseParser(
    {
      onEvent: (name, buffer, start, end) => calls.push(['event', name, buffer.toString('utf8', start, end)]),
      onComment: (buffer, start, end) => calls.push(['comment', buffer.toString('utf8', start, end)]),
      onId: (id) => calls.push(['id', id]),
      onRetry: (ms) => calls.push(['retry', ms]),
    },
    maxEventBytes === undefined ? {} : { maxEventBytes },
  );
  let error: string | undefined;
  try {
    for (const piece of pieces) parser.feed(piece);
  } catch (thrown) {
    if (!(thrown instanceof WireError)) throw thrown;
    error = thrown.kind;
  }
  const dropped = parser.end();
  return { calls, dropped, endings: { ...parser.sawLineEndings }, error };
}

/** Each piece in memory of its own, so that what is read outside of it shows. */
function cut(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const edges = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
  return edges.slice(1).map((edge, i) => Buffer.from(whole.subarray(edges[i], edge)));
}

interface Fixture {
  text: string | Buffer;
  calls: Call[];
  endings?: { lf: number; crlf: number; cr: number };
  dropped?: boolean;
}

const fixtures: Record<string, Fixture> = {
  LF: {
    text: 'event: message\ndata: {"a":1}\n\nevent: message\ndata: {"b":2}\n\n',
    calls: [
      ['event', 'message', '{"a":1}'],
      ['event', 'message', '{"b":2}'],
    ],
    endings: { lf: 6, crlf: 0, cr: 0 },
  },
  CRLF: {
    text: 'event: message\r\ndata: {"a":1}\r\n\r\ndata: b\r\n\r\n',
    calls: [
      ['event', 'message', '{"a":1}'],
      ['event', '', 'b'],
    ],
    endings: { lf: 0, crlf: 5, cr: 0 },
  },
  CR: {
    text: 'event: a\rdata: 1\r\rdata: 2\r\r',
    calls: [
      ['event', 'a', '1'],
      ['event', '', '2'],
    ],
    endings: { lf: 0, crlf: 0, cr: 5 },
  },
  'mixed in one event, as mcp-go writes it': {
    text: 'event: endpoint\ndata: /message?sessionId=1\r\n\r\nevent: message\ndata:{}\n\r\n',
    calls: [
      ['event', 'endpoint', '/message?sessionId=1'],
      ['event', 'message', '{}'],
    ],
    endings: { lf: 3, crlf: 3, cr: 0 },
  },
  'a CR alone within lines that end in LF': {
    text: 'data: a\rdata: b\n\nevent: c\rdata: d\n\nevent: e\ndata: f\rdata: g\r\n\r\nevent: h\r\ndata: i\rj\r\n\r\n',
    calls: [
      ['event', '', 'a\nb'],
      ['event', 'c', 'd'],
      ['event', 'e', 'f\ng'],
      ['event', 'h', 'i'],
    ],
    endings: { lf: 5, crlf: 5, cr: 4 },
  },
  'LF then CR is two line ends': {
    text: 'data: a\n\rdata: b\r\n\n\r',
    calls: [
      ['event', '', 'a'],
      ['event', '', 'b'],
    ],
    endings: { lf: 2, crlf: 1, cr: 2 },
  },
  'no space after the colon, and only one space taken': {
    text: 'event:x\ndata:a\ndata:  b\ndata: \tc\n\n',
    calls: [['event', 'x', 'a\n b\n\tc']],
  },
  'several data lines, also empty ones': {
    text: 'data: a\ndata\ndata:\ndata: \ndata: b\n\n',
    calls: [['event', '', 'a\n\n\n\nb']],
  },
  'empty data is an event, as in a priming event': {
    text: 'id: 1\ndata:\n\ndata\n\ndata: \n\n',
    calls: [
      ['id', '1'],
      ['event', '', ''],
      ['event', '', ''],
      ['event', '', ''],
    ],
  },
  'a name without data is no event, and is forgotten': {
    text: 'event: lost\n\ndata: x\n\n',
    calls: [['event', '', 'x']],
  },
  'the last name counts': { text: 'event: a\nevent: b\ndata: x\nevent\n\n', calls: [['event', '', 'x']] },
  'fields are told by their whole name': {
    text: 'dat: a\ndatax: b\ndata x: c\n data: d\nData: e\nevents: f\nids: g\nretryx: 1\nd\ne\ni\nr\n:\ndata: h\n\n',
    calls: [
      ['comment', ''],
      ['event', '', 'h'],
    ],
  },
  'comments, also within an event': {
    text: ': ping - 2026\n:\ndata: a\n:in between\ndata: b\n\n:last\n',
    calls: [
      ['comment', ' ping - 2026'],
      ['comment', ''],
      ['comment', 'in between'],
      ['event', '', 'a\nb'],
      ['comment', 'last'],
    ],
  },
  'ids: the last of an event counts, one with NUL does not, an empty one does': {
    text: 'id: 1\nid: 2\nid: 3\0\ndata: a\n\nid: 4\n\nid\ndata: b\n\ndata: c\n\n',
    calls: [
      ['id', '2'],
      ['event', '', 'a'],
      ['id', '4'],
      ['id', ''],
      ['event', '', 'b'],
      ['event', '', 'c'],
    ],
  },
  'retry takes digits alone': {
    text: 'retry: 1500\nretry: 1.5\nretry: -1\nretry:\nretry: 7ms\nretry\nretry:08\n',
    calls: [
      ['retry', 1500],
      ['retry', 8],
    ],
  },
  'UTF-8, and line ends of Unicode that are none here': {
    text: 'event: größe\ndata: é\u2028€\u2029😀\u0085\v\f\n\n',
    calls: [['event', 'größe', 'é\u2028€\u2029😀\u0085\v\f']],
  },
  'a byte order mark': { text: '\ufeffdata: a\n\n', calls: [['event', '', 'a']] },
  'a byte order mark only once, and only at the start': {
    text: '\ufeff\ufeffdata: a\n\n\ufeffdata: b\n\ndata: \ufeffc\n\n',
    calls: [['event', '', '\ufeffc']],
  },
  'half a byte order mark is a line like any other': {
    text: Buffer.concat([Buffer.from([0xef, 0xbb]), Buffer.from('data: a\ndata: b\n\n')]),
    calls: [['event', '', 'b']],
  },
  'nothing but line ends': { text: '\n\r\n\r\r\n\n', calls: [], endings: { lf: 2, crlf: 2, cr: 1 } },
  'an unfinished event is dropped': {
    text: 'data: a\n\nevent: b\ndata: c\n',
    calls: [['event', '', 'a']],
    dropped: true,
  },
  'an unfinished line is dropped': { text: 'data: a\n\ndat', calls: [['event', '', 'a']], dropped: true },
  'an unfinished id is dropped': { text: 'data: a\n\nid: 3\n', calls: [['event', '', 'a']], dropped: true },
  'an unfinished comment is no event': {
    text: 'data: a\n\n: keep-al',
    calls: [['event', '', 'a']],
    dropped: false,
  },
};

const bytesOf = ({ text }: Fixture) => (typeof text === 'string' ? Buffer.from(text) : text);

describe('reads', () => {
  for (const [name, fixture] of Object.entries(fixtures))
    test(name, () => {
      const { calls, dropped, endings } = parse([bytesOf(fixture)]);
      expect(calls).toEqual(fixture.calls);
      expect(dropped).toBe(fixture.dropped ?? false);
      if (fixture.endings) expect(endings).toEqual(fixture.endings);
    });
});

describe('makes no difference between pieces', () => {
  for (const [name, fixture] of Object.entries(fixtures))
    test(`split at every byte and every pair of bytes: ${name}`, () => {
      const whole = bytesOf(fixture);
      const expected = JSON.stringify(parse([whole]));
      const wrong: number[][] = [];
      for (let i = 0; i <= whole.length; i++)
        for (let j = i; j <= whole.length; j++)
          if (JSON.stringify(parse(cut(whole, [i, j]))) !== expected) wrong.push([i, j]);
      expect(wrong).toEqual([]);
      const everyByte = Array.from({ length: whole.length }, (_, i) => i);
      expect(JSON.stringify(parse(cut(whole, everyByte)))).toBe(expected);
    });

  test('parts of a larger buffer, as chunked bodies lie', () => {
    const text = 'event: message\r\ndata: {"a":1}\r\n\r\ndata: b\n\n';
    for (let i = 0; i <= text.length; i++) {
      const calls: string[] = [];
      const parser = new SseParser({
        onEvent: (name, buffer, start, end) => calls.push(name, buffer.toString('utf8', start, end)),
      });
      const buffer = Buffer.from(
        `\n\r\n5\r\n${text.slice(0, i)}\r\n\n\n7\r\n${text.slice(i)}\r\n\r\ndata: no\n\n`,
      );
      parser.feed(buffer, 6, 6 + i);
      parser.feed(buffer, 13 + i, 13 + text.length);
      expect(calls).toEqual(['message', '{"a":1}', '', 'b']);
      expect(parser.end()).toBe(false);
    }
  });
});

/** The standard's own steps, on a decoded string. */
function standard(text: string): Call[] {
  const calls: Call[] = [];
  let [data, name, lastId, id] = ['', '', '', undefined as string | undefined];
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      if (id !== undefined) calls.push(['id', (lastId = id)]);
      if (data !== '') calls.push(['event', name, data.slice(0, -1)]);
      [data, name, id] = ['', '', undefined];
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*)(?::[ ]?([\s\S]*))?$/.exec(line)!;
    if (line.startsWith(':')) calls.push(['comment', line.slice(1)]);
    else if (field === 'data') data += `${value}\n`;
    else if (field === 'event') name = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^[0-9]+$/.test(value)) calls.push(['retry', Number(value)]);
  }
  void lastId;
  return calls;
}

const words = [
  'data',
  'event',
  'id',
  'retry',
  'message',
  ':',
  ': ',
  ' ',
  '\n',
  '\n\n',
  '\r',
  '\r\n',
  '\r\n\r\n',
  '7',
  'x',
];
const odd = [
  'data: {"a":1}\n\n',
  'event: message\ndata: y\n\n',
  'id: 4\n',
  'é',
  '😀',
  '\u2028',
  '\0',
  '\ufeff',
  '\t',
];
const piece = fc.constantFrom(...words, ...odd);
const streamText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const cuts = fc.array(fc.nat(400), { maxLength: 10 });
const cutAt = (whole: Buffer, at: number[]) =>
  cut(
    whole,
    at.map((place) => place % (whole.length + 1)),
  );

test('any text in any pieces gives what the standard says', () => {
  fc.assert(
    fc.property(streamText, cuts, (text, at) => {
      expect(parse(cutAt(Buffer.from(text), at)).calls).toEqual(standard(text));
    }),
    { numRuns: 3000 },
  );
});

test('any text in any pieces gives the events of eventsource-parser', () => {
  fc.assert(
    fc.property(streamText, cuts, (text, at) => {
      // It has its own ideas of a byte order mark, and waits after a last CR.
      const whole = `${text.replaceAll('\ufeff', '')}\n\n`;
      const theirs: Call[] = [];
      const reference = createParser({
        onEvent: ({ event, data }) => theirs.push(['event', event ?? '', data]),
        onComment: (comment) => theirs.push(['comment', comment]),
        onRetry: (ms) => theirs.push(['retry', ms]),
      });
      reference.feed(whole);
      const ours = parse(cutAt(Buffer.from(whole), at)).calls.filter(([what]) => what !== 'id');
      const trimmed = ours.map((call) =>
        call[0] === 'comment' ? ['comment', call[1].replace(/^ /, '')] : call,
      );
      expect(trimmed).toEqual(theirs);
    }),
    { numRuns: 3000 },
  );
});

test('any bytes at all, cut anywhere, give the same as in one piece', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), streamText, cuts, (noise, text, at) => {
      const whole = Buffer.concat([Buffer.from(text), noise, Buffer.from(text)]);
      expect(parse(cutAt(whole, at))).toEqual(parse([whole]));
    }),
    { numRuns: 1000 },
  );
});

describe('size', () => {
  test('the limit falls on the same byte in any pieces', () => {
    const fits = 'data: 89\n\n';
    for (const text of [
      'data: 89a\n\n',
      ': 3456789\n',
      'data: 8\ndata: 9\ndata: \n\n',
      'junk567890\n',
      'event: 789\n',
    ]) {
      const whole = Buffer.from(fits + text);
      for (let i = 0; i <= whole.length; i++)
        for (let j = i; j <= whole.length; j++) {
          const { calls, error } = parse(cut(whole, [i, j]), 8);
          expect([calls, error]).toEqual([[['event', '', '89']], 'event-too-large']);
        }
    }
  });

  test('an endless line is refused before its end', () => {
    const parser = new SseParser({ onEvent: () => undefined }, { maxEventBytes: 1000 });
    const piece = Buffer.from('x'.repeat(100));
    for (let i = 0; i < 10; i++) parser.feed(piece);
    expect(() => parser.feed(piece)).toThrow(WireError);
  });

  test('endless data lines are refused before the event ends', () => {
    const parser = new SseParser({ onEvent: () => undefined }, { maxEventBytes: 1000 });
    const piece = Buffer.from(`data:${'x'.repeat(95)}\n`);
    expect(() => {
      for (let i = 0; i < 12; i++) parser.feed(piece);
    }).toThrow(WireError);
  });

  test('endless comments and small events are no large event', () => {
    const parser = new SseParser({ onEvent: () => undefined }, { maxEventBytes: 50 });
    for (let i = 0; i < 1000; i++)
      parser.feed(Buffer.from(': a comment of some length\ndata: and an event\n\n'));
    expect(parser.end()).toBe(false);
  });

  test('a huge event in small pieces is copied a few times at most, not once per piece', () => {
    const size = 1 << 18;
    let copied = 0;
    const copy = Buffer.prototype.copy;
    vi.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, ...args) {
      const bytes = Reflect.apply(copy, this, args) as number;
      copied += bytes;
      return bytes;
    });
    try {
      for (const text of [`data: ${'x'.repeat(size)}\n\n`, `${'data: xxxxxxxx\n'.repeat(size / 15)}\n`]) {
        copied = 0;
        let seen = 0;
        const parser = new SseParser({ onEvent: (_name, _buffer, start, end) => (seen += end - start) });
        const whole = Buffer.from(text);
        for (let at = 0; at < whole.length; at += 64) parser.feed(whole, at, Math.min(whole.length, at + 64));
        expect(seen).toBeGreaterThan(size / 2);
        expect(copied).toBeLessThan(6 * size);
      }
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('a long line in pieces, then more lines: nothing is overwritten', () => {
    const long = 'x'.repeat(40_000);
    const text = `data: ${long}\ndata: second\nid: 1\n\nevent: short\ndata: ${long}\n\ndata: third`;
    const whole = Buffer.from(`${text}\n\n`);
    const { calls } = parse(
      cut(
        whole,
        Array.from({ length: 200 }, (_, i) => Math.floor((i * whole.length) / 200)),
      ),
    );
    expect(calls.map(([what, a, b]) => [what, a, b?.toString().length])).toEqual([
      ['id', '1', undefined],
      ['event', '', 40_007],
      ['event', 'short', 40_000],
      ['event', '', 5],
    ]);
  });

  test('an event within one chunk is not copied', () => {
    const chunk = Buffer.from('event: message\ndata: {"a":1}\n\n');
    const buffers: Buffer[] = [];
    const parser = new SseParser({ onEvent: (_, buffer) => buffers.push(buffer) });
    parser.feed(chunk);
    expect(buffers[0]).toBe(chunk);
  });
});

describe('reset', () => {
  test('forgets the unfinished event, and expects a new stream', () => {
    const events: string[] = [];
    const parser = new SseParser({
      onEvent: (name, buffer, start, end) => events.push(name, buffer.toString('utf8', start, end)),
    });
    for (const begun of ['event: a\ndata: b\ndata: c\nda', 'data: x\r', '\ufeff', '\xef']) {
      parser.feed(Buffer.from(begun));
      parser.reset();
      parser.feed(Buffer.from('\ufeffdata: new\n\n'));
    }
    expect(events).toEqual(['', 'new', '', 'new', '', 'new', '', 'new']);
  });

  test.each(['onEvent', 'onComment', 'onId', 'onRetry'] as const)(
    'within %s leaves the rest of the chunk unread',
    (where) => {
      const text = ': c\nretry: 1\nid: 2\ndata: 3\n\n';
      for (const pieces of [
        [text + text],
        [text.slice(0, 2), text.slice(2) + text],
        [text.slice(0, -3), text.slice(-3) + text],
      ]) {
        const calls: string[] = [];
        const note = (name: string) => {
          calls.push(name);
          if (name === where) parser.reset();
        };
        const parser = new SseParser({
          onEvent: () => note('onEvent'),
          onComment: () => note('onComment'),
          onId: () => note('onId'),
          onRetry: () => note('onRetry'),
        });
        for (const part of pieces) {
          parser.feed(Buffer.from(part));
          if (calls.at(-1) === where) break;
        }
        expect(calls.at(-1)).toBe(where);
        expect(calls.filter((name) => name === where)).toHaveLength(1);
        expect(parser.end()).toBe(false);
      }
    },
  );
});
