import { expect, test } from 'vitest';
import { HttpResponseParser } from './http-response-parser.js';
import { SseParser } from './sse-parser.js';

// All sockets of a thread read into one buffer: what a parser keeps past `feed` it must have copied.
const shared = Buffer.alloc(4096);

function feedThroughOneBuffer(bytes: Buffer, sizes: number, feed: (chunk: Buffer) => void): void {
  for (let at = 0; at < bytes.length; at += sizes) {
    const length = bytes.copy(shared, 0, at, Math.min(bytes.length, at + sizes));
    feed(shared.subarray(0, length));
    shared.fill(0x58);
  }
}

const stream =
  'event: message\r\nid: 7\r\ndata: {"a":"€ and more"}\r\ndata: second line\r\n\r\n: note\ndata: x\n\nevent: endpoint\ndata: /m?s=1\n\n';

test.each(Array.from({ length: 60 }, (_, i) => i + 1))('events in pieces of %i bytes', (size) => {
  const seen: string[] = [];
  const parser = new SseParser({
    onEvent: (event, buffer, start, end) => seen.push(`${event}|${buffer.toString('utf8', start, end)}`),
  });
  feedThroughOneBuffer(Buffer.from(stream), size, (chunk) => parser.feed(chunk));
  expect(seen).toEqual(['message|{"a":"€ and more"}\nsecond line', '|x', 'endpoint|/m?s=1']);
});

const responses =
  'HTTP/1.1 202 Accepted\r\nContent-Type: text/plain\r\nX-One: first\r\nContent-Length: 8\r\n\r\nAccepted' +
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nX-One: second\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nTrailer: t\r\n\r\n' +
  'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nX-One: third\r\n\r\nno';

test.each(Array.from({ length: 120 }, (_, i) => i + 1))('responses in pieces of %i bytes', (size) => {
  const seen: string[] = [];
  let body = '';
  const heads: { get(name: string): string | undefined }[] = [];
  const parser = new HttpResponseParser({
    onHead: (status, headers) => {
      seen.push(`${status} ${headers.contentType} ${headers.get('x-one')}`);
      heads.push(headers);
    },
    onBody: (chunk, start, end) => (body += chunk.toString('utf8', start, end)),
    onEnd: (keepAlive) => {
      seen.push(`${body} ${keepAlive}`);
      body = '';
    },
  });
  feedThroughOneBuffer(Buffer.from(responses), size, (chunk) => parser.feed(chunk));
  expect(seen).toEqual([
    '202 text/plain first',
    'Accepted true',
    '200 application/json second',
    'hello world true',
    '404  third',
    'no true',
  ]);
});
