import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpResponseParser, WireError } from './http-response-parser.js';
import type { HttpResponseLimits, ResponseHeaders } from './http-response-parser.js';

interface Seen {
  status: number;
  headers: ResponseHeaders;
  body: string;
  ended: boolean;
  keepAlive: boolean;
}

type Options = HttpResponseLimits & { close?: boolean };

/** Feeds the pieces, then the end if asked; what was reported, and the kind of the error if one was thrown. */
function parse(pieces: Buffer[], options: Options = {}) {
  const responses: Seen[] = [];
  const parser = new HttpResponseParser(
    {
      onHead: (status, headers) =>
        responses.push({ status, headers, body: '', ended: false, keepAlive: false }),
      onBody(chunk, start, end) {
        if (end <= start || end > chunk.length) throw new Error(`an empty piece: ${start}…${end}`);
        responses.at(-1)!.body += chunk.toString('latin1', start, end);
      },
      onEnd(keepAlive) {
        const last = responses.at(-1)!;
        if (last.ended) throw new Error('ended twice');
        last.ended = true;
        last.keepAlive = keepAlive;
      },
    },
    options,
  );
  let error: string | undefined;
  try {
    for (const piece of pieces) parser.feed(piece);
    if (options.close) parser.end();
  } catch (thrown) {
    if (!(thrown instanceof WireError)) throw thrown;
    error = thrown.kind;
    if (errorOf(() => parser.feed(bytes(accepted))) !== thrown || errorOf(() => parser.end()) !== thrown)
      throw new Error('a broken parser went on', { cause: thrown });
  }
  return { responses, error, idle: parser.idle };
}

function errorOf(call: () => void): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** All that must not depend on how the bytes were cut. */
function outline({ responses, error, idle }: ReturnType<typeof parse>) {
  const seen = responses.map(({ headers, ...rest }) => [
    { ...rest, body: error === undefined || rest.ended ? rest.body : '' },
    [headers.contentType, headers.contentLength, headers.chunked, headers.keepAlive],
    [headers.location, headers.retryAfter, headers.get('x-more')],
  ]);
  return JSON.stringify({ seen, error, idle });
}

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Each piece in memory of its own, so that what is read outside of it shows. */
function cut(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const edges = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
  return edges.slice(1).map((edge, i) => Buffer.from(whole.subarray(edges[i], edge)));
}

const everyByte = (whole: Buffer) => Array.from({ length: whole.length }, (_, i) => i);

function head(status: string, ...headers: string[]): string {
  return `${[`HTTP/1.1 ${status}`, ...headers].join('\r\n')}\r\n\r\n`;
}

const accepted = `${head('202 Accepted', 'uWebSockets: 20', 'Content-Length: 8')}Accepted`;
const chunkedHead = head('200 OK', 'Transfer-Encoding: chunked');
const kib64 = 64 * 1024;

/** What is sent, and for each response its status, its body, and whether the connection lives on; or the kind of error. */
interface Fixture extends Options {
  text: string;
  responses?: [status: number, body: string, keepAlive: boolean][];
  error?: string;
}

