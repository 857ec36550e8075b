import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../raw-client.fixture.js';
import { serveMock } from '../serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../serve-mock.js';
import { exchange, SessionClient } from './streamable-client.fixture.js';

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const ping = { jsonrpc: '2.0', id: 5, method: 'ping' };

describe.each(['uws', 'node'] as const)('sessions over Streamable HTTP on the %s engine', (engine) => {
  let mock: RunningMock;
  afterEach(() => mock.close());
  const serve = async (options: ServeMockOptions = {}): Promise<string> => {
    mock = await serveMock({ engine, ...options });
    return mock.urls.streamable;
  };

  test.each(['auto', 'sse'] as const)('a whole session, answered with body: %s', async (body) => {
    const client = await SessionClient.open(await serve({ streamable: { body } }));
    expect(client.opening.last['result']).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(client.opening.headers['content-type']).toBe(
      body === 'sse' ? 'text/event-stream' : 'application/json',
    );
    expect((await client.call('echo', { message: 'grüße \u2028 👋' })).value).toBe('grüße \u2028 👋');
    expect((await client.call('nope')).errorCode).toBe(-32602);
    expect((await client.ask('no/such')).errorCode).toBe(-32601);
    expect((await client.call('fail')).last['result']).toMatchObject({ isError: true });
    expect((await client.call('sleep', { ms: 20 })).value).toBe('slept 20 ms');
    expect((await client.end()).status).toBe(200);
    expect((await client.ask('ping')).status).toBe(404);
    const { streamable, calls, responsesSent, posts } = await mock.stats();
    expect(calls.received).toBe(4);
    expect(responsesSent).toBe(6);
    expect(posts.byStatus).toEqual({ 200: 6, 202: 1, 404: 1 });
    expect(streamable).toMatchObject({
      sessionsCreated: 1,
      sessionsDeleted: 1,
      sessionsOpen: 0,
      postsWithSessions: 8,
      postsStateless: 0,
      bodiesJson: body === 'sse' ? 0 : 6,
      bodiesSse: body === 'sse' ? 6 : 0,
    });
  });

  test('each revision is agreed on, and the newest for one that is not known', async () => {
    const url = await serve();
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25'])
      expect((await SessionClient.open(url, version)).opening.last['result']).toMatchObject({
        protocolVersion: version,
      });
    const other = exchange(url, 'POST', {
      ...initialize,
      params: { ...initialize.params, protocolVersion: '2026-07-28' },
    });
    expect((await other.whole()).last['result']).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  test.each([
    [406, { accept: 'application/json' }, ping],
    [415, { 'content-type': 'text/plain' }, ping],
    [400, {}, '{"jsonrpc":'],
    [400, {}, { jsonrpc: '1.0' }],
    [400, { 'mcp-session-id': '' }, ping],
    [404, { 'mcp-session-id': 'nobody' }, ping],
    [400, { 'mcp-protocol-version': '1999-01-01' }, ping],
    [400, {}, initialize],
    [403, { origin: 'http://evil.example' }, ping],
    [403, { host: 'evil.example' }, ping],
    [400, {}, [ping, ping]],
  ] as const)('a POST is refused with %i for %j', async (status, headers, body) => {
    const client = await SessionClient.open(await serve());
    const answer = await client.post(body, headers).whole();
    expect(answer.status).toBe(status);
    expect(answer.last).toMatchObject({ jsonrpc: '2.0', id: null });
    expect(answer.errorCode).toBeLessThan(-31_999);
  });

  test('batches exist in the first revision', async () => {
    const client = await SessionClient.open(await serve(), '2025-03-26');
    const call = {
      jsonrpc: '2.0',
      id: 6,
      method: 'tools/call',
      params: { name: 'sleep', arguments: { ms: 5 } },
    };
    const both = await client.post([ping, call, { jsonrpc: '2.0', method: 'notifications/x' }]).whole();
    expect(both.messages.map(({ id }) => id)).toEqual([5, 6]);
    expect((await client.post([{ jsonrpc: '2.0', method: 'notifications/x' }]).whole()).status).toBe(202);
    expect((await client.post([]).whole()).status).toBe(400);
    expect((await mock.stats()).responsesSent).toBe(3);
  });

  test('a session has one stream by GET, which ends with it', async () => {
    const client = await SessionClient.open(await serve());
    const stream = await client.get().begun();
    expect(stream.status).toBe(200);
    expect(stream.headers['content-type']).toBe('text/event-stream');
    expect((await client.get().whole()).status).toBe(409);
    expect((await client.get({ accept: 'application/json' }).whole()).status).toBe(406);
    expect((await mock.stats()).streamable).toMatchObject({ getStreams: 1, getStreamsOpen: 1 });
    await client.end();
    await stream.whole();
    expect(stream.ended).toBe('good');
    expect((await mock.stats()).streamable).toMatchObject({ getStreamsOpen: 0, sessionsOpen: 0 });
  });

  test('a stream by GET can be opened anew when its client has gone', async () => {
    const client = await SessionClient.open(await serve());
    (await client.get().begun()).leave();
    await until(async () => (await mock.stats()).streamable.getStreamsOpen === 0);
    expect((await client.get().begun()).status).toBe(200);
  });

  test('where there are no sessions nobody needs an id, and GET and DELETE are not there', async () => {
    const client = await SessionClient.open(await serve({ streamable: { sessions: false } }));
    expect(client.opening.headers['mcp-session-id']).toBeUndefined();
    expect((await client.call('echo', { message: 'x' })).value).toBe('x');
    const refused = await client.get().whole();
    expect([refused.status, refused.headers.allow]).toEqual([405, 'POST']);
    expect((await client.end()).status).toBe(405);
  });

  test('no method but those three is served', async () => {
    const answer = await exchange(await serve(), 'PUT', '{}').whole();
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, POST, DELETE']);
  });

  test('sessions are bounded', async () => {
    const url = await serve({ limits: { sessions: 2 } });
    const first = await SessionClient.open(url);
    await SessionClient.open(url);
    expect((await exchange(url, 'POST', initialize).whole()).status).toBe(503);
    await first.end();
    expect((await exchange(url, 'POST', initialize).whole()).status).toBe(200);
    expect((await mock.stats()).streamable).toMatchObject({ sessionsCreated: 3, sessionsRefused: 1 });
  });

  test('a call whose client has gone is late, one that is cancelled is not answered', async () => {
    const client = await SessionClient.open(await serve());
    client.begin('sleep', { ms: 3_600_000 });
    const cancelled = client.begin('sleep', { ms: 3_600_000 });
    const left = client.begin('sleep', { ms: 3_600_000 });
    await until(async () => (await mock.stats()).calls.received === 3);
    left.leave();
    await until(async () => (await mock.stats()).lateWrites === 1);
    await client
      .post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })
      .whole();
    expect((await cancelled.whole()).status).toBe(202);
    await client.end();
    const stats = await mock.stats();
    expect([stats.calls.cancelled, stats.lateWrites, stats.responsesSent]).toEqual([1, 2, 1]);
  });
});
