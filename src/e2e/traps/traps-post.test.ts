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
import { afterReading } from '../fixtures/scripted-server.js';
import type { McpServer, ScriptedPost } from '../fixtures/scripted-mcp.js';

const callsOf = ({ posts }: McpServer): ScriptedPost[] => posts.filter(({ n }) => n >= 0);

describe('trap 6: any 2xx accepts, and a JSON body with our id is the response', () => {
  test.each([200, 201, 202, 299])('%i is an acceptance', async (status) => {
    const { counts, result } = await play({
      onInitialize: (post) => {
        post.connection.write(answer(status));
        post.session.stream.write(event(initialized(post)));
      },
      onInitialized: (post) => post.connection.write(answer(status)),
      onCall: (post) => {
        post.connection.write(answer(status));
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(result.metrics['call.ack']?.count).toBe(10);
  });

  test('204 has no body, and what follows it is the next answer', async () => {
    const noContent = 'HTTP/1.1 204 No Content\r\n\r\n';
    const { counts, server } = await play({
      onInitialized: (post) => post.connection.write(noContent),
      onCall: (post) => {
        post.connection.write(noContent);
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(server.wire.connections.length, 'the stream, and connections in good order').toBeLessThanOrEqual(
      3,
    );
  });

  test.each([200, 202])('a JSON body under %i is the response, of initialize too', async (status) => {
    const { counts } = await play({
      onInitialize: (post) => post.connection.write(jsonAnswer(status, initialized(post))),
      onCall: (post) => post.connection.write(jsonAnswer(status, echo(post))),
    });
    expect(counts).toEqual({ ok: 10 });
  });

  test('in the body and as an event: the second is a duplicate, whichever it is', async () => {
    const { counts } = await play({
      onInitialize: (post) => {
        post.connection.write(jsonAnswer(202, initialized(post)));
        post.session.stream.write(event(initialized(post)));
      },
      onCall: (post, server) => {
        // The last alone: its duplicate might come when the run is over.
        if (post.n === 9) return server.serve(post);
        post.connection.write(jsonAnswer(202, echo(post)));
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10, duplicate: 10 });
  });

  test('a JSON body in pieces', async () => {
    const { counts } = await play({
      onCall: (post) => {
        const whole = jsonAnswer(200, echo(post));
        void post.connection.writeApart([whole.slice(0, 9), whole.slice(9, -20), whole.slice(-20)]);
      },
    });
    expect(counts).toEqual({ ok: 10 });
  });

  test('a JSON body that is no response only says "accepted"', async () => {
    const bodies = [{ status: 'accepted' }, { jsonrpc: '2.0' }, [], 'ok', null, [1], { id: 1, queued: true }];
    const { counts } = await play(
      {
        onInitialize: (post) => {
          post.connection.write(jsonAnswer(202, { status: 'accepted' }));
          post.session.stream.write(event(initialized(post)));
        },
        onCall: (post) => {
          post.connection.write(jsonAnswer(202, bodies[post.n]));
          post.session.stream.write(event(echo(post)));
        },
      },
      { load: { model: 'count', calls: bodies.length } },
    );
    expect(counts).toEqual({ ok: bodies.length });
  });

  test('a JSON body with another’s id, and an error with id null', async () => {
    const { counts } = await play({
      onCall: (post) => {
        const error = { code: -32700, message: 'Parse error' };
        const odd = post.n % 2 === 0 ? { ...echo(post), id: 999_999 } : { jsonrpc: '2.0', id: null, error };
        post.connection.write(jsonAnswer(202, odd));
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10, foreign: 5, nullIdError: 5 });
  });

  test('a non-2xx ends the call at once; an event that follows is late', async () => {
    const { counts } = await play({
      onCall: (post, server) => {
        if (post.n >= 5) return server.serve(post);
        post.connection.write(answer(500 + post.n));
        afterReading(() => post.session.stream.write(event(echo(post))));
      },
    });
    expect(counts).toMatchObject({ ok: 5, 'httpError:500': 1, 'httpError:504': 1, late: 5 });
  });

  test('a non-2xx after the event changes nothing', async () => {
    const { counts, result } = await play({
      onInitialize: (post) => {
        post.session.stream.write(event(initialized(post)));
        afterReading(() => post.connection.write(answer(504)));
      },
      onCall: (post) => {
        post.session.stream.write(event(echo(post)));
        afterReading(() => post.connection.write(answer(504)));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(result.sessions).toMatchObject({ ready: 1, dropped: 0 });
  });
});

describe('trap 7: bodies are read to their end', () => {
  const chunked = 'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n';

  test('a chunked 202 in one write', async () => {
    const { counts, result } = await play({
      onCall: (post) => {
        post.connection.write(`${chunked}8;ext=1\r\nAccepted\r\n0\r\nTrailer: x\r\n\r\n`);
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(result.metrics['call.ack']?.count).toBe(10);
  });

  test('a chunked 202 whose last CRLF comes only with the next request: that connection is not used before', async () => {
    let unended: ScriptedPost | null = null;
    const { counts, server } = await play({
      onCall: (post) => {
        unended?.connection.write('\r\n');
        expect(post.connection).not.toBe(unended?.connection);
        unended = post;
        post.connection.write(`${chunked}8\r\nAccepted\r\n0\r\n`);
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(server.wire.connections.length).toBeLessThanOrEqual(3);
  });

  test('a stream whose chunks end only with the next one: a lone event does not wait for its CRLF', async () => {
    const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}`;
    const { counts } = await play({
      onStream: (session, server) => {
        const head = streamHead.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n');
        session.stream.write(head + chunk(event(server.endpointOf(session), 'endpoint')));
      },
      onInitialize: (post) => {
        post.connection.write(accepted);
        post.session.stream.write(`\r\n${chunk(event(initialized(post)))}`);
      },
      onCall: (post) => {
        post.connection.write(accepted);
        post.session.stream.write(`\r\n${chunk(event(echo(post)))}`);
      },
    });
    expect(counts).toEqual({ ok: 10 });
  });

  test('a body until the connection closes', async () => {
    const { counts, server } = await play({
      onCall: (post) => {
        post.connection.end('HTTP/1.0 202 Accepted\r\n\r\nAccepted, and that was that');
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(callsOf(server), 'none was sent twice').toHaveLength(10);
  });

  test('a JSON body until the connection closes is the response', async () => {
    const { counts } = await play({
      onCall: (post) => {
        const body = JSON.stringify(echo(post));
        post.connection.end(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${body}`);
      },
    });
    expect(counts).toEqual({ ok: 10 });
  });

  test('interim answers are no answers', async () => {
    const { counts, result } = await play({
      onCall: (post) => {
        post.connection.write(
          `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${accepted}`,
        );
        post.session.stream.write(event(echo(post)));
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(result.metrics['call.ack']?.count).toBe(10);
  });

  test('a connection cut after the 2xx, in mid-body: the event still ends the call', async () => {
    const { counts, server } = await play({
      onCall: (post) => {
        post.connection.socket.on('close', () => post.session.stream.write(event(echo(post))));
        post.connection.end('HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nAcc');
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(callsOf(server)).toHaveLength(10);
  });

  test('a body that never ends takes its connection, and the run still ends', async () => {
    const { counts, server } = await play(
      {
        onCall: (post) => {
          post.connection.write('HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nAcc');
          post.session.stream.write(event(echo(post)));
        },
      },
      { load: { model: 'count', calls: 4 }, timeouts: { call: '300ms', connect: '300ms' } },
    );
    expect(counts['ok']).toBe(callsOf(server).length);
    expect(counts['ok']! + counts['notSent']!).toBe(4);
  });
});