const good: Record<string, Fixture> = {
  'pipelined, as uWebSockets answers POSTs': {
    text: accepted + head('202 Accepted', 'Content-Length: 0') + accepted,
    responses: [
      [202, 'Accepted', true],
      [202, '', true],
      [202, 'Accepted', true],
    ],
  },
  'chunked, with extensions and trailers': {
    text: `${chunkedHead}6\r\nabcdef\r\n00A ; x="y;z"\r\n0123456789\r\n0;last\r\nX-T: 1\r\nY: \xff\r\n\r\n${accepted}`,
    responses: [
      [200, 'abcdef0123456789', true],
      [202, 'Accepted', true],
    ],
  },
  'an empty chunked body': { text: `${chunkedHead}0\r\n\r\n`, responses: [[200, '', true]] },
  'until close': {
    text: head('200 OK', 'Content-Type: text/plain') + 'HTTP/1.1 is not a head here\r\n\r\n',
    close: true,
    responses: [[200, 'HTTP/1.1 is not a head here\r\n\r\n', false]],
  },
  'an empty body until close': { text: head('200 OK'), close: true, responses: [[200, '', false]] },
  'statuses without a body, whatever they say': {
    text:
      head('204 No Content') +
      head('304 Not Modified', 'Content-Length: 5') +
      head('204 No Content', 'Transfer-Encoding: chunked') +
      accepted,
    responses: [
      [204, '', true],
      [304, '', true],
      [204, '', true],
      [202, 'Accepted', true],
    ],
  },
  'interim responses': {
    text: head('100 Continue') + head('103 Early Hints', 'Link: x', 'Content-Length: 7') + accepted,
    responses: [[202, 'Accepted', true]],
  },
  'the last of a connection': {
    text: `${head('503 Busy', 'Retry-After: 3', 'Connection: foo, Close', 'Content-Length: 1')}x`,
    close: true,
    responses: [[503, 'x', false]],
  },
  'HTTP/1.0': {
    text: 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: Keep-Alive\r\n\r\nabHTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\ncd',
    responses: [
      [200, 'ab', true],
      [200, 'cd', false],
    ],
  },
  'HTTP/1.0 with chunks: read, and not used again': {
    text: 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    responses: [[200, 'a', false]],
  },
  'no reason phrase, odd statuses': {
    text: 'HTTP/1.1 200 \r\nContent-Length:0\r\n\r\nHTTP/1.1 799\r\ncontent-length:\t 0 \t\r\n\r\n',
    responses: [
      [200, '', true],
      [799, '', true],
    ],
  },
  'leading zeros': {
    text: `${head('200 OK', 'Content-Length: 0003')}abc${chunkedHead}000000000000000000003\r\nabc\r\n0000\r\n\r\n`,
    responses: [
      [200, 'abc', true],
      [200, 'abc', true],
    ],
  },
};

