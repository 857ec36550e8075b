import { describe, expect, test } from 'vitest';
import { play } from '../fixtures/play.js';
import { accepted, answer, echo, event, initialized } from '../fixtures/scripted-mcp.js';
import type { McpServer, ScriptedPost } from '../fixtures/scripted-mcp.js';
import { afterReading } from '../fixtures/scripted-server.js';

const callsOf = ({ posts }: McpServer): ScriptedPost[] => posts.filter(({ n }) => n >= 0);

/** Answers only when told; fails the test when a connection that owes an answer is given another request. */
class Holder {
  readonly held: ScriptedPost[] = [];
  mostHeld = 0;

  take(post: ScriptedPost, strict = true): void {
    if (strict) expect(this.held.map(({ connection }) => connection)).not.toContain(post.connection);
    this.held.push(post);
    this.mostHeld = Math.max(this.mostHeld, this.held.length);
  }

  release(): void {
    for (const post of this.held.splice(0)) {
      post.connection.write(accepted);
      post.session.stream.write(event(echo(post)));
    }
  }
}

describe('trap 8: a server may hold the POST while the tool runs', () => {
  test('serial: never two on one connection, another one for each', async () => {
    const holder = new Holder();
    const { counts, result, server } = await play(
      {
        onCall: (post) => {
          holder.take(post);
          if (holder.held.length === 5) holder.release();
        },
      },
      { load: { model: 'count', calls: 20, inFlight: 5 } },
    );
    expect(counts).toEqual({ ok: 20 });
    expect(holder.mostHeld).toBe(5);
    expect(result.totals.oddities.extraConnection).toBeGreaterThanOrEqual(4);
    expect(server.wire.connections.length, 'the stream, five calls, one to spare').toBeLessThanOrEqual(7);
  });

  test('serial, two sessions: no connection carries both', async () => {
    const holder = new Holder();
    const { counts, server } = await play(
      {
        onCall: (post) => {
          holder.take(post);
          if (holder.held.length === 4) holder.release();
        },
      },
      { sessions: 2, load: { model: 'count', calls: 16, inFlight: 2 } },
    );
    expect(counts).toEqual({ ok: 16 });
    for (const { requests } of server.wire.connections) {
      expect(new Set(requests.map(({ target }) => target)).size).toBeLessThanOrEqual(1);
    }
  });

  test('shared: one request per connection at a time, over all sessions, and no more connections than allowed', async () => {
    const holder = new Holder();
    const { counts, server } = await play(
      {
        onCall: (post) => {
          holder.take(post);
          if (holder.held.length === 3) holder.release();
        },
      },
      {
        sessions: 6,
        load: { model: 'count', calls: 30, inFlight: 2 },
        posts: { mode: 'shared', connections: 3 },
      },
    );
    expect(counts).toEqual({ ok: 30 });
    expect(holder.mostHeld).toBe(3);
    expect(server.wire.connections).toHaveLength(6 + 3);
  });

  test('pipelined: several on one connection where that was asked for, in order', async () => {
    const holder = new Holder();
    const { counts, server } = await play(
      {
        onCall: (post) => {
          holder.take(post, false);
          if (holder.held.length === 5) holder.release();
        },
      },
      { load: { model: 'count', calls: 20, inFlight: 5 }, posts: { mode: 'pipelined', connections: 1 } },
    );
    expect(counts).toEqual({ ok: 20 });
    expect(server.wire.connections, 'the stream and one for all POSTs').toHaveLength(2);
    const ids = callsOf(server).map(({ message }) => message.id as number);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test('pipelined over several connections', async () => {
    const { counts, server } = await play(
      {},
      { load: { model: 'count', calls: 40, inFlight: 8 }, posts: { mode: 'pipelined', connections: 3 } },
    );
    expect(counts).toEqual({ ok: 40 });
    expect(server.wire.connections).toHaveLength(4);
  });
});

describe('trap 9: a POST may never be answered', () => {
  test('the event still completes the call, and the POST is given up after its own time limit', async () => {
    const { counts, result, server } = await play(
      { onCall: (post) => post.session.stream.write(event(echo(post))) },
      { load: { model: 'count', calls: 6, inFlight: 1 }, timeouts: { call: '300ms' } },
    );
    expect(counts).toEqual({ ok: 6 });
    expect(result.metrics['call.ack'], 'none was acknowledged').toBeUndefined();
    expect(callsOf(server), 'none was sent twice').toHaveLength(6);
  });

  test('neither 2xx nor event: timeout', async () => {
    const { counts, server } = await play(
      { onCall: () => {} },
      { load: { model: 'count', calls: 6, inFlight: 3 }, timeouts: { call: '300ms' } },
    );
    expect(counts).toEqual({ timeout: 6 });
    expect(callsOf(server)).toHaveLength(6);
  });

  test('the initialize POST is never answered, its event comes', async () => {
    const { counts, sessions } = await play({
      onInitialize: (post) =>
        post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, result: {} })),
    });
    expect(counts).toEqual({ ok: 10 });
    expect(sessions).toMatchObject({ opened: 1, ready: 1 });
  });

  test('shared: a session that fails in its handshake gives its connection back', async () => {
    const { counts, sessions } = await play(
      {
        onInitialize: (post) => {
          if (post.session.ordinal === 0) return;
          post.connection.write(accepted);
          post.session.stream.write(event(initialized(post)));
        },
      },
      {
        // The second comes when the time of the first is up.
        sessions: { count: 2, open: '1/s', reconnect: false },
        posts: { mode: 'shared', connections: 1 },
        timeouts: { handshake: '600ms' },
      },
    );
    expect(counts).toEqual({ ok: 10 });
    expect(sessions).toMatchObject({ opened: 2, ready: 1, failed: 1 });
  });

  test('shared: a session whose initialize was answered on the stream alone gives its connection back', async () => {
    const { counts, sessions } = await play(
      {
        onInitialize: (post) => {
          if (post.session.ordinal > 0) post.connection.write(accepted);
          post.session.stream.write(event(initialized(post)));
        },
      },
      {
        sessions: { count: 2, open: '1/s', reconnect: false },
        posts: { mode: 'shared', connections: 1 },
        timeouts: { handshake: '600ms' },
      },
    );
    expect(counts).toEqual({ ok: 10 });
    expect(sessions).toMatchObject({ opened: 2, ready: 1, failed: 1 });
  });

  test('shared: the POST of an initialize that was answered on the stream has the time limit of a call', async () => {
    const { counts, sessions, server } = await play(
      { onInitialize: (post) => post.session.stream.write(event(initialized(post))) },
      { posts: { mode: 'shared', connections: 1 }, timeouts: { call: '300ms', handshake: '10s' } },
    );
    expect(counts).toEqual({ ok: 10 });
    expect(sessions).toMatchObject({ opened: 1, ready: 1 });
    expect(server.wire.connections, 'the stream, the one given up, the one after it').toHaveLength(3);
  });

  test('an initialize that takes longer than a call may is waited for', async () => {
    const { counts, sessions } = await play(
      {
        onInitialize: (post) => {
          setTimeout(() => {
            post.connection.write(accepted);
            post.session.stream.write(event(initialized(post)));
          }, 300);
        },
      },
      { timeouts: { call: '100ms', handshake: '10s' }, load: { model: 'count', calls: 1 } },
    );
    expect(sessions).toMatchObject({ opened: 1, ready: 1 });
    expect(counts).toEqual({ ok: 1 });
  });

  test('shared: an accepted POST whose answer never ends gives its connection back with its session', async () => {
    const unended = 'HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nabc';
    const { counts, sessions } = await play(
      {
        onInitialize: (post) => {
          post.connection.write(post.session.ordinal === 0 ? unended : accepted);
          post.session.stream.write(event(initialized(post)));
        },
        onCall: (post, server) => {
          if (post.session.ordinal === 2) return server.serve(post);
          post.connection.write(unended);
          afterReading(() => post.session.stream.end());
        },
      },
      {
        sessions: { count: 3, open: '1/s', reconnect: false },
        load: { model: 'count', calls: 8 },
        posts: { mode: 'shared', connections: 1 },
        timeouts: { handshake: '600ms' },
      },
    );
    expect(counts).toEqual({ ok: 7, disconnected: 1 });
    expect(sessions).toMatchObject({ opened: 3, ready: 2, failed: 1, dropped: 1 });
  });

  test('shared: the call of a session that is lost gives its connection back at once', async () => {
    const { counts } = await play(
      {
        onCall: (post, server) => {
          if (post.session.ordinal === 0) post.session.stream.end();
          else server.serve(post);
        },
      },
      {
        sessions: { count: 2, reconnect: false },
        load: { model: 'count', calls: 8 },
        posts: { mode: 'shared', connections: 1 },
        timeouts: { call: '300ms', connect: '5s' },
      },
    );
    expect(counts).toEqual({ ok: 7, disconnected: 1 });
  });

  test('the answers to the server’s requests are never accepted: calls go on all the same', async () => {
    const { counts } = await play(
      {
        onCall: (post, server) => {
          post.session.stream.write(event({ jsonrpc: '2.0', id: `s${post.n}`, method: 'ping' }));
          server.serve(post);
        },
        onOther: () => {},
      },
      { load: { model: 'count', calls: 4 }, timeouts: { call: '300ms' } },
    );
    expect(counts).toEqual({ ok: 4, 'serverRequest:ping': 4 });
  });

  test('cancelled calls whose POSTs are never answered do not use up the connections', async () => {
    const { counts, server, result } = await play(
      { onCall: () => {} },
      {
        load: { model: 'count', calls: 5 },
        calls: [{ tool: 'echo', arguments: { message: 'x' }, timeout: '300ms', cancelAfter: '50ms' }],
        timeouts: { call: '300ms' },
      },
    );
    expect(counts).toEqual({ cancelled: 5 });
    expect(result.intervals.reduce((sum, { totals }) => sum + totals.cancelled!, 0)).toBe(5);
    expect(result.intervals.reduce((sum, { totals }) => sum + totals.answered!, 0)).toBe(0);
    expect(callsOf(server)).toHaveLength(5);
  });
});

