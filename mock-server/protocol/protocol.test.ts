import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dialectNames } from './dialects/dialect.js';
import type { DialectName } from './dialects/dialect.js';
import { McpSession } from '../mcp-session.fixture.js';
import { post, RawStream, send, until } from '../raw-client.fixture.js';
import { serveMock } from '../serve-mock.js';
import type { RunningMock } from '../serve-mock.js';

// On a machine that others use too a process may stand still for a long time: that alone must fail nothing.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

// What each dialect answers in each case, row by row; the same suite on both engines.
type Row = Record<DialectName, unknown>;
const same = (value: unknown): Row => ({
  classic: value,
  rmcp: value,
  serena: value,
  workspace: value,
  pymcp: value,
});
/** Matches a JSON-RPC error in the body of a POST. */
const rpc = (code: number) => ({ code });

const table = {
  accepted: {
    classic: [202, 'Accepted'],
    rmcp: [202, ''],
    serena: [202, 'Accepted'],
    workspace: [202, ''],
    pymcp: [202, ''],
  },
  unknownSession: {
    classic: [404, 'Session not found'],
    rmcp: [404, ''],
    serena: [404, 'Could not find session'],
    workspace: [409, rpc(-32000)],
    pymcp: [400, rpc(-32004)],
  },
  noSession: {
    classic: [400, 'Missing sessionId parameter'],
    rmcp: [400, /sessionId/],
    serena: [400, 'session_id is required'],
    workspace: null,
    pymcp: [400, rpc(-32004)],
  },
  streamGone: {
    classic: [500, 'SSE connection not established'],
    rmcp: [410, ''],
    serena: [404, 'Could not find session'],
    workspace: [409, rpc(-32000)],
    pymcp: [400, rpc(-32004)],
  },
  wrongContentType: {
    classic: [400, /content-type/],
    rmcp: [415, /application\/json/],
    serena: [400, 'Invalid Content-Type header'],
    workspace: [400, rpc(-32600)],
    pymcp: [400, rpc(-32600)],
  },
  tooLarge: {
    classic: [400, /too large/],
    rmcp: [413, /limit/],
    serena: [413, /too large/],
    workspace: [413, rpc(-32600)],
    pymcp: [413, rpc(-32600)],
  },
  malformedJson: {
    classic: [400, 'Invalid message: {"jsonrpc"'],
    rmcp: [400, /parse/],
    serena: [400, 'Could not parse message'],
    workspace: [400, rpc(-32700)],
    pymcp: [400, rpc(-32700)],
  },
  notJsonRpc: {
    classic: [400, /^Invalid message: /],
    rmcp: [400, /JSON-RPC/],
    serena: [400, 'Could not parse message'],
    workspace: [400, rpc(-32600)],
    pymcp: [400, rpc(-32600)],
  },
  notFound: {
    classic: [404, 'Not found'],
    rmcp: [404, ''],
    serena: [404, 'Not Found'],
    workspace: [404, rpc(-32600)],
    pymcp: [404, rpc(-32600)],
  },
  foreignHost: {
    classic: [403, /Host/],
    rmcp: [403, /Host/],
    serena: [421, 'Invalid Host header'],
    workspace: [403, rpc(-32600)],
    pymcp: [403, rpc(-32600)],
  },
  foreignOrigin: {
    classic: [403, /Origin/],
    rmcp: [403, /Origin/],
    serena: [403, /Origin/],
    workspace: [403, rpc(-32600)],
    pymcp: [403, rpc(-32600)],
  },
  unknownMethod: same(-32601),
  unknownTool: { ...same(-32602), pymcp: -32051 },
  missingArgument: same(-32602),
  beforeInitialize: { classic: 'served', rmcp: 'ends', serena: -32602, workspace: 'served', pymcp: -32002 },
  secondInitialize: { classic: 'served', rmcp: -32600, serena: -32600, workspace: 'served', pymcp: -32003 },
} satisfies Record<string, Row>;

const call = (message = 'hi') => ({
  jsonrpc: '2.0',
  id: 'x',
  method: 'tools/call',
  params: { name: 'echo', arguments: { message }, kwargs: { message } },
});