const bad: Record<string, Fixture> = {
  'another protocol': { text: 'SSH-2.0-OpenSSH_9.6\r\n', error: 'bad-status-line' },
  'half another protocol': { text: 'HTTX', error: 'bad-status-line' },
  'HTTP/2': { text: 'HTTP/2 200 OK\r\n\r\n  ', error: 'bad-status-line' },
  'lower case': { text: 'http/1.1 200 OK\r\n\r\n', error: 'bad-status-line' },
  'a status of two digits': { text: 'HTTP/1.1 20 OK\r\n\r\n', error: 'bad-status-line' },
  'a status of four digits': { text: 'HTTP/1.1 2000 OK\r\n\r\n', error: 'bad-status-line' },
  'a status below 100': { text: 'HTTP/1.1 099 OK\r\n\r\n', error: 'bad-status-line' },
  'a status line with LF alone': { text: 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', error: 'bad-status-line' },
  'a bare CR in the reason': { text: 'HTTP/1.1 200 O\rK\r\n\r\n', error: 'bad-status-line' },
  'an empty line first': { text: `\r\n${accepted}`, error: 'bad-status-line' },
  'garbage after a response': { text: `${accepted}garbage, pipelined\r\n\r\n`, error: 'bad-status-line' },
  'more body than said': { text: head('200 OK', 'Content-Length: 3') + 'abcdef', error: 'bad-status-line' },
  'a switch of protocols': {
    text: head('101 Switching Protocols', 'Upgrade: x'),
    error: 'unexpected-upgrade',
  },
  'headers with LF alone': { text: 'HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n', error: 'bad-header' },
  'a bare CR in a value': { text: 'HTTP/1.1 200 OK\r\nA: b\rContent-Length: 0\r\n\r\n', error: 'bad-header' },
  'an empty line of CR alone': { text: 'HTTP/1.1 200 OK\r\nA: b\r\n\rX', error: 'bad-header' },
  'a folded line': { text: 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n', error: 'bad-header' },
  'a space before the colon': { text: head('200 OK', 'Content-Length : 3'), error: 'bad-header' },
  'no name': { text: head('200 OK', ': x'), error: 'bad-header' },
  'no colon': { text: head('200 OK', 'nonsense'), error: 'bad-header' },
  'NUL in a value': { text: head('200 OK', 'A: b\0c'), error: 'bad-header' },
  'NUL in a name': { text: head('200 OK', 'A\0: c'), error: 'bad-header' },
  'DEL in a value': { text: head('200 OK', 'A: b\x7f'), error: 'bad-header' },
  'a name in Latin-1': { text: head('200 OK', 'Gr\xf6\xdfe: 3'), error: 'bad-header' },
  'two lengths': { text: head('200 OK', 'Content-Length: 3', 'Content-Length: 4'), error: 'bad-length' },
  'the same length twice': {
    text: head('200 OK', 'Content-Length: 3', 'Content-Length: 3'),
    error: 'bad-length',
  },
  'a list of lengths': { text: head('200 OK', 'Content-Length: 3, 3'), error: 'bad-length' },
  'a negative length': { text: head('200 OK', 'Content-Length: -1'), error: 'bad-length' },
  'a signed length': { text: head('200 OK', 'Content-Length: +1'), error: 'bad-length' },
  'a hexadecimal length': { text: head('200 OK', 'Content-Length: 0x10'), error: 'bad-length' },
  'an empty length': { text: head('200 OK', 'Content-Length: '), error: 'bad-length' },
  'an endless length': { text: head('200 OK', `Content-Length: ${'9'.repeat(400)}`), error: 'bad-length' },
  'length and chunks': {
    text: head('200 OK', 'Content-Length: 3', 'Transfer-Encoding: chunked'),
    error: 'bad-length',
  },
  'chunks and length 0': {
    text: head('200 OK', 'Transfer-Encoding: chunked', 'content-length: 0'),
    error: 'bad-length',
  },
  'another encoding': {
    text: head('200 OK', 'Transfer-Encoding: gzip, chunked'),
    error: 'bad-transfer-encoding',
  },
  'the identity encoding': {
    text: head('200 OK', 'Transfer-Encoding: identity'),
    error: 'bad-transfer-encoding',
  },
  'chunked twice': {
    text: head('200 OK', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
    error: 'bad-transfer-encoding',
  },
  'a chunk without a size': { text: `${chunkedHead}\r\nabc`, error: 'bad-chunk' },
  'a chunk of negative size': { text: `${chunkedHead}-3\r\nabc\r\n`, error: 'bad-chunk' },
  'a chunk size with 0x': { text: `${chunkedHead}0x3\r\nabc\r\n`, error: 'bad-chunk' },
  'a chunk size in letters': { text: `${chunkedHead}three\r\nabc\r\n`, error: 'bad-chunk' },
  'a chunk size after a space': { text: `${chunkedHead} 3\r\nabc\r\n`, error: 'bad-chunk' },
  'a chunk size of two words': { text: `${chunkedHead}3 3\r\nabc\r\n`, error: 'bad-chunk' },
  'an overflowing chunk size': { text: `${chunkedHead}${'F'.repeat(17)}\r\n`, error: 'bad-chunk' },
  'a chunk size beyond 2^53': { text: `${chunkedHead}20000000000000\r\n`, error: 'bad-chunk' },
  'an endless extension': { text: `${chunkedHead}3;${'x'.repeat(4100)}\r\n`, error: 'bad-chunk' },
  'NUL in an extension': { text: `${chunkedHead}3;a\0\r\nabc\r\n`, error: 'bad-chunk' },
  'a size line with LF alone': { text: `${chunkedHead}3\nabc\r\n`, error: 'bad-chunk' },
  'a size line with CR alone': { text: `${chunkedHead}3\rabc\r\n`, error: 'bad-chunk' },
  'a chunk longer than its size': { text: `${chunkedHead}3\r\nabcd\r\n`, error: 'bad-chunk' },
  'a chunk that ends in LF alone': { text: `${chunkedHead}3\r\nabc\n0\r\n\r\n`, error: 'bad-chunk' },
  'a chunk that ends in CR alone': { text: `${chunkedHead}3\r\nabc\r0\r\n\r\n`, error: 'bad-chunk' },
  'a folded trailer': { text: `${chunkedHead}0\r\nA: b\r\n c\r\n\r\n`, error: 'bad-header' },
  'a bare LF in a trailer': { text: `${chunkedHead}0\r\nA: b\n\r\n`, error: 'bad-header' },
  'a bare CR in a trailer': { text: `${chunkedHead}0\r\nA: b\rc\r\n\r\n`, error: 'bad-header' },
  'a bare CR after the trailers': { text: `${chunkedHead}0\r\n\rX`, error: 'bad-header' },
  'bytes after the last response': {
    text: `${head('200 OK', 'Connection: close', 'Content-Length: 1')}x\r\n`,
    error: 'unexpected-bytes',
  },
  'bytes after a 204 that closes': {
    text: `${head('204 No', 'Connection: close')}x`,
    error: 'unexpected-bytes',
  },
  'a cut status line': { text: 'HTTP/1.1 2', close: true, error: 'truncated' },
  'a cut head': { text: 'HTTP/1.1 200 OK\r\nContent-Le', close: true, error: 'truncated' },
  'a head without its empty line': { text: 'HTTP/1.1 200 OK\r\nA: b\r\n', close: true, error: 'truncated' },
  'a cut body': { text: `${head('200 OK', 'Content-Length: 9')}short`, close: true, error: 'truncated' },
  'a cut chunk size': { text: `${chunkedHead}5`, close: true, error: 'truncated' },
  'a cut chunk': { text: `${chunkedHead}5\r\nab`, close: true, error: 'truncated' },
  'a chunk without its end': { text: `${chunkedHead}2\r\nab`, close: true, error: 'truncated' },
  'no last chunk': { text: `${chunkedHead}2\r\nab\r\n`, close: true, error: 'truncated' },
  'a cut trailer': { text: `${chunkedHead}0\r\nA: b\r\n`, close: true, error: 'truncated' },
  'an interim response alone': { text: head('100 Continue'), close: true, error: 'truncated' },
  'a head larger than allowed': {
    text: head('200 OK', `A: ${'x'.repeat(100)}`),
    maxHeadBytes: 100,
    error: 'head-too-large',
  },
  'many headers, larger than allowed': {
    text: head('200 OK', ...Array.from({ length: 50 }, (_, i) => `H${i}: x`)),
    maxHeadBytes: 300,
    error: 'head-too-large',
  },
  'a header line without end': {
    text: `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(500)}`,
    maxHeadBytes: 300,
    error: 'head-too-large',
  },
  'a reason without end': {
    text: `HTTP/1.1 200 ${'x'.repeat(500)}`,
    maxHeadBytes: 300,
    error: 'head-too-large',
  },
  'trailers larger than allowed': {
    text: `${chunkedHead}0\r\n${'A: b\r\n'.repeat(40)}\r\n`,
    maxHeadBytes: 200,
    error: 'head-too-large',
  },
  'a length larger than allowed': {
    text: head('200 OK', 'Content-Length: 11'),
    maxBodyBytes: 10,
    error: 'body-too-large',
  },
  'chunks larger than allowed': {
    text: `${chunkedHead}6\r\nabcdef\r\n6\r\nabcdef\r\n`,
    maxBodyBytes: 10,
    error: 'body-too-large',
  },
  'a body until close larger than allowed': {
    text: `${head('200 OK')}01234567890`,
    maxBodyBytes: 10,
    error: 'body-too-large',
  },
};

describe('reads', () => {
  for (const [name, fixture] of Object.entries(good))
    test(name, () => {
      const { responses, error } = parse([bytes(fixture.text)], fixture);
      expect(error).toBeUndefined();
      expect(responses.map(({ status, body, keepAlive }) => [status, body, keepAlive])).toEqual(
        fixture.responses,
      );
      expect(responses.every(({ ended }) => ended)).toBe(true);
    });
});

describe('refuses', () => {
  for (const [name, fixture] of Object.entries(bad))
    test(name, () => expect(parse([bytes(fixture.text)], fixture).error).toBe(fixture.error));
});

describe('makes no difference between pieces', () => {
  const isShort = ({ text }: Fixture) => text.length < 70;
  // Thousands of errors are made here, and most of their time goes into stacks that nobody reads.
  const { stackTraceLimit } = Error;
  beforeAll(() => void (Error.stackTraceLimit = 0));
  afterAll(() => void (Error.stackTraceLimit = stackTraceLimit));

  for (const [name, fixture] of Object.entries({ ...good, ...bad }))
    test(`split at every byte${isShort(fixture) ? ' and every pair of bytes' : ''}: ${name}`, () => {
      const whole = bytes(fixture.text);
      const expected = outline(parse([whole], fixture));
      const wrong: (readonly number[])[] = [];
      const check = (cuts: readonly number[]) => {
        if (outline(parse(cut(whole, cuts), fixture)) !== expected) wrong.push(cuts);
      };
      for (let i = 0; i <= whole.length; i += whole.length < 1000 ? 1 : 17) {
        check([i]);
        if (isShort(fixture)) for (let j = i + 1; j <= whole.length; j++) check([i, j]);
      }
      check(everyByte(whole));
      expect(wrong).toEqual([]);
    });
});

describe('limits', () => {
  test('64 KiB of head unless told otherwise', () => {
    const filler = kib64 - head('200 OK', 'Content-Length: 0', 'A: ').length;
    const fits = bytes(head('200 OK', 'Content-Length: 0', `A: ${'x'.repeat(filler)}`));
    expect(fits.length).toBe(kib64);
    const tooLarge = bytes(head('200 OK', 'Content-Length: 0', `A: ${'x'.repeat(filler + 1)}`));
    for (const cuts of [[], [7], [30, 31], [kib64 - 1]]) {
      expect(parse(cut(fits, cuts))).toMatchObject({ error: undefined, idle: true });
      expect(parse(cut(tooLarge, cuts)).error).toBe('head-too-large');
    }
  });

  test('a head seen before is not let past a smaller limit', () => {
    const whole = bytes(head('200 OK', 'Content-Length: 0', 'X-Seen: before'));
    expect(parse([whole]).error).toBeUndefined();
    expect(parse([whole], { maxHeadBytes: whole.length }).error).toBeUndefined();
    expect(parse([whole], { maxHeadBytes: whole.length - 1 }).error).toBe('head-too-large');
  });

  test('an event stream may be as long as it likes', () => {
    const stream = head(
      '200 OK',
      'Content-Type: Text/Event-Stream; charset=utf-8',
      'Transfer-Encoding: chunked',
    );
    const { responses, error } = parse([bytes(`${stream}6\r\nabcdef\r\n6\r\nabcdef\r\n`)], {
      maxBodyBytes: 10,
    });
    expect(error).toBeUndefined();
    expect(responses[0]).toMatchObject({ body: 'abcdefabcdef', ended: false });
  });

  test('a body of exactly the limit is allowed', () => {
    expect(
      parse([bytes(`${head('200 OK', 'Content-Length: 3')}abc`)], { maxBodyBytes: 3 }).error,
    ).toBeUndefined();
    expect(parse([bytes(`${chunkedHead}3\r\nabc\r\n0\r\n\r\n`)], { maxBodyBytes: 3 }).error).toBeUndefined();
  });
});

describe('headers', () => {
  const first = (...headers: string[]) =>
    parse([bytes(head('307 Moved', 'Content-Length: 0', ...headers))]).responses[0]!.headers;

  test('the known ones, whatever their case', () => {
    expect(
      first(
        'LOCATION: /messages/?a=b',
        'rEtry-aFter:  120\t',
        'content-TYPE:\tApplication/JSON ; charset=utf-8',
      ),
    ).toMatchObject({
      location: '/messages/?a=b',
      retryAfter: '120',
      contentType: 'application/json',
      contentLength: 0,
      chunked: false,
      keepAlive: true,
    });
    expect(first()).toMatchObject({ location: '', retryAfter: undefined, contentType: '' });
  });

  test('names that only resemble them are left alone', () => {
    expect(
      first('Content_Length: 7', 'Content-Lengthy: 7', 'X-Location: /x', 'Locatio\x4e: /y'),
    ).toMatchObject({
      contentLength: 0,
      location: '/y',
    });
  });

  test('any other by name', () => {
    const headers = first(
      'Keep-Alive: timeout=5',
      'Set-Cookie: a=b',
      'X-Empty:',
      'set-cookie: c=d:e',
      'X-Latin: \xe9',
    );
    expect(headers.get('keep-alive')).toBe('timeout=5');
    expect(headers.get('Set-Cookie')).toBe('a=b, c=d:e');
    expect(headers.get('x-empty')).toBe('');
    expect(headers.get('x-latin')).toBe('\xe9');
    expect(headers.get('missing')).toBeUndefined();
    expect(headers.get('HTTP/1.1 307 Moved')).toBeUndefined();
  });

  test('they outlive the chunk they came in', () => {
    const chunk = bytes(head('200 OK', 'Content-Length: 0', 'X-Kept: yes'));
    const { headers } = parse([chunk]).responses[0]!;
    chunk.fill(0);
    expect(headers.get('x-kept')).toBe('yes');
  });

  test('heads that differ in one byte are told apart, in any order', () => {
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'].map((x) =>
      head('200 OK', `X-Same: ${x}`, 'Content-Length: 0'),
    );
    const order = [0, 1, 0, 2, 3, 4, 5, 0, 5, 1, 1, 4];
    const { responses } = parse([bytes(order.map((i) => texts[i]).join(''))]);
    expect(responses.map(({ headers }) => headers.get('x-same')).join('')).toBe(
      order.map((i) => 'abcdef'[i]).join(''),
    );
  });
});

describe('chunked data is handed on at once', () => {
  test('without its CRLF, and without waiting for the whole chunk', () => {
    const bodies: string[] = [];
    const parser = new HttpResponseParser({
      onHead: () => undefined,
      onBody: (chunk, start, end) => bodies.push(chunk.toString('latin1', start, end)),
      onEnd: () => undefined,
    });
    parser.feed(bytes(`${chunkedHead}5\r\nab`));
    expect(bodies).toEqual(['ab']);
    parser.feed(bytes('cde'));
    expect(bodies).toEqual(['ab', 'cde']);
    parser.feed(bytes('\r\n3\r\nxyz'));
    expect(bodies).toEqual(['ab', 'cde', 'xyz']);
  });
});

describe('reset', () => {
  test('makes a broken or half-fed parser as new', () => {
    for (const { text } of Object.values(bad)) {
      const statuses: number[] = [];
      const parser = new HttpResponseParser({
        onHead: (status) => statuses.push(status),
        onBody: () => undefined,
        onEnd: () => undefined,
      });
      try {
        parser.feed(bytes(text));
      } catch {
        expect(parser.idle).toBe(false);
      }
      parser.reset();
      expect(parser.idle).toBe(true);
      statuses.length = 0;
      parser.feed(bytes(accepted));
      expect(statuses).toEqual([202]);
      expect(parser.idle).toBe(true);
    }
  });

  test.each(['onHead', 'onBody', 'onEnd'] as const)(
    'within %s leaves the rest of the chunk unread',
    (where) => {
      for (const text of [
        accepted,
        `${chunkedHead}3\r\nabc\r\n0\r\n\r\n`,
        head('200 OK', 'Content-Length: 0'),
      ]) {
        const calls: string[] = [];
        const note = (name: string) => {
          calls.push(name);
          if (name === where) parser.reset();
        };
        const parser = new HttpResponseParser({
          onHead: () => note('onHead'),
          onBody: () => note('onBody'),
          onEnd: () => note('onEnd'),
        });
        parser.feed(bytes(text + text));
        if (calls.includes(where)) {
          expect(calls.at(-1)).toBe(where);
          expect(calls.filter((name) => name === where)).toEqual([where]);
          expect(parser.idle).toBe(true);
          calls.length = 0;
          parser.feed(bytes(text));
          expect(calls[0]).toBe('onHead');
        }
      }
    },
  );

  test('what a handler throws comes through, and breaks the parser until then', () => {
    const parser = new HttpResponseParser({
      onHead: () => {
        throw new RangeError('mine');
      },
      onBody: () => undefined,
      onEnd: () => undefined,
    });
    expect(() => parser.feed(bytes(accepted))).toThrow(RangeError);
    expect(() => parser.feed(bytes(accepted))).toThrow(WireError);
  });
});

test('idle only between responses', () => {
  const whole = bytes(accepted);
  for (let i = 1; i < whole.length; i++) expect(parse([whole.subarray(0, i)]).idle).toBe(false);
  expect(parse([whole]).idle).toBe(true);
  expect(parse([bytes(head('100 Continue'))]).idle).toBe(false);
  expect(parse([whole], { close: true }).error).toBeUndefined();
  expect(parse([], { close: true }).error).toBeUndefined();
});

interface Generated {
  text: string;
  status: number;
  body: string;
  more: string;
}

const bodyText = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)),
  maxLength: 60,
});
const fieldValue = fc
  .string({ unit: fc.constantFrom('a', 'Z', '0', ' ', '\t', ':', ';', '"', '\xe9', '\x80'), maxLength: 20 })
  .map((value) => value.replace(/^[ \t]+|[ \t]+$/g, ''));
