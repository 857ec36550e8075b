import { describe, expect, test } from 'vitest';
import { play } from '../fixtures/play.js';
import {
  accepted,
  answer,
  echo,
  event,
  initialized,
  jsonAnswer,
  type ScriptedPost,
} from '../fixtures/scripted-mcp.js';
import { afterReading } from '../fixtures/scripted-server.js';

describe('trap 1: the response may come before the 202', () => {
  test('the event always first, in a write of its own', async () => {
    const { counts, result } = await play({
      onCall: (post) => {
        post.session.stream.write(event(echo(post)));
        afterReading(() => post.connection.write(accepted));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(result.metrics['call.eventToAck']?.count, 'the delay keeps its sign').toBe(10);
    expect(result.metrics['call.ackToEvent']).toBeUndefined();
    expect(result.metrics['call.ack']?.count).toBe(10);
  });

  test('all events of a burst before any of the 202s', async () => {
    const held: ScriptedPost[] = [];
    const { counts, result } = await play(
      {
        onCall: (post) => {
          held.push(post);
          post.session.stream.write(event(echo(post)));
          if (held.length === 8) for (const { connection } of held) connection.write(accepted);
        },
      },
      { load: { model: 'count', calls: 8, inFlight: 8 } },
    );
    expect(counts).toEqual({ ok: 8 });
    expect(result.totals.oddities.extraConnection).toBe(7);
    expect(result.metrics['call.ack']?.count).toBe(8);
  });

  test('the response of initialize before its 202', async () => {
    const { counts, sessions } = await play({
      onInitialize: (post) => {
        post.session.stream.write(event(initialized(post)));
        afterReading(() => post.connection.write(accepted));
      },
    });
    expect(counts['ok']).toBe(10);
    expect(sessions).toMatchObject({ opened: 1, ready: 1 });
  });
});

describe('trap 2: ids are unique over all sessions, and foreign ones do no harm', () => {
  test('a server that sends every response to all sessions', async () => {
    const { counts, server } = await play(
      {
        onCall: (post, { sessions }) => {
          post.connection.write(accepted);
          for (const { stream } of sessions)
            if (stream !== post.session.stream) stream.write(event(echo(post)));
          afterReading(() => post.session.stream.write(event(echo(post))));
        },
      },
      { sessions: 5, load: { model: 'count', calls: 50, inFlight: 2 } },
    );
    expect(counts).toMatchObject({ ok: 50, foreign: 200 });
    const ids = server.posts.map(({ message }) => message.id).filter((id) => id !== undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a response that only another session gets', async () => {
    const { counts } = await play(
      {
        onCall: (post, { sessions }) => {
          post.connection.write(accepted);
          sessions[(post.session.ordinal + 1) % 2]!.stream.write(event(echo(post)));
        },
      },
      { sessions: 2, load: { model: 'count', calls: 4, inFlight: 2 }, timeouts: { call: '300ms' } },
    );
    expect(counts).toMatchObject({ acceptedNoResponse: 4, foreign: 4 });
    expect(counts['ok']).toBeUndefined();
  });

  test('ids that nobody ever sent', async () => {
    const strange = [999_999, -1, 0, 1.5, '', 'abc', '0x1', 1e300];
    const { counts } = await play({
      onCall: (post, server) => {
        const { stream } = post.session;
        for (const id of strange) stream.write(event({ jsonrpc: '2.0', id, result: {} }));
        server.serve(post);
      },
    });
    expect(counts).toEqual({ ok: 10, foreign: 10 * strange.length });
  });

  test('an id that is registered but has not left yet is not answered by a guess', async () => {
    const waiting: ScriptedPost[] = [];
    const { counts, server } = await play(
      {
        onCall: (post) => {
          // One connection for both: the second call is registered and waits while the first is out.
          if (waiting.push(post) > 1) return void post.connection.write(accepted);
          const id = (post.message.id as number) + 1;
          post.session.stream.write(event({ jsonrpc: '2.0', id, result: { content: [] } }));
          post.session.stream.socket.write(event(echo(post)), () => post.connection.write(accepted));
        },
      },
      {
        load: { model: 'count', calls: 2, inFlight: 2 },
        posts: { mode: 'shared', connections: 1 },
        timeouts: { call: '500ms' },
      },
    );
    expect(counts).toEqual({ ok: 1, foreign: 1, acceptedNoResponse: 1 });
    expect(server.posts.filter(({ n }) => n >= 0)).toHaveLength(2);
  });
});

test('trap 3: a request of the server whose id is one of ours ends no call', async () => {
  const { counts, server } = await play({
    onCall: (post, server) => {
      post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, method: 'ping' }));
      server.serve(post);
    },
  });
  expect(counts).toMatchObject({ ok: 10, 'serverRequest:ping': 10 });
  const answers = server.posts.filter(({ message }) => message.method === undefined);
  const calls = server.posts.filter(({ n }) => n >= 0);
  expect(answers.map(({ message }) => message.id).sort()).toEqual(
    calls.map(({ message }) => message.id).sort(),
  );
});

describe('trap 4: ids by type and value', () => {
  test('id 0 is legal in a request of the server, and goes back as 0', async () => {
    const { counts, server } = await play({
      onCall: (post, server) => {
        if (post.n === 0) post.session.stream.write(event({ jsonrpc: '2.0', id: 0, method: 'ping' }));
        server.serve(post);
      },
    });
    expect(counts).toMatchObject({ ok: 10, 'serverRequest:ping': 1 });
    expect(server.posts.filter(({ message }) => message.id === 0)).toHaveLength(1);
  });

  test('an id too large for a double goes back digit by digit', async () => {
    const { counts, server } = await play({
      onCall: (post, server) => {
        if (post.n === 0) {
          const request = '{"jsonrpc":"2.0","id":1764288000123456789,"method":"ping","params":{"id":7}}';
          post.session.stream.write(event(request));
        }
        server.serve(post);
      },
    });
    expect(counts).toMatchObject({ ok: 10, 'serverRequest:ping': 1 });
    expect(
      server.wire.requests.filter(({ body }) => body.includes('"id":1764288000123456789,')),
    ).toHaveLength(1);
  });

  test('"7" for 7 is matched, and counted', async () => {
    const { counts } = await play({
      onCall: (post) => {
        post.connection.write(accepted);
        const id = post.n % 2 === 0 ? String(post.message.id) : post.message.id;
        post.session.stream.write(event({ ...echo(post), id }));
      },
    });
    expect(counts).toEqual({ ok: 10, coercedId: 5 });
  });

  test('7 for "7" likewise, where ids are strings', async () => {
    const { counts } = await play(
      {
        onCall: (post) => {
          post.connection.write(accepted);
          post.session.stream.write(event({ ...echo(post), id: Number(post.message.id) }));
        },
      },
      {},
      { scenarioFor: ({ url }) => ({ target: { url, dialect: 'workspace' } }) },
    );
    expect(counts).toEqual({ ok: 10, coercedId: 10 });
  });
});

describe('trap 5: a call ends once', () => {
  test('every response three times', async () => {
    const { counts } = await play({
      onCall: (post, server) => {
        server.serve(post);
        post.session.stream.write(event(echo(post)).repeat(2));
      },
    });
    expect(counts).toEqual({ ok: 10, duplicate: 20 });
  });

  test('a duplicate of the initialize response is a duplicate', async () => {
    const { counts } = await play({
      onInitialize: (post) => {
        post.connection.write(accepted);
        post.session.stream.write(event(initialized(post)).repeat(2));
      },
    });
    expect(counts).toEqual({ ok: 10, duplicate: 1 });
  });

  test('errors with id null, and without any id, are nobody’s', async () => {
    const { counts } = await play({
      onCall: (post, server) => {
        const error = { code: -32700, message: 'Parse error' };
        post.session.stream.write(event({ jsonrpc: '2.0', id: null, error }));
        post.session.stream.write(event({ jsonrpc: '2.0', error }));
        server.serve(post);
      },
    });
    expect(counts).toEqual({ ok: 10, nullIdError: 20 });
  });

  test('arrays of responses', async () => {
    const batch: ScriptedPost[] = [];
    const { counts } = await play(
      {
        onCall: (post) => {
          post.connection.write(accepted);
          batch.push(post);
          if (batch.length % 5 === 0) post.session.stream.write(event(batch.slice(-5).map(echo)));
        },
      },
      { load: { model: 'count', calls: 10, inFlight: 5 } },
    );
    expect(counts).toMatchObject({ ok: 10 });
  });

  test('arrays of responses in the body of a POST', async () => {
    const { counts } = await play({
      onCall: (post) => post.connection.write(jsonAnswer(200, [echo(post)])),
    });
    expect(counts).toEqual({ ok: 10 });
  });

  test('arrays that hold other things do not hide the response', async () => {
    const { counts } = await play({
      onCall: (post) => {
        post.connection.write(accepted);
        const notification = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
        post.session.stream.write(event([notification, 7, [echo(post)], echo(post), echo(post)]));
      },
    });
    expect(counts).toEqual({
      ok: 10,
      duplicate: 10,
      malformedEvent: 20,
      'notification:notifications/message': 10,
    });
  });

  test('a response with our id that is none: both or neither of result and error, an error without a code', async () => {
    const bodies = [{ result: {}, error: { code: 1, message: '' } }, {}, { error: { message: 'no code' } }];
    const { counts } = await play({
      onCall: (post, server) => {
        const body = bodies[post.n];
        if (body === undefined) return server.serve(post);
        post.connection.write(accepted);
        post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, ...body }));
      },
    });
    expect(counts).toEqual({ ok: 7, invalidResponse: 3 });
  });

  test('errors, failed tools and failed checks, each its own outcome', async () => {
    const { counts, result } = await play({
      onCall: (post, server) => {
        const { id } = post.message;
        const respond = (members: object): void => {
          post.connection.write(accepted);
          post.session.stream.write(event({ jsonrpc: '2.0', id, ...members }));
        };
        if (post.n === 0) respond({ error: { code: -32601, message: 'Method not found' } });
        else if (post.n === 1) respond({ error: { code: 7, message: 'its own' } });
        else if (post.n === 2) respond({ result: { content: [], isError: true } });
        else if (post.n === 3) respond({ result: { content: [{ type: 'text', text: 'another’s echo' }] } });
        else if (post.n === 4) post.connection.write(answer(503, 'busy'));
        else server.serve(post);
      },
    });
    expect(counts).toEqual({
      ok: 5,
      'rpcError:-32601': 1,
      'rpcError:7': 1,
      toolError: 1,
      checkFailed: 1,
      'httpError:503': 1,
    });
    expect(
      result.intervals.reduce((sum, { totals }) => sum + totals.answered!, 0),
      'all are answers',
    ).toBe(10);
  });

  test('codes that a server makes up are counted together from some number on', async () => {
    const { counts, result } = await play(
      {
        onCall: (post) => {
          post.connection.write(accepted);
          const error = { code: post.n, message: 'another each time' };
          post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, error }));
        },
      },
      { load: { model: 'count', calls: 300 } },
    );
    expect(counts).toMatchObject({ 'rpcError:0': 1, 'rpcError:99': 1, 'rpcError:others': 200 });
    expect(Object.keys(counts)).toHaveLength(101);
    expect(Object.keys(result.examples)).toHaveLength(101);
    expect(result.examples['rpcError others']).toContain('another each time');
  });
});
