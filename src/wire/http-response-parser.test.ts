import { describe, expect, test } from 'vitest';
import { HttpResponseParser, WireError } from './http-response-parser.js';
import type { HttpResponseLimits, ResponseHeaders } from './http-response-parser.js';

interface Seen {
  status: number;
  headers: ResponseHeaders;
  body: string;
  ended: boolean;
  keepAlive: boolean;
}

/** Feeds the pieces, then the end if asked; what was reported, and the kind of the error if one was thrown. */
function parse(pieces: Buffer[], options: HttpResponseLimits & { close?: boolean } = {}) {
  const responses: Seen[] = [];
  const parser = new HttpResponseParser(
    {
      onHead: (status, headers) =>
        responses.push({ status, headers, body: '', ended: false, keepAlive: false }),
      onBody(chunk, start, end) {
        expect(end).toBeGreaterThan(start);
        responses.at(-1)!.body += chunk.toString('latin1', start, end);
      },
      onEnd(keepAlive) {
        const last = responses.at(-1)!;
        expect(last.ended).toBe(false);
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
  }
  const seen = responses.map(({ headers, ...rest }) => ({
    ...rest,
    contentType: headers.contentType,
    contentLength: headers.contentLength,
    chunked: headers.chunked,
    location: headers.location,
    retryAfter: headers.retryAfter,
  }));
  return { seen, error, idle: parser.idle, responses };
}

const bytes = (text: string) => Buffer.from(text, 'latin1');
const split = (whole: Buffer, ...cuts: number[]) =>
  [0, ...cuts].map((from, i) => Buffer.from(whole.subarray(from, cuts[i] ?? whole.length)));

const uws = 'HTTP/1.1 202 Accepted\r\nuWebSockets: 20\r\nContent-Length: 8\r\n\r\nAccepted';
const fixtures: Record<string, { text: string; close?: boolean; limits?: HttpResponseLimits }> = {
  'three pipelined': { text: uws + 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n' + uws },
  chunked: {
    text:
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\nA;x="y"\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n' +
      uws,
  },
  'until close': {
    text: 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nas long as it lasts',
    close: true,
  },
  'no body': {
    text: 'HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n' + uws,
  },
  interim: { text: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n' + uws },
  'connection close': {
    text: 'HTTP/1.1 503 Busy\r\nRetry-After: 3\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx',
    close: true,
  },
  'cut body': { text: 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort', close: true },
  'cut head': { text: 'HTTP/1.1 200 OK\r\nContent-Le', close: true },
  'cut chunk': { text: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', close: true },
  garbage: { text: uws + 'garbage here\r\n\r\n' },
};

describe('the same bytes in any pieces give the same responses', () => {
  for (const [name, { text, close = false, limits }] of Object.entries(fixtures))
    test(name, () => {
      const whole = bytes(text);
      const expected = parse([whole], { ...limits, close });
      expect(expected).toMatchObject({ error: parse(split(whole, 1), { ...limits, close }).error });
      for (let cut = 1; cut < whole.length; cut++)
        expect(parse(split(whole, cut), { ...limits, close }).seen).toEqual(expected.seen);
      const single = parse(split(whole, ...Array.from({ length: whole.length - 1 }, (_, i) => i + 1)), {
        ...limits,
        close,
      });
      expect(single.seen).toEqual(expected.seen);
      expect(single.error).toBe(expected.error);
    });
});

test('reports several small responses of one buffer, in order', () => {
  const { seen, idle } = parse([bytes(uws.repeat(3))]);
  expect(seen.map(({ status, body, ended, keepAlive }) => [status, body, ended, keepAlive])).toEqual(
    Array.from({ length: 3 }, () => [202, 'Accepted', true, true]),
  );
  expect(idle).toBe(true);
});
