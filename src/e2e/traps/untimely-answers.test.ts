import { describe, expect, test } from 'vitest';
import { play } from '../fixtures/play.js';
import {
  accepted,
  answer,
  echo,
  event,
  initialized,
  jsonAnswer,
  streamHead,
} from '../fixtures/scripted-mcp.js';
import type { McpScript, ScriptedPost } from '../fixtures/scripted-mcp.js';
import { afterReading } from '../fixtures/scripted-server.js';

const modes = ['serial', 'pipelined', 'shared'] as const;

/** The response to the call that follows the post's on the same session. */
function guess(post: ScriptedPost): unknown {
  return { ...echo(post), id: (post.message.id as number) + 1 };
}

describe('two answers to one POST', () => {
  test.each(modes)(
    '%s: in one write, the connection is of no more use, and no call is harmed',
    async (mode) => {
      const { counts } = await play(
        {
          onCall: (post) => {
            post.connection.write(accepted + accepted);
            post.session.stream.write(event(echo(post)));
          },
        },
        // One at a time where they are pipelined: a second answer would pass for the one to the next.
        { load: { model: 'count', calls: 30, inFlight: mode === 'pipelined' ? 1 : 3 }, posts: posts(mode) },
      );
      expect(counts).toEqual({ ok: 30, strayAnswer: 30 });
    },
  );

  test('shared: no call that was sent meanwhile takes it for its own', async () => {
    const { counts, result } = await play(
      {
        onCall: (post) => {
          post.connection.write(accepted + answer(500));
          post.session.stream.write(event(echo(post)));
        },
      },
      { sessions: 3, load: { model: 'count', calls: 30, inFlight: 3 }, posts: posts('shared') },
    );
    expect(counts).toEqual({ ok: 30, strayAnswer: 30 });
    expect(result.metrics['call.ack']!.count).toBe(30);
  });

  test.each(modes)('%s: the beginning of a second one does as much', async (mode) => {
    const { counts, server } = await play(
      {
        onCall: (post) => {
          post.connection.write(`${accepted}HTTP/1.1 2`);
          afterReading(() => post.session.stream.write(event(echo(post))));
        },
      },
      { load: { model: 'count', calls: 5, inFlight: 1 }, posts: posts(mode) },
    );
    expect(counts).toEqual({ ok: 5, strayAnswer: 5 });
    const carriers = server.posts.filter(({ n }) => n >= 0).map(({ connection }) => connection);
    expect(new Set(carriers).size, 'a connection for each').toBe(5);
  });
});

describe('an answer in the same bytes that made room for its call', () => {
  test.each(modes)('%s: on the stream it is a guess, and the call waits for its own', async (mode) => {
    const { counts } = await play(
      afterAck((post) => post.session.stream.write(event(echo(post)) + event(guess(post)))),
      { posts: posts(mode) },
    );
    expect(counts).toEqual({ ok: 10, foreign: 10 });
  });

  test.each(modes)('%s: in a batch', async (mode) => {
    const { counts } = await play(
      afterAck((post) => post.session.stream.write(event([echo(post), guess(post)]))),
      { posts: posts(mode) },
    );
    expect(counts).toEqual({ ok: 10, foreign: 10 });
  });

  test.each(modes)('%s: in the body of a POST', async (mode) => {
    const { counts } = await play(
      { onCall: (post) => post.connection.write(jsonAnswer(200, [echo(post), guess(post)])) },
      { posts: posts(mode) },
    );
    expect(counts).toEqual({ ok: 10, foreign: 10 });
  });

  test.each(modes)('%s: an initialize that has not left is not answered', async (mode) => {
    const script: McpScript = {
      onStream: (session, server) => {
        // Ids are numbered from one: whoever knows that can answer the first request of each session.
        const ids = Array.from({ length: 50 }, (_, at) => at + 1);
        const guesses = ids.map((id) => event(initialized({ message: { id } } as ScriptedPost)));
        session.stream.write(streamHead + event(server.endpointOf(session), 'endpoint') + guesses.join(''));
      },
    };
    const { counts, result } = await play(script, {
      sessions: 3,
      load: { model: 'count', calls: 9, inFlight: 1 },
      posts: posts(mode),
    });
    expect(counts).toEqual({ ok: 9, foreign: 150 });
    expect(result.metrics['handshake.initialize']!.count).toBe(3);
    expect(result.metrics['handshake.initialize']!.max).toBeLessThan(60e9);
  });
});

describe('a result nested too deeply to be looked at', () => {
  const depth = 100_000;
  const deep = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  test.each([['echo' as const], [{ path: '$.a', equals: { a: 1 } }], [{ size: { max: 10_000_000 } }, 'ok']])(
    'expecting %j',
    async (expectation, outcome = 'checkFailed') => {
      const { counts } = await play(
        {
          onCall: (post, server) => {
            if (post.n > 0) return server.serve(post);
            post.connection.write(accepted);
            const id = post.message.id as number;
            post.session.stream.write(event(`{"jsonrpc":"2.0","id":${id},"result":${deep}}`));
          },
        },
        {
          load: { model: 'count', calls: 1 },
          calls: [{ tool: 'echo', arguments: { message: 'x' }, expect: expectation }],
        },
      );
      expect(counts).toEqual({ [outcome]: 1 });
    },
  );
});

function posts(mode: (typeof modes)[number]): { mode: typeof mode; connections?: number } {
  return mode === 'shared' ? { mode, connections: 1 } : { mode };
}

function afterAck(respond: (post: ScriptedPost) => void): McpScript {
  return {
    onCall: (post) => {
      post.connection.write(accepted);
      afterReading(() => respond(post));
    },
  };
}