describe.each(['uws', 'node'] as const)('on the %s engine', (engine) => {
  describe.each(dialectNames)('%s', (dialect) => {
    let mock: RunningMock;
    let origin: string;
    beforeAll(async () => {
      mock = await serveMock({ engine, dialect });
      origin = new URL(mock.url).origin;
    });
    afterAll(() => mock.close());

    const ready = (): Promise<McpSession> => McpSession.ready(mock.url, dialect);
    /** The message URL with another session, or none. */
    const withSession = (session: McpSession, id: string | null): string => {
      if (dialect === 'workspace') return `${origin}/mcp/${id}`;
      const url = new URL(session.postUrl);
      const param = [...url.searchParams.keys()][0]!;
      if (id === null) url.search = '';
      else url.searchParams.set(param, id);
      return url.href;
    };
    const expectReply = (reply: { status: number; body: string }, expected: unknown): void => {
      const [status, body] = expected as [number, unknown];
      expect(reply.status).toBe(status);
      if (body instanceof RegExp) expect(reply.body).toMatch(body);
      else if (typeof body === 'string') expect(reply.body).toBe(body);
      else expect(JSON.parse(reply.body)).toMatchObject({ jsonrpc: '2.0', error: body });
    };

    test('prints the URL of its stream, which answers as an event stream', async () => {
      expect(new URL(mock.url).pathname).toBe(dialect === 'workspace' ? '/mcp/bench' : '/sse');
      const stream = await RawStream.open(mock.url);
      expect(stream.status).toBe(200);
      expect(stream.head).toMatch(/content-type: text\/event-stream/i);
      expect(stream.head).toMatch(/cache-control: no-cache/i);
      expect(stream.head).toMatch(/connection: keep-alive/i);
      stream.close();
    });

    test('starts its stream with the first event of the dialect', async () => {
      const stream = await RawStream.open(mock.url);
      const { event, data } = stream.events[0]!;
      const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
      if (dialect === 'workspace') {
        expect(event).toBe('lifecycle');
        expect(JSON.parse(data)).toEqual({
          jsonrpc: '2.0',
          method: 'streamOpened',
          params: { timestamp: expect.any(String) },
        });
      } else if (dialect === 'pymcp') {
        expect(event).toBe('endpoint');
        const { endpoint, server_session_id: id } = JSON.parse(data) as Record<string, string>;
        expect(endpoint).toBe(`${origin}/messages?session_id=${id}`);
        expect(id).toMatch(new RegExp(`^${uuid}$`));
      } else {
        const forms = {
          classic: `^/messages\\?sessionId=${uuid}$`,
          rmcp: `^/message\\?sessionId=${uuid}$`,
          serena: `^${origin}/messages/\\?session_id=[0-9a-f]{32}$`,
        };
        expect(event).toBe(dialect === 'serena' ? '' : 'endpoint');
        expect(data).toMatch(new RegExp(forms[dialect]));
      }
      stream.close();
    });

    test('accepts with its own status and body, and answers on the stream', async () => {
      const session = await ready();
      const reply = await session.post(call('grüße'));
      expectReply(reply, table.accepted[dialect]);
      const response = await session.stream.response('x');
      const result = dialect === 'pymcp' ? 'grüße' : { content: [{ type: 'text', text: 'grüße' }] };
      if (typeof result === 'string') expect(response['result']).toBe(result);
      else expect(response['result']).toMatchObject(result);
      expect(session.stream.events.at(-1)!.event).toBe(dialect === 'workspace' ? 'response' : 'message');
      session.close();
    });

    test('negotiates the version and says what it can do', async () => {
      const session = await McpSession.open(mock.url, dialect);
      const { result } = (await session.ask('initialize', {
        protocolVersion: '2025-03-26',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      })) as { result: { protocolVersion: string; capabilities: object; serverInfo: object } };
      if (dialect === 'pymcp') {
        expect(result.protocolVersion).toBe('0.3.0');
        expect(result.capabilities).toEqual({
          tools: ['echo', 'sleep', 'payload', 'fail', 'random', 'counter'],
        });
      } else {
        expect(result.protocolVersion).toBe('2025-03-26');
        expect(Object.keys(result.capabilities)).toEqual(['tools', 'resources', 'prompts', 'logging']);
        expect(result.serverInfo).toMatchObject({ name: 'mcp-bench mock' });
      }
      session.close();
    });

    if (dialect !== 'pymcp')
      test('answers an unknown version with the newest it knows', async () => {
        const session = await McpSession.open(mock.url, dialect);
        const { result } = await session.ask('initialize', { protocolVersion: '1999-01-01' });
        expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
        session.close();
      });

    test('has its rule for messages before initialize', async () => {
      const session = await McpSession.open(mock.url, dialect);
      const rule = table.beforeInitialize[dialect];
      const reply = await session.post(call());
      expect(reply.status).toBe(202);
      if (rule === 'ends') {
        await until(() => session.stream.ended === 'good');
        expect(session.stream.events).toHaveLength(1);
      } else {
        const response = await session.stream.response('x');
        if (rule === 'served') expect(response).toHaveProperty('result');
        else expect(response['error']).toMatchObject({ code: rule });
      }
      session.close();
    });

    test('has its rule for a second initialize, before any look at its params', async () => {
      const session = await ready();
      const response = await session.ask(
        'initialize',
        dialect === 'classic' || dialect === 'workspace' ? {} : { protocolVersion: 7 },
      );
      const rule = table.secondInitialize[dialect];
      if (rule === 'served') expect(response).toHaveProperty('result');
      else expect(response['error']).toMatchObject({ code: rule });
      session.close();
    });

    test('accepts notifications/initialized, cancelled and unknown ones without an event', async () => {
      const session = await ready();
      const seen = session.stream.events.length;
      expect((await session.notify('notifications/cancelled', { requestId: 99 })).status).toBe(202);
      expect((await session.notify('notifications/whatever')).status).toBe(202);
      await session.call('echo', { message: 'last' });
      expect(session.stream.events).toHaveLength(seen + 1);
      session.close();
    });

    test('accepts and counts responses that are POSTed', async () => {
      const session = await ready();
      const before = (await mock.stats()).messages.responses;
      expect((await session.post({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(202);
      expect((await session.post({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } })).status).toBe(
        202,
      );
      expect((await mock.stats()).messages.responses).toBe(before + 2);
      session.close();
    });

    test('refuses an unknown session', async () => {
      const session = await ready();
      const unknown = withSession(
        session,
        dialect === 'serena' ? 'f'.repeat(32) : '00000000-0000-4000-8000-000000000000',
      );
      expectReply(await post(unknown, call()), table.unknownSession[dialect]);
      session.close();
    });

    if (dialect !== 'workspace')
      test('refuses a POST without a session', async () => {
        const session = await ready();
        expectReply(await post(withSession(session, null), call()), table.noSession[dialect]);
        session.close();
      });

    test('tells a stream that is gone from one that never was', async () => {
      const session =
        dialect === 'workspace' ? await McpSession.ready(`${origin}/mcp/gone`, dialect) : await ready();
      const before = (await mock.stats()).sessions.closedByClient;
      session.close();
      await until(async () => (await mock.stats()).sessions.closedByClient > before);
      expectReply(await post(session.postUrl, call()), table.streamGone[dialect]);
    });

    test('checks the content type before it looks at the body', async () => {
      const session = await ready();
      const wrong = { 'content-type': 'text/plain' };
      expectReply(await post(session.postUrl, '{not json', wrong), table.wrongContentType[dialect]);
      expectReply(await post(session.postUrl, call(), {}), table.wrongContentType[dialect]);
      const withCharset = { 'content-type': 'application/json; charset=utf-8' };
      expect((await post(session.postUrl, call(), withCharset)).status).toBe(202);
      session.close();
    });

    test('takes 4 MiB and refuses a byte more', async () => {
      const session = await ready();
      const filled = (bytes: number): string => {
        const empty = JSON.stringify(call(''));
        return JSON.stringify(call('x'.repeat((bytes - empty.length) / 2)));
      };
      const body = filled(4_194_304).padEnd(4_194_304);
      expect((await session.post(body)).status).toBe(202);
      expectReply(await session.post(`${body} `), table.tooLarge[dialect]);
      expect((await session.post(call())).status).toBe(202);
      session.close();
    });

    test('refuses what is not JSON, before it looks for the session', async () => {
      const session = await ready();
      expectReply(await session.post('{"jsonrpc"'), table.malformedJson[dialect]);
      const unknown = withSession(session, 'f'.repeat(32));
      expectReply(await post(unknown, '{"jsonrpc"'), table.malformedJson[dialect]);
      session.close();
    });

    test.each([
      ['null', 'null'],
      ['a number', '7'],
      ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
      ['no version', '{"id":1,"method":"ping"}'],
      ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
      ['id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
      ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
      ['params that are no object', '{"jsonrpc":"2.0","id":1,"method":"ping","params":7}'],
      ['neither method nor result', '{"jsonrpc":"2.0","id":1}'],
      ['result and error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}'],
      ['an error without a code', '{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}'],
    ])('refuses %s, which is no JSON-RPC message', async (_what, body) => {
      const session = await ready();
      expectReply(await session.post(body), table.notJsonRpc[dialect]);
      session.close();
    });

    test('answers an unknown method, tool, and a missing argument on the stream', async () => {
      const session = await ready();
      expect((await session.ask('no/such'))['error']).toMatchObject({ code: table.unknownMethod[dialect] });
      expect((await session.call('no-such'))['error']).toMatchObject({ code: table.unknownTool[dialect] });
      expect((await session.call('echo'))['error']).toEqual({
        code: table.missingArgument[dialect],
        message: "Invalid params: missing required field 'message'",
      });
      expect((await session.call('echo', { message: 7 }))['error']).toMatchObject({ code: -32602 });
      expect((await session.ask('tools/call', {}))['error']).toMatchObject({ code: -32602 });
      session.close();
    });

    test('answers a failed tool in its own way', async () => {
      const session = await ready();
      const response = await session.call('fail', { message: 'broken' });
      if (dialect === 'pymcp') expect(response['error']).toEqual({ code: -32050, message: 'broken' });
      else expect(response['result']).toEqual({ content: [{ type: 'text', text: 'broken' }], isError: true });
      session.close();
    });

    test('ends its streams when it stops, with streamClosed where the dialect has it', async () => {
      const stopping = await serveMock({ engine, dialect });
      const session = await McpSession.ready(stopping.url, dialect);
      const seen = session.stream.events.length;
      await stopping.close();
      await until(() => session.stream.ended !== 'open');
      expect(session.stream.ended).toBe('good');
      if (dialect === 'workspace') {
        const { event, data } = await session.stream.event(seen + 1);
        expect(event).toBe('lifecycle');
        expect(JSON.parse(data)).toEqual({
          jsonrpc: '2.0',
          method: 'streamClosed',
          params: { reason: 'shutdown' },
        });
      } else expect(session.stream.events).toHaveLength(seen);
      expect((await stopping.stats()).sessions).toMatchObject({ open: 0, closedByServer: 1 });
    });

    test('checks Host and Origin on loopback', async () => {
      const session = await ready();
      const json = { 'content-type': 'application/json' };
      expectReply(
        await post(session.postUrl, call(), { ...json, host: 'evil.example' }),
        table.foreignHost[dialect],
      );
      const foreign = await post(session.postUrl, call(), { ...json, origin: 'http://evil.example' });
      expectReply(foreign, table.foreignOrigin[dialect]);
      const local = { ...json, host: `localhost:${mock.port}`, origin: 'http://[::1]:3000' };
      expect((await post(session.postUrl, call(), local)).status).toBe(202);
      const stream = await RawStream.open(mock.url, { Host: 'evil.example' });
      expect(stream.status).toBe((table.foreignHost[dialect] as number[])[0]);
      session.close();
      stream.close();
    });

    test('answers unknown paths with 404 and wrong methods with 405', async () => {
      expectReply(await send('GET', `${origin}/nowhere`), table.notFound[dialect]);
      // The path is looked at first: before the method, the content type and the body.
      expectReply(await send('DELETE', `${origin}/nowhere`), table.notFound[dialect]);
      expectReply(await post(`${origin}/nowhere`, '{', {}), table.notFound[dialect]);
      expect((await send('DELETE', mock.url)).status).toBe(405);
      expect((await send('HEAD', mock.url)).status).toBe(405);
      expect((await send('OPTIONS', mock.url)).status).toBe(405);
      const session = await ready();
      if (dialect !== 'workspace') {
        expect((await send('GET', session.postUrl)).status).toBe(405);
        expect((await post(mock.url, call())).status).toBe(405);
      }
      session.close();
    });

    test('has /health and /stats', async () => {
      const session = await ready();
      await until(async () => (await mock.stats()).sessions.open === 1);
      const health = JSON.parse((await send('GET', `${origin}/health`)).body) as Record<string, unknown>;
      expect(health).toMatchObject({ status: 'ok', service: 'mcp-bench mock' });
      expect(health['active_sessions']).toBe((await mock.stats()).sessions.open);
      expect(health['available_tools']).toContain('echo');
      const stats = JSON.parse((await send('GET', `${origin}/stats?reset`)).body) as {
        calls: { received: number };
      };
      expect(stats.calls.received).toBeGreaterThan(0);
      const after = await mock.stats();
      expect(after.calls.received).toBe(0);
      expect(after.posts.byStatus).toEqual({});
      expect(after.sessions.open).toBe(health['active_sessions']);
      session.close();
    });
  });
});
