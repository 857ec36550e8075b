import { describe, expect, test } from 'vitest';
import { play } from '../fixtures/play.js';
import { accepted, answer, echo, event, initialized, streamHead } from '../fixtures/scripted-mcp.js';
import type { McpServer, ScriptedPost } from '../fixtures/scripted-mcp.js';
import { afterReading } from '../fixtures/scripted-server.js';

const callsOf = ({ posts }: McpServer): ScriptedPost[] => posts.filter(({ n }) => n >= 0);
const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };

describe('trap 12: no load before the handshake is over', () => {
  test('classic: not before the acceptance of notifications/initialized', async () => {
    let acceptedIt = false;
    const { counts, server } = await play({
      onInitialized: (post) =>
        afterReading(() => {
          acceptedIt = true;
          post.connection.write(accepted);
        }, 20),
      onCall: (post, server) => {
        expect(acceptedIt).toBe(true);
        server.serve(post);
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(server.methods.slice(0, 3)).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
  });

  test('pymcp: the response of initialize alone', async () => {
    const { counts, server, result } = await play({
      onStream: (session, server) => {
        const endpoint = `${server.wire.origin}${server.endpointOf(session)}`;
        session.stream.write(streamHead + event({ endpoint, server_session_id: 'a' }, 'endpoint'));
      },
      onCall: (post) => {
        post.connection.write(accepted);
        const { message } = (post.message.params as unknown as { kwargs: { message: string } }).kwargs;
        post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, result: message }));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(result.target.dialect).toBe('pymcp');
    expect(server.methods).toEqual(['initialize', ...Array(10).fill('tools/call')]);
    expect(typeof callsOf(server)[0]!.message.id).toBe('string');
  });

  test('workspace: streamOpened alone, POSTs to the stream’s own path', async () => {
    const opened = { jsonrpc: '2.0', method: 'streamOpened', params: {} };
    const { counts, server, result } = await play(
      { onStream: ({ stream }) => stream.write(streamHead + event(opened, 'lifecycle')) },
      {},
      { scenarioFor: ({ wire }) => ({ target: `${wire.origin}/mcp/w-{session}` }) },
    );
    expect(counts).toEqual({ ok: 10 });
    expect(result.target.dialect).toBe('workspace');
    expect(new Set(server.wire.requests.map(({ target }) => target))).toEqual(new Set(['/mcp/w-0']));
    expect(server.methods).toEqual(Array(10).fill('tools/call'));
  });

  test('a time limit leads out of every state', async () => {
    const stuck = { opening: 0, initializing: 0, confirming: 0 };
    const { counts, sessions } = await play(
      {
        onStream: (session, server) => {
          if (session.ordinal === 0) return void stuck.opening++;
          session.stream.write(streamHead + event(server.endpointOf(session), 'endpoint'));
        },
        onInitialize: (post) => {
          post.connection.write(accepted);
          if (post.session.ordinal === 1) return void stuck.initializing++;
          post.session.stream.write(event(initialized(post)));
        },
        onInitialized: (post) => {
          if (post.session.ordinal === 2) return void stuck.confirming++;
          post.connection.write(accepted);
        },
      },
      { sessions: { count: 4, reconnect: false }, timeouts: { handshake: '1s' } },
    );
    expect(stuck).toEqual({ opening: 1, initializing: 1, confirming: 1 });
    expect(sessions).toMatchObject({ opened: 4, ready: 1, failed: 3, 'failed:timeout': 3 });
    expect(counts).toEqual({ ok: 10 });
  });
});

describe('trap 13: events between endpoint and initialize', () => {
  test('a notification right after the endpoint, another before it, and the second event is not ours', async () => {
    const { counts } = await play({
      onStream: (session, server) => {
        const endpoint = event(server.endpointOf(session), 'endpoint');
        session.stream.write(streamHead + event(log) + endpoint + event(log) + event('1', 'ping'));
      },
      onInitialize: (post) => {
        post.connection.write(accepted);
        post.session.stream.write(event(log) + event({ jsonrpc: '2.0', id: 'x', result: {} }));
        post.session.stream.write(event(initialized(post)));
      },
    });
    expect(counts).toEqual({ ok: 10, foreign: 1, 'notification:notifications/message': 3 });
  });

  test('a request of the server before initialize is answered', async () => {
    const { counts, server } = await play({
      onStream: (session, server) => {
        const ping = event({ jsonrpc: '2.0', id: 1, method: 'ping' });
        session.stream.write(streamHead + event(server.endpointOf(session), 'endpoint') + ping);
      },
    });
    expect(counts).toEqual({ ok: 10, 'serverRequest:ping': 1 });
    expect(server.methods.filter((method) => method === 'response')).toHaveLength(1);
  });

  test('a second endpoint event changes nothing', async () => {
    const { counts, server } = await play({
      onStream: (session, server) => {
        const first = event(server.endpointOf(session), 'endpoint');
        session.stream.write(streamHead + first + event('/elsewhere?sessionId=9', 'endpoint'));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(new Set(server.posts.map(({ request }) => request.target)).size).toBe(1);
  });
});

test('trap 14: requests of the server are answered: ping, roots/list, and anything else', async () => {
  let held: ScriptedPost | null = null;
  const asked = ['ping', 'roots/list', 'sampling/createMessage', 'no/such'];
  const answered: ScriptedPost[] = [];
  const { counts } = await play({
    onCall: (post, server) => {
      const method = asked[post.n];
      if (method === undefined) return server.serve(post);
      // The call is answered only when the client has answered the server.
      post.session.stream.write(event({ jsonrpc: '2.0', id: `q${post.n}`, method, params: {} }));
      held = post;
    },
    onOther: (post, server) => {
      answered.push(post);
      post.connection.write(accepted);
      server.serve(held!);
    },
  });
  expect(counts).toMatchObject({
    ok: 10,
    ...Object.fromEntries(asked.map((m) => [`serverRequest:${m}`, 1])),
  });
  expect(answered.map(({ message }) => message)).toMatchObject([
    { jsonrpc: '2.0', id: 'q0', result: {} },
    { jsonrpc: '2.0', id: 'q1', result: { roots: [] } },
    { jsonrpc: '2.0', id: 'q2', error: { code: -32601 } },
    { jsonrpc: '2.0', id: 'q3', error: { code: -32601 } },
  ]);
});
describe('trap 15: a dropped stream', () => {
  test.each(['end', 'reset'] as const)(
    '%s: the calls in flight on it are disconnected, and a new session takes over',
    async (how) => {
      const { counts, sessions, server } = await play(
        {
          onCall: (post, server) => {
            post.connection.write(accepted);
            if (post.session.ordinal > 0) return void post.session.stream.write(event(echo(post)));
            if (post.session.calls === 3) server.sessions[0]!.stream[how]();
          },
        },
        { load: { model: 'count', calls: 10, inFlight: 3 } },
      );
      expect(counts).toEqual({ ok: 7, disconnected: 3, reconnect: 1 });
      expect(sessions).toMatchObject({ opened: 2, ready: 2, dropped: 1, reconnects: 1 });
      expect(server.methods.filter((method) => method === 'initialize')).toHaveLength(2);
      expect(callsOf(server), 'none was sent again').toHaveLength(10);
    },
  );

  test('without reconnecting, a run that counts calls ends when no session is left', async () => {
    const { counts, sessions } = await play(
      {
        onCall: (post, server) => {
          server.serve(post);
          if (post.n === 4) afterReading(() => post.session.stream.end());
        },
      },
      { sessions: { count: 1, reconnect: false } },
    );
    expect(counts['ok']! + (counts['disconnected'] ?? 0)).toBeLessThan(10);
    expect(sessions).toMatchObject({ opened: 1, ready: 1, dropped: 1 });
  });

  test('with reconnecting, a run that counts calls ends when the server never comes back', async () => {
    const { counts, sessions } = await play(
      {
        onStream: (session, server) => {
          if (session.ordinal > 0) return session.stream.reset();
          session.stream.write(streamHead + event(server.endpointOf(session), 'endpoint'));
        },
        onCall: (post) => {
          post.connection.write(accepted);
          post.session.stream.reset();
        },
      },
      { timeouts: { call: '500ms' } },
    );
    expect(counts).toMatchObject({ disconnected: 1 });
    expect(sessions).toMatchObject({ ready: 1, dropped: 1 });
  });

  test('a stream that ends in the handshake fails the session, by kind', async () => {
    const { counts, sessions } = await play(
      {
        onStream: (session, server) => {
          if (session.ordinal === 0) return session.stream.end(streamHead);
          if (session.ordinal === 1) return session.stream.reset();
          session.stream.write(streamHead + event(server.endpointOf(session), 'endpoint'));
        },
        onInitialize: (post) => {
          if (post.session.ordinal === 2) return post.session.stream.end();
          if (post.session.ordinal === 3) return post.connection.write(answer(500));
          if (post.session.ordinal === 4) return post.connection.reset();
          post.connection.write(accepted);
          if (post.session.ordinal > 5) return post.session.stream.write(event(initialized(post)));
          const error = { code: -32602, message: 'Unsupported protocol version' };
          post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, error }));
        },
        onInitialized: (post) => post.connection.write(post.session.ordinal === 6 ? answer(400) : accepted),
      },
      { sessions: { count: 8, reconnect: false, open: '100/s' } },
    );
    expect(counts).toEqual({ ok: 10 });
    expect(sessions).toMatchObject({
      opened: 8,
      ready: 1,
      failed: 7,
      'failed:closed': 2,
      'failed:reset': 1,
      'failed:http 500': 1,
      'failed:post': 1,
      'failed:initialize': 1,
      'failed:http 400': 1,
    });
  });
});

describe('trap 16: a 202 is no delivery', () => {
  test('accepted, never answered: its own outcome, at the time limit', async () => {
    const { counts } = await play(
      {
        onCall: (post, server) => {
          if (post.n % 2 === 0) server.serve(post);
          else post.connection.write(accepted);
        },
      },
      { load: { model: 'count', calls: 10, inFlight: 10 }, timeouts: { call: '1s' } },
    );
    expect(counts).toEqual({ ok: 5, acceptedNoResponse: 5 });
  });

  test('an answer after the time limit is late, and ends nothing', async () => {
    const late: ScriptedPost[] = [];
    const { counts } = await play(
      {
        onCall: (post, server) => {
          if (post.n === 0) {
            late.push(post);
            return post.connection.write(accepted);
          }
          post.session.stream.write(event(echo(late[0]!)));
          server.serve(post);
        },
      },
      { load: { model: 'count', calls: 2 }, timeouts: { call: '300ms' } },
    );
    expect(counts).toEqual({ ok: 1, acceptedNoResponse: 1, late: 1 });
  });
});