const mixCase = (name: string) =>
  fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }).map((upper) =>
    name
      .split('')
      .map((c, i) => (upper[i] ? c.toUpperCase() : c.toLowerCase()))
      .join(''),
  );

const generated: fc.Arbitrary<Generated> = fc
  .record({
    status: fc.constantFrom(200, 202, 204, 304, 400, 404, 503),
    reason: fc.constantFrom('', 'OK', 'I am a teapot', '\xe9'),
    length: mixCase('content-length'),
    encoding: mixCase('transfer-encoding'),
    more: fieldValue,
    chunked: fc.boolean(),
    pieces: fc.array(
      bodyText.filter((text) => text.length > 0),
      { maxLength: 4 },
    ),
    extension: fc.constantFrom('', ';a=b', ' ;x', ';"\r"'.slice(0, 2)),
    trailers: fc.constantFrom('', 'T: 1\r\n', 'T: 1\r\nU: 2\r\n'),
    interim: fc.constantFrom('', head('100 Continue'), head('102 Processing', 'A: b')),
  })
  .map(({ status, reason, length, encoding, more, chunked, pieces, extension, trailers, interim }) => {
    const hasBody = status !== 204 && status !== 304;
    const body = hasBody ? pieces.join('') : '';
    const framing = chunked ? `${encoding}: chunked` : `${length}: ${body.length}`;
    const top = `${interim}HTTP/1.1 ${status} ${reason}\r\nX-More: ${more}\r\n${framing}\r\n\r\n`;
    if (!hasBody || !chunked) return { text: top + body, status, body, more };
    const chunks = pieces.map((piece) => `${piece.length.toString(16)}${extension}\r\n${piece}\r\n`).join('');
    return { text: `${top}${chunks}0\r\n${trailers}\r\n`, status, body, more };
  });