describe('trap 10: keep-alive connections die under us', () => {
  test.each(['serial', 'shared', 'pipelined'] as const)(
    '%s: closed while idle, in good order: the next call takes a new one',
    async (mode) => {
      const { counts, server } = await play(
        {
          onCall: (post) => {
            post.connection.socket.on('close', () => post.session.stream.write(event(echo(post))));
            post.connection.end(accepted);
          },
        },
        { posts: { mode } },
      );
      expect(counts).toEqual({ ok: 10 });
      expect(new Set(callsOf(server).map(({ connection }) => connection)).size).toBe(10);
    },
  );

  test('closed just when the next call is sent into it: lost or not, no call is sent twice', async () => {
    const { counts, server } = await play(
      {
        onCall: (post, server) => {
          if (post.connection.socket.writableEnded) return;
          server.serve(post);
          post.connection.end();
        },
      },
      { load: { model: 'count', calls: 40, inFlight: 4 } },
    );
    expect(counts['ok']! + (counts['disconnected'] ?? 0)).toBe(40);
    const ids = callsOf(server).map(({ message }) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('"Connection: close" from a server that never closes', async () => {
    const { counts, server } = await play({
      onCall: (post) => {
        post.connection.write(answer(202, '', ['Connection: close']));
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(new Set(callsOf(server).map(({ connection }) => connection)).size).toBe(10);
  });

  test.each(['serial', 'shared', 'pipelined'] as const)(
    '%s: closed when the next call comes, without an answer: disconnected, and not sent again',
    async (mode) => {
      const { counts, server } = await play(
        {
          onCall: (post, server) => {
            if (post.n % 2 === 0) server.serve(post);
            else post.connection.reset();
          },
        },
        { posts: { mode } },
      );
      expect(counts).toEqual({ ok: 5, disconnected: 5 });
      expect(callsOf(server)).toHaveLength(10);
    },
  );

  test('closed without an answer after the event: the call is ok', async () => {
    const { counts } = await play({
      onCall: (post) => {
        post.session.stream.write(event(echo(post)));
        afterReading(() => post.connection.reset());
      },
    });
    expect(counts).toEqual({ ok: 10 });
  });

  test('an unasked answer on an idle connection (408) makes it useless, and ends no call', async () => {
    const { counts, server } = await play({
      onCall: (post) => {
        post.connection.write(accepted);
        afterReading(() => {
          post.connection.write(answer(408, '', ['Connection: close']));
          afterReading(() => post.session.stream.write(event(echo(post))));
        });
      },
    });
    expect(counts).toEqual({ ok: 10, strayAnswer: 10 });
    expect(new Set(callsOf(server).map(({ connection }) => connection)).size).toBe(10);
  });

  test.each(['serial', 'pipelined'] as const)(
    '%s: a connection that the server will soon drop, by its own word, is not used again',
    async (mode) => {
      const soonGone = answer(202, '', ['Keep-Alive: timeout=1']);
      const { counts, server } = await play(
        {
          onInitialized: (post) => post.connection.write(soonGone),
          onCall: (post) => {
            post.connection.write(soonGone);
            afterReading(() => post.session.stream.write(event(echo(post))));
          },
          onInitialize: (post) => {
            post.connection.write(soonGone);
            afterReading(() => post.session.stream.write(event(initialized(post))));
          },
        },
        { posts: { mode }, load: { model: 'count', calls: 5 } },
      );
      expect(counts).toEqual({ ok: 5 });
      expect(server.wire.connections.map(({ requests }) => requests.length)).toEqual(Array(8).fill(1));
    },
  );
});

describe('trap 11: the endpoint is used as given, and Host matters', () => {
  test.each([
    ['/messages/?session_id=0', 'a trailing slash'],
    ['/a%2Fb//c;p=1/%20/?s=%7B0%7D&x=0', 'escapes, empty segments, parameters'],
    ['/messages?sessionId=a+b%2B&n=0', 'plus signs'],
  ])('%s: %s', async (endpoint) => {
    const { counts, server } = await play({
      onStream: ({ stream }) => stream.write(streamHeadWith(endpoint)),
    });
    expect(counts).toEqual({ ok: 10 });
    expect(new Set(server.posts.map(({ request }) => request.target))).toEqual(new Set([endpoint]));
  });

  test('an absolute endpoint of the same origin; Host is that of the URL on every request', async () => {
    const { counts, server } = await play({
      onStream: ({ stream }, { wire }) =>
        stream.write(streamHeadWith(`${wire.origin}/messages/?session_id=0`)),
    });
    expect(counts).toEqual({ ok: 10 });
    expect(new Set(server.posts.map(({ request }) => request.target))).toEqual(
      new Set(['/messages/?session_id=0']),
    );
    for (const { headers } of server.wire.requests)
      expect(headers.get('host')).toEqual([server.wire.origin.slice(7)]);
  });
});

function streamHeadWith(endpoint: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n${event(endpoint, 'endpoint')}`;
}
