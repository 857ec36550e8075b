import { describe, expect, test } from 'vitest';
import {
  chunk,
  echoed,
  eventsHead,
  failed,
  json,
  lastChunk,
  messageEvent,
  playStateless,
  type Posted,
} from './scripted-streamable.js';

const header = ({ request }: Posted, name: string): string | undefined => request.headers.get(name)?.[0];
const key = (name: string): string => `io.modelcontextprotocol/${name}`;

test('there is nothing but the calls: no initialize, no session id, no DELETE', async () => {
  const { counts, sessions, result, server } = await playStateless({}, { sessions: 3 });
  expect(counts).toEqual({ ok: 10 });
  expect(sessions).toMatchObject({ opened: 3, ready: 3, closed: 3 });
  expect(server.methods).toEqual(Array.from({ length: 10 }, () => 'tools/call'));
  expect(server.others).toEqual([]);
  for (const posted of server.posts) expect(header(posted, 'mcp-session-id')).toBeUndefined();
  expect(result.target).toMatchObject({ transport: 'streamable', era: 'stateless', bodies: ['json'] });
  expect(Object.keys(result.metrics)).toContain('handshake.connect');
  expect(Object.keys(result.metrics)).not.toContain('handshake.initialize');
});

test('every request says in its head and in its _meta what a session would know', async () => {
  const { counts, server } = await playStateless(
    {},
    {
      calls: [
        { tool: 'echo' },
        { method: 'tools/list' },
        { method: 'completion/complete', params: { _meta: { progressToken: '{{seq}}' }, a: '{{seq}}' } },
      ],
      load: { model: 'count', calls: 60 },
    },
  );
  expect(counts).toEqual({ ok: 60 });
  for (const posted of server.posts) {
    const { method, params } = posted.message;
    expect(params!._meta).toMatchObject({
      [key('protocolVersion')]: '2026-07-28',
      [key('clientCapabilities')]: {},
      [key('clientInfo')]: { name: 'mcp-bench', version: '0.0.0-test' },
    });
    expect(header(posted, 'mcp-protocol-version')).toBe('2026-07-28');
    expect(header(posted, 'mcp-method')).toBe(method);
    expect(header(posted, 'mcp-name')).toBe(method === 'tools/call' ? 'echo' : undefined);
    expect(header(posted, 'accept')).toBe('application/json, text/event-stream');
  }
  const complete = server.posts.find(({ message }) => message.method === 'completion/complete')!;
  expect(complete.message.params!._meta).toHaveProperty('progressToken');
});

describe('an RPC error is one, whatever status it comes with', () => {
  test.each([200, 400, 404])('%i', async (status) => {
    const { counts, server } = await playStateless({
      onCall: (posted) => posted.connection.write(json(status, failed(posted, -32021))),
    });
    expect(counts).toEqual({ 'rpcError:-32021': 10 });
    expect(server.wire.connections, 'and its connection serves the next').toHaveLength(1);
  });

  test('but not one for somebody else', async () => {
    const { counts } = await playStateless({
      onCall: ({ connection }) =>
        connection.write(json(400, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } })),
    });
    expect(counts).toEqual({ 'httpError:400': 10 });
  });
});

test('a call is cancelled by closing what waits for it', async () => {
  const { counts, server } = await playStateless(
    { onCall: ({ connection }) => connection.write(eventsHead + chunk(': working\n\n')) },
    {
      calls: [{ tool: 'echo', cancelAfter: '30ms' }],
      load: { model: 'count', calls: 3 },
    },
  );
  expect(counts).toEqual({ cancelled: 3 });
  expect(server.methods, 'no notification').toEqual(['tools/call', 'tools/call', 'tools/call']);
  expect(server.wire.connections).toHaveLength(3);
});

test('subscriptions/listen is a call that lasts until the server ends it, or the scenario does', async () => {
  const acknowledged = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} };
  const graceful = await playStateless(
    {
      onCall: (posted) =>
        posted.connection.write(
          eventsHead +
            chunk(messageEvent(acknowledged)) +
            chunk(
              messageEvent({ jsonrpc: '2.0', id: posted.message.id, result: { resultType: 'complete' } }),
            ) +
            lastChunk,
        ),
    },
    { calls: [{ method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } }] },
  );
  expect(graceful.counts).toEqual({ ok: 10, [`notification:${acknowledged.method}`]: 10 });
  expect(graceful.result.metrics['call.firstEvent']!.count).toBe(10);
  const held = await playStateless(
    {
      onCall: ({ connection }) => connection.write(eventsHead + chunk(messageEvent(acknowledged))),
    },
    {
      calls: [{ method: 'subscriptions/listen', params: {}, cancelAfter: '50ms' }],
      load: { model: 'count', calls: 2 },
    },
  );
  expect(held.counts).toEqual({ cancelled: 2, [`notification:${acknowledged.method}`]: 2 });
});

test('a request of the server has no place here, and is not answered', async () => {
  const { counts, server } = await playStateless({
    onCall: (posted) =>
      posted.connection.write(
        eventsHead +
          chunk(messageEvent({ jsonrpc: '2.0', id: 7, method: 'ping' })) +
          chunk(messageEvent(echoed(posted))) +
          lastChunk,
      ),
  });
  expect(counts).toEqual({ ok: 10, 'serverRequest:ping': 10 });
  expect(server.methods).not.toContain('response');
});

test('a path of its own for each session has a head of its own', async () => {
  const { counts, server } = await playStateless(
    {},
    { sessions: 3, load: { model: 'count', calls: 30 } },
    { path: '/{session}' },
  );
  expect(counts).toEqual({ ok: 30 });
  const paths = server.posts.map(({ request }) => request.target).sort();
  expect(new Set(paths)).toEqual(new Set(['/mcp/0', '/mcp/1', '/mcp/2']));
});