test('any sequence of valid responses in any pieces is read as it was written', () => {
  fc.assert(
    fc.property(
      fc.array(generated, { maxLength: 5 }),
      fc.array(fc.nat(2000), { maxLength: 12 }),
      (sent, cuts) => {
        const whole = bytes(sent.map(({ text }) => text).join(''));
        const { responses, error, idle } = parse(
          cut(
            whole,
            cuts.map((at) => at % (whole.length + 1)),
          ),
        );
        expect(error).toBeUndefined();
        expect(idle).toBe(true);
        expect(responses.map(({ status, body, headers }) => [status, body, headers.get('x-more')])).toEqual(
          sent.map(({ status, body, more }) => [status, body, more]),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('damaged responses never do worse than a WireError, and the same one in any pieces', () => {
  const damage = fc.record({
    at: fc.nat(1000),
    remove: fc.nat(3),
    insert: fc.string({
      unit: fc.constantFrom('\r', '\n', '\0', ' ', ':', '0', 'F', 'x', '\xff', 'HTTP/1.1 ', '\r\n\r\n'),
      maxLength: 3,
    }),
  });
  fc.assert(
    fc.property(
      fc.array(generated, { minLength: 1, maxLength: 3 }),
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(2000), { maxLength: 6 }),
      fc.boolean(),
      (sent, damages, cuts, close) => {
        let text = sent.map((one) => one.text).join('');
        for (const { at, remove, insert } of damages) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + insert + text.slice(place + remove);
        }
        const whole = bytes(text);
        const options = { close, maxHeadBytes: 200, maxBodyBytes: 150 };
        const expected = outline(parse([whole], options));
        expect(
          outline(
            parse(
              cut(
                whole,
                cuts.map((at) => at % (whole.length + 1)),
              ),
              options,
            ),
          ),
        ).toBe(expected);
        expect(outline(parse(cut(whole, everyByte(whole)), options))).toBe(expected);
      },
    ),
    { numRuns: 1000 },
  );
});
