import { describe, expect, test } from 'vitest';
import { play } from '../fixtures/play.js';
import { accepted, answer, echo, event, initialized, streamHead } from '../fixtures/scripted-mcp.js';
import type { McpScript, McpServer, ScriptedPost } from '../fixtures/scripted-mcp.js';

const callsOf = ({ posts }: McpServer): ScriptedPost[] => posts.filter(({ n }) => n >= 0);
const once = { sessions: { count: 1, reconnect: false } };

describe('what the GET is answered', () => {
  const failures: [string, string, string, RegExp][] = [
    [
      'a redirect is not followed',
      answer(307, '', ['Location: /other?key=S']),
      'http 307',
      /answered 307, a redirect to \/other…/,
    ],
    ['not found', answer(404, 'Not found'), 'http 404', /answered 404/],
    ['a plain web page', answer(200, '<html>', ['Content-Type: text/html']), 'not a stream', /text\/html/],
    [
      'compressed, though only identity was asked for',
      streamHead.replace('\r\n\r\n', '\r\nContent-Encoding: gzip\r\n\r\n') + '\x1f\x8b\x08',
      'encoded',
      /answered 200, with Content-Encoding: gzip/,
    ],
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

describe('what the endpoint event says goes into the head of every POST', () => {
  // One byte to a character, these are CR, LF and SP: the server writes a request of its own into ours.
  const splitting = '/m?s=0\u0120HTTP/1.1\u010d\u010aHost:\u0120h\u010d\u010a\u010d\u010aDELETE\u0120/all';

  test.each(['serial', 'pipelined', 'shared'] as const)('no request is split in two: %s', async (mode) => {
    const { sessions, result, server } = await play(
      { onStream: ({ stream }) => stream.write(streamHead + event(splitting, 'endpoint')) },
      { ...once, posts: { mode } },
    );
    expect(sessions).toMatchObject({ opened: 1, failed: 1, 'failed:endpoint': 1 });
    expect(result.examples['session endpoint']).toContain('U+0120');
    expect(server.wire.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(['GET /sse']);
  });

  test('a fragment stays at home', async () => {
    const { counts, server } = await play({
      onStream: (session, { endpointOf }) =>
        session.stream.write(streamHead + event(`${endpointOf(session)}#part`, 'endpoint')),
    });
    expect(counts).toEqual({ ok: 10 });
    for (const { request } of server.posts) expect(request.target).toBe('/messages?sessionId=0');
  });
});

describe('what the POST of initialize is answered', () => {
  const gzipped = (status: number): string =>
    answer(status, '\x1f\x8b\x08', ['Content-Type: application/json', 'Content-Encoding: gzip']);

  test.each([
    [
      'a redirect',
      answer(308, '', ['Location: /elsewhere?key=S']),
      'http 308',
      /308, a redirect to \/elsewhere…/,
    ],
    ['a compressed refusal', gzipped(400), 'http 400', /answered 400, with Content-Encoding: gzip/],
    [
      'a compressed response',
      gzipped(200),
      'timeout',
      /not ready .*answered 200, with Content-Encoding: gzip/,
    ],
  ])('%s is named', async (_, bytes, kind, message) => {
    const { sessions, result } = await play(
      { onInitialize: ({ connection }) => connection.write(bytes) },
      { ...once, timeouts: { handshake: '1s' } },
    );
    expect(sessions).toMatchObject({ [`failed:${kind}`]: 1 });
    expect(result.examples[`session ${kind}`]).toMatch(message);
    expect(JSON.stringify(result)).not.toContain('key=S');
  });

  test('a compressed acceptance is none the worse for it', async () => {
    const { counts } = await play({
      onInitialize: (post) => {
        post.connection.write(gzipped(202));
        post.session.stream.write(event(initialized(post)));
      },
      onCall: (post) => {
        post.connection.write(gzipped(202));
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10 });
  });

  test('a call whose response stands in a compressed body says so', async () => {
    const { counts, result } = await play(
      { onCall: ({ connection }) => connection.write(gzipped(200)) },
      { load: { model: 'count', calls: 1 }, timeouts: { call: '500ms' } },
    );
    expect(counts).toEqual({ acceptedNoResponse: 1 });
    expect(result.examples['acceptedNoResponse']).toMatch(
      /its POST was answered 200, with Content-Encoding: gzip/,
    );
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
