import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../raw-client.fixture.js';
import { serveMock } from '../serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../serve-mock.js';
import { exchange, stateless } from './streamable-client.fixture.js';
import type { Message } from './streamable-client.fixture.js';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const echo = { name: 'echo', arguments: { message: 'x' } };

describe.each(['uws', 'node'] as const)('the stateless era on the %s engine', (engine) => {
  let mock: RunningMock;
  afterEach(() => mock.close());
  const serve = async (options: ServeMockOptions = {}): Promise<string> => {
    mock = await serveMock({ engine, ...options });
    return mock.urls.streamable;
  };

  test('server/discover says what there is', async () => {
    const answer = await stateless(await serve(), 'server/discover').whole();
    expect(answer.last['result']).toEqual({
      supportedVersions: ['2026-07-28'],
      capabilities: expect.objectContaining({ tools: { listChanged: true } }),
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: {
        'io.modelcontextprotocol/serverInfo': { name: 'mcp-bench mock', version: expect.any(String) },
      },
    });
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  test.each(['auto', 'sse'] as const)('calls and lists, answered with body: %s', async (body) => {
    const url = await serve({ streamable: { body, cacheTtl: '1s', cacheScope: 'public' } });
    const called = await stateless(url, 'tools/call', echo).whole();
    expect(called.last['result']).toEqual({ content: [{ type: 'text', text: 'x' }], resultType: 'complete' });
    expect(called.headers['content-type']).toBe(body === 'sse' ? 'text/event-stream' : 'application/json');
    const failed = await stateless(url, 'tools/call', { name: 'fail', arguments: {} }).whole();
    expect(failed.last['result']).toMatchObject({ isError: true, resultType: 'complete' });
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
      expect((await stateless(url, method).whole()).last['result']).toMatchObject({
        resultType: 'complete',
        ttlMs: 1000,
        cacheScope: 'public',
      });
    const read = await stateless(url, 'resources/read', { uri: 'mock://config.json' }).whole();
    expect(read.last['result']).toMatchObject({ contents: [{ text: '{"mock":true}' }], ttlMs: 1000 });
    const missing = await stateless(url, 'resources/read', { uri: 'mock://none' }).whole();
    expect(missing.last['error']).toMatchObject({ code: -32602, data: { uri: 'mock://none' } });
    expect((await mock.stats()).streamable).toMatchObject({ postsStateless: 8, postsWithSessions: 0 });
  });

  const key = 'io.modelcontextprotocol/';
  test.each([
    ['no protocol version', -32602, { meta: { [`${key}protocolVersion`]: undefined } }],
    ['no capabilities', -32602, { meta: { [`${key}clientCapabilities`]: undefined } }],
    ['no version header', -32020, { headers: { 'mcp-protocol-version': '' } }],
    ['another version header', -32020, { headers: { 'mcp-protocol-version': '2026-07-29' } }],
    ['another method', -32020, { headers: { 'mcp-method': 'tools/list' } }],
    ['a method in other letters', -32020, { headers: { 'mcp-method': 'TOOLS/CALL' } }],
    ['another name', -32020, { headers: { 'mcp-name': 'fail' } }],
    ['a name in malformed base64', -32020, { headers: { 'mcp-name': '=?base64?ZWNobw?=' } }],
  ] as const)('%s is refused', async (_what, code, more) => {
    const answer = await stateless(await serve(), 'tools/call', echo, { ...more, id: 7 }).whole();
    expect([answer.status, answer.errorCode, answer.last.id]).toEqual([400, code, 7]);
    expect((await mock.stats()).calls.byTool['echo']).toBe(0);
  });

  test('a name may come in base64, and headers need not agree where they are not checked', async () => {
    const url = await serve();
    const named = { headers: { 'mcp-name': '=?base64?ZWNobw==?=' } };
    expect((await stateless(url, 'tools/call', echo, named).whole()).value).toBe('x');
    await mock.close();
    const lax = await serve({ streamable: { checkHeaders: false } });
    const wrong = { headers: { 'mcp-name': 'fail', 'mcp-method': 'ping' } };
    expect((await stateless(lax, 'tools/call', echo, wrong).whole()).value).toBe('x');
  });

  test('an unknown revision is answered with those that are known', async () => {
    const version = '2099-01-01';
    const answer = await stateless(
      await serve(),
      'tools/list',
      {},
      {
        meta: { [`${key}protocolVersion`]: version },
        headers: { 'mcp-protocol-version': version },
      },
    ).whole();
    expect(answer.status).toBe(400);
    expect(answer.last['error']).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: version },
    });
  });

  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'no/such'])(
    '%s is not there',
    async (method) => {
      const answer = await stateless(await serve(), method).whole();
      expect([answer.status, answer.errorCode]).toEqual([404, -32601]);
    },
  );

  test('GET and DELETE are not there', async () => {
    const url = await serve();
    for (const method of ['GET', 'DELETE']) {
      const answer = await exchange(url, method, undefined, { 'mcp-protocol-version': '2026-07-28' }).whole();
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    }
  });

  test('an endpoint of one era alone refuses the other', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25' },
    };
    const modern = await serve({ streamable: { eras: 'stateless' } });
    const refused = await exchange(modern, 'POST', initialize).whole();
    expect([refused.status, refused.errorCode]).toEqual([400, -32022]);
    expect((await stateless(modern, 'tools/call', echo).whole()).status).toBe(200);
    await mock.close();
    const legacy = await serve({ streamable: { eras: 'sessions' } });
    expect((await exchange(legacy, 'POST', initialize).whole()).status).toBe(200);
    const discover = await stateless(legacy, 'server/discover').whole();
    expect([discover.status, discover.errorCode]).toEqual([400, -32000]);
  });

  test('arguments that are marked must come in headers too', async () => {
    const inputSchema = {
      type: 'object' as const,
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        size: { type: 'number', 'x-mcp-header': 'Size' },
      },
    };
    const url = await serve({ tools: { where: { inputSchema, result: 'ok' } } });
    const call = (args: object, headers: Record<string, string>) =>
      stateless(url, 'tools/call', { name: 'where', arguments: args }, { headers }).whole();
    const good = { 'mcp-param-region': 'eu', 'mcp-param-size': '1.0' };
    expect((await call({ region: 'eu', size: 1 }, good)).value).toBe('ok');
    expect((await call({ region: 'é' }, { 'mcp-param-region': '=?base64?w6k=?=' })).value).toBe('ok');
    expect((await call({}, { 'mcp-param-region': 'ignored' })).value).toBe('ok');
    for (const headers of [{}, { 'mcp-param-region': 'us' }] as Record<string, string>[])
      expect((await call({ region: 'eu' }, headers)).errorCode).toBe(-32020);
  });

  test('a client that leaves takes its call back', async () => {
    const url = await serve({ streamable: { body: 'sse' } });
    const sleeping = stateless(url, 'tools/call', { name: 'sleep', arguments: { ms: 3_600_000 } });
    await sleeping.begun();
    sleeping.leave();
    await until(async () => (await mock.stats()).calls.cancelled === 1);
    expect(await mock.stats()).toMatchObject({ lateWrites: 0, responsesSent: 0 });
  });

  test('who listens is told of what it asked for, under the id of its request', async () => {
    const url = await serve({
      tools: { change: { steps: [{ announce: 'tools' }, { announce: 'prompts' }, { update: 'mock://a' }] } },
    });
    const listen = stateless(
      url,
      'subscriptions/listen',
      { notifications: { toolsListChanged: true, resourceSubscriptions: ['mock://a'] } },
      { id: 9 },
    );
    expect(await listen.message(1)).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['mock://a'] } },
    });
    await stateless(url, 'tools/call', { name: 'change', arguments: {} }).whole();
    await listen.message(3);
    expect(listen.messages.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'notifications/resources/updated',
    ]);
    for (const { params } of listen.messages)
      expect((params as Message)['_meta']).toEqual({ [subscriptionId]: 9 });
    expect((await mock.stats()).streamable).toMatchObject({ listens: 1, listensOpen: 1 });
    const other = await stateless(url, 'subscriptions/listen', { notifications: {} }).begun();
    other.leave();
    await until(async () => (await mock.stats()).streamable.listensOpen === 1);
    const closing = mock.close();
    expect((await listen.whole()).last).toMatchObject({
      id: 9,
      result: { resultType: 'complete', _meta: { [subscriptionId]: 9 } },
    });
    await closing;
    expect((await mock.stats()).streamable.listensOpen).toBe(0);
  });
});
