import { describe, expect, test } from 'vitest';
import { play } from './play.js';
import { accepted, answer, echo, event, streamHead } from './scripted-mcp.js';
import type { McpScript, McpServer, ScriptedPost } from './scripted-mcp.js';

const callsOf = ({ posts }: McpServer): ScriptedPost[] => posts.filter(({ n }) => n >= 0);
const once = { sessions: { count: 1, reconnect: false } };

describe('what the GET is answered', () => {
  const failures: [string, string, string, RegExp][] = [
    ['a redirect is not followed', answer(307, '', ['Location: /other']), 'http 307', /answered 307/],
    ['not found', answer(404, 'Not found'), 'http 404', /answered 404/],
    ['a plain web page', answer(200, '<html>', ['Content-Type: text/html']), 'not a stream', /text\/html/],
    ['no type at all', answer(200, 'hello'), 'not a stream', /of no type/],
    ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n', 'protocol', /begins with "SSH-2.0/],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'protocol', /switched protocols/],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\n', 'protocol', /begins with/],
    ['a bad status line', 'HTTP/1.1 2OO OK\r\n\r\n', 'protocol', /status line/],
    ['a folded header', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n', 'protocol', /header line/],
    ['endless headers', `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(70_000)}`, 'protocol', /larger than/],
    [
      'two framings',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      'protocol',
      /both Transfer-Encoding and Content-Length/,
    ],
    [
      'a bad chunk',
      `${streamHead.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n')}xyz\r\n`,
      'protocol',
      /chunked body is malformed/,
    ],
  ];
  test.each(failures)('%s', async (_, bytes, kind, message) => {
    const { sessions, result, server } = await play({ onStream: ({ stream }) => stream.write(bytes) }, once);
    expect(sessions).toMatchObject({ opened: 1, failed: 1, [`failed:${kind}`]: 1 });
    expect(result.examples[`session ${kind}`]).toMatch(message);
    expect(server.wire.requests, 'one GET and nothing else').toHaveLength(1);
  });

  test.each([
    ['closed before the head is whole', 'HTTP/1.1 200 OK\r\nContent-Ty'],
    ['closed without a word', ''],
  ])('%s', async (_, bytes) => {
    const { sessions } = await play({ onStream: ({ stream }) => stream.end(bytes) }, once);
    expect(sessions).toMatchObject({ opened: 1, failed: 1, 'failed:closed': 1 });
  });

  const streams: [string, string][] = [
    [
      'interim answers first',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n${streamHead}`,
    ],
    ['HTTP/1.0, until it closes', 'HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n'],
    ['a charset, odd case', 'HTTP/1.1 200 OK\r\ncontent-TYPE: Text/Event-Stream; charset=utf-8\r\n\r\n'],
    ['no reason phrase', 'HTTP/1.1 200\r\nContent-Type: text/event-stream\r\n\r\n'],
  ];
  test.each(streams)('%s: is a stream', async (_, head) => {
    const { counts } = await play({
      onStream: (session, server) =>
        session.stream.write(head + event(server.endpointOf(session), 'endpoint')),
    });
    expect(counts).toEqual({ ok: 10 });
  });

  test('an event stream of a known length that ends: a drop, not an error', async () => {
    const { counts, sessions } = await play({
      onStream: (session, server) => {
        const first = event(server.endpointOf(session), 'endpoint');
        if (session.ordinal > 0) return session.stream.write(streamHead + first);
        const head = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: ${first.length + 2000}\r\n\r\n`;
        session.stream.write(head + first);
      },
      onCall: (post, server) => {
        if (post.session.ordinal > 0) return server.serve(post);
        post.connection.write(accepted);
        // The last byte of the body is the end of the stream, in the middle of an event.
        post.session.stream.write(event(echo(post)) + `data: ${'x'.repeat(2000)}`);
      },
    });
    expect(counts).toMatchObject({ truncatedEvent: 1, reconnect: 1 });
    expect((counts['ok'] ?? 0) + (counts['disconnected'] ?? 0)).toBe(10);
    expect(sessions).toMatchObject({ dropped: 1 });
  });
});

describe('what a POST is answered', () => {
  const everyOther = (bytes: string, how: 'write' | 'end' = 'write'): McpScript => ({
    onCall: (post, server) => {
      if (post.n % 2 === 1) return server.serve(post);
      post.connection[how](bytes);
    },
  });

  test.each([301, 303, 307, 308])(
    '%i is not followed: an HTTP error, and nothing is sent twice',
    async (status) => {
      const { counts, server } = await play(
        everyOther(answer(status, '', ['Location: /messages/?sessionId=0'])),
      );
      expect(counts).toEqual({ ok: 5, [`httpError:${status}`]: 5 });
      expect(callsOf(server)).toHaveLength(10);
    },
  );

  test.each([400, 401, 404, 413, 429, 500, 503])('%i', async (status) => {
    const { counts } = await play(everyOther(answer(status, 'no')));
    expect(counts).toEqual({ ok: 5, [`httpError:${status}`]: 5 });
  });

  test.each([
    ['garbage', 'no HTTP at all\r\n'],
    ['a bad length', 'HTTP/1.1 202 Accepted\r\nContent-Length: -1\r\n\r\n'],
    ['endless headers', `HTTP/1.1 202 Accepted\r\nA: ${'b'.repeat(70_000)}`],
  ])('%s: the connection is of no more use, the call is disconnected', async (_, bytes) => {
    const { counts, server } = await play(everyOther(bytes));
    expect(counts).toEqual({ ok: 5, disconnected: 5 });
    expect(callsOf(server)).toHaveLength(10);
  });

  test.each([
    ['closed without a word', ''],
    ['closed in the head', 'HTTP/1.1 202 Acc'],
    ['closed after an interim answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('%s: disconnected, and not sent again', async (_, bytes) => {
    const { counts, server } = await play(everyOther(bytes, 'end'));
    expect(counts).toEqual({ ok: 5, disconnected: 5 });
    expect(callsOf(server)).toHaveLength(10);
  });

  test('pipelined garbage after an answer costs the connection, not the call', async () => {
    const { counts } = await play({
      onCall: (post) => {
        post.connection.write(`${accepted}garbage after it\r\n`);
        post.session.stream.write(event(echo(post)));
      },
    });
    expect((counts['ok'] ?? 0) + (counts['disconnected'] ?? 0)).toBe(10);
    expect(counts['ok']).toBeGreaterThan(0);
  });

  test('a huge JSON body is not kept', async () => {
    const { counts } = await play(
      {
        onCall: (post) => {
          const size = 17 * 1024 * 1024;
          const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
          const piece = Buffer.alloc(1024 * 1024, ' ');
          void post.connection
            .writeApart([head, ...Array<Buffer>(17).fill(piece)])
            .then(() => post.session.stream.write(event(echo(post))));
        },
      },
      { load: { model: 'count', calls: 1 } },
    );
    expect(counts).toEqual({ ok: 1 });
  });
});
