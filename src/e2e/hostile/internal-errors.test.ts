import { afterEach, expect, test, vi } from 'vitest';
import { ClientSession } from '../../mcp/client-session.js';
import { Recorder } from '../../stats/recorder.js';
import { play } from '../fixtures/play.js';
import { echo, jsonAnswer } from '../fixtures/scripted-mcp.js';

afterEach(() => void vi.restoreAllMocks());

function failOnce(): never {
  throw new Error('boom');
}

test('a bug while a response is judged ends its session, not the run, and makes the run suspect', async () => {
  vi.spyOn(Recorder.prototype, 'ok').mockImplementationOnce(failOnce);
  const { counts, sessions, result } = await play({});
  expect(counts).toEqual({ ok: 9, disconnected: 1, reconnect: 1 });
  expect(sessions).toMatchObject({ dropped: 1, reconnects: 1 });
  expect(result.validity.reasons.map(({ code }) => code)).toContain('internal-error');
  expect(result.examples['internal error']).toMatch(
    /^mcp-bench failed on what the server sent: Error: boom \(at /,
  );
});

test('in a handshake it is counted as a failure of its own kind', async () => {
  vi.spyOn(ClientSession.prototype, 'onOpen').mockImplementationOnce(failOnce);
  const { counts, sessions, result } = await play({}, { sessions: { count: 2, reconnect: false } });
  expect(counts).toEqual({ ok: 10 });
  expect(sessions).toMatchObject({ ready: 1, 'failed:internal': 1 });
  expect(result.validity.reasons.map(({ code }) => code)).toContain('internal-error');
});

test('in the body of a POST it ends that connection', async () => {
  vi.spyOn(ClientSession.prototype, 'onReply').mockImplementationOnce(failOnce);
  const { counts, server, result } = await play(
    {
      onCall: (post) => post.connection.write(jsonAnswer(200, echo(post))),
    },
    { timeouts: { call: '300ms' } },
  );
  expect(counts).toEqual({ ok: 9, acceptedNoResponse: 1 });
  const first = server.posts.find(({ n }) => n === 0)!;
  expect(first.connection.requests.at(-1), 'it carries no other').toBe(first.request);
  expect(result.validity.reasons.map(({ code }) => code)).toContain('internal-error');
});

test('also where the body ends with the connection', async () => {
  vi.spyOn(ClientSession.prototype, 'onReply').mockImplementationOnce(failOnce);
  const { counts, result } = await play(
    {
      onCall: (post) =>
        post.connection.end(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(echo(post))}`,
        ),
    },
    { timeouts: { call: '300ms' } },
  );
  expect(counts).toEqual({ ok: 9, acceptedNoResponse: 1 });
  expect(result.validity.reasons.map(({ code }) => code)).toContain('internal-error');
});
