import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { serveMock } from '../../mock-server/serve-mock.js';
import { answer, event, jsonAnswer, streamHead } from '../e2e/fixtures/scripted-mcp.js';
import { type ScriptedRequest, ScriptedServer } from '../e2e/fixtures/scripted-server.js';
import { pour } from '../e2e/hostile/hostile-server.js';
import { serveSdkSse, serveSdkStreamable } from '../probe/sdk-server.fixture.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { TargetPlan } from '../scenario/plan.js';
import { adviseOtherwise, detectTarget } from './detect-target.js';
import type { Spoken } from './spoken.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const limits = { connectMs: 2000, answersMs: 5000 };
const brief = { connectMs: 500, answersMs: 300 };

function targetAt(url: string, more: Partial<TargetPlan> = {}): TargetPlan {
  const { target } = planScenario({
    target: url,
    sessions: 1,
    load: { model: 'count', calls: 1 },
    calls: [{ method: 'ping' }],
  });
  return { ...target, transport: 'auto', protocol: 'auto', ...more };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly _meta?: Record<string, unknown> };
}

/** Answers a request by its HTTP method, path and MCP method: `POST /mcp initialize`, `GET /sse`; what is not named gets 404. */
async function serve(
  answers: Readonly<Record<string, (message: Message, request: ScriptedRequest) => string>>,
): Promise<ScriptedServer> {
  const server = await ScriptedServer.listen((request) => {
    const message = request.body === '' ? {} : (JSON.parse(request.body) as Message);
    const key = `${request.method} ${request.target} ${message.method ?? ''}`.trim();
    const found = answers[key] ?? answers['*'];
    request.connection.write(found === undefined ? answer(404) : found(message, request));
  });
  closing.push(() => server.close());
  return server;
}

const asked = (server: ScriptedServer): string[] =>
  server.requests.map(({ method, target, body }) => {
    const { method: called = '' } = body === '' ? {} : (JSON.parse(body) as Message);
    return `${method} ${target} ${called}`.trim();
  });

const welcome =
  (protocolVersion?: string, headers: readonly string[] = []) =>
  ({ id, params }: Message): string => {
    const result = {
      protocolVersion: protocolVersion ?? params!.protocolVersion,
      capabilities: {},
      serverInfo: { name: 's', version: '1' },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id, result });
    return answer(200, body, ['Content-Type: application/json', ...headers]);
  };
const refusal =
  (status: number, code: number, data?: unknown, message = 'no') =>
  ({ id }: Message): string =>
    jsonAnswer(status, { jsonrpc: '2.0', id, error: { code, message, data } });
const discovered = ({ id }: Message): string =>
  jsonAnswer(200, {
    jsonrpc: '2.0',
    id,
    result: { supportedVersions: ['2026-07-28'], capabilities: {}, serverInfo: { name: 's', version: '2' } },
  });
const isSilent = (name: string): boolean =>
  ['silence', 'a stream that says nothing', 'what breaks off'].includes(name);
const endpointStream = (): string => streamHead + event('/messages?sessionId=1', 'endpoint');

const stateless = { transport: 'streamable', era: 'stateless', protocolVersion: '2026-07-28', dialect: null };
const sessions = { transport: 'streamable', era: 'sessions', protocolVersion: '2025-11-25', dialect: null };
const sse = { transport: 'sse', era: 'sessions', protocolVersion: 'auto', dialect: 'classic' };

describe('a server of the stateless era', () => {
  test('is asked once, with the headers and the _meta that the revision wants', async () => {
    const server = await serve({ 'POST /mcp server/discover': discovered });
    const url = `${server.origin}/mcp`;
    expect(await detectTarget(targetAt(url, { headers: { 'X-Tenant': '7' } }), limits)).toEqual({
      url,
      ...stateless,
    });
    expect(asked(server)).toEqual(['POST /mcp server/discover']);
    const [{ headers, body }] = server.requests as [ScriptedRequest];
    expect(headers.get('mcp-protocol-version')).toEqual(['2026-07-28']);
    expect(headers.get('mcp-method')).toEqual(['server/discover']);
    expect(headers.get('accept')).toEqual(['application/json, text/event-stream']);
    expect(headers.get('x-tenant')).toEqual(['7']);
    expect((JSON.parse(body) as Message).params!._meta).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    });
  });

  test.each([-32020, -32021, -32022])('is known by its error %i, with 400', async (code) => {
    const server = await serve({ '*': refusal(400, code) });
    expect(await detectTarget(targetAt(`${server.origin}/mcp`), limits)).toMatchObject(stateless);
  });

  test('may answer with events, and take its time between them', async () => {
    const server = await serve({
      '*': ({ id }, { connection }) => {
        void connection.writeApart([
          `${streamHead}: hello\r\n\r\nid: 0\r\ndata:\r\n\r\n`,
          `data:{"jsonrpc":"2.0","method":"notifications/message","params":{}}\r\n\r\n`,
          `data: {"jsonrpc":"2.0","id":${id},"result":{"supportedVersions":["2026-07-28"]}}\r\n`,
          '\r\n',
        ]);
        return '';
      },
    });
    expect(await detectTarget(targetAt(`${server.origin}/mcp`), limits)).toMatchObject(stateless);
  });

  test('is not one that answers everything with nothing', async () => {
    const server = await serve({
      'POST /mcp server/discover': ({ id }) => jsonAnswer(200, { jsonrpc: '2.0', id, result: {} }),
      'POST /mcp initialize': welcome(),
    });
    expect(await detectTarget(targetAt(`${server.origin}/mcp`), limits)).toMatchObject(sessions);
  });

  test('is not one that has nothing but older revisions', async () => {
    const server = await serve({
      'POST /mcp server/discover': refusal(400, -32022, { supported: ['2025-11-25'] }),
      'POST /mcp initialize': welcome(),
    });
    expect(await detectTarget(targetAt(`${server.origin}/mcp`), limits)).toMatchObject(sessions);
  });
});

describe('a server with sessions', () => {
  test.each<[string, (message: Message) => string]>([
    ['400 and −32000', refusal(400, -32000)],
    ['200 and −32601', refusal(200, -32601)],
    ['404 and −32601', refusal(404, -32601)],
    ['400 and no body', () => answer(400)],
    ['what it answers to everything', welcome('2025-11-25')],
    ['500', () => answer(500)],
    ['a web page', () => answer(200, '<html>', ['Content-Type: text/html'])],
    ['400 and a page that is no JSON', () => answer(400, '{"jsonrpc', ['Content-Type: application/json'])],
  ])('that answers server/discover with %s is asked to initialize', async (_, discover) => {
    const server = await serve({ 'POST /mcp server/discover': discover, 'POST /mcp initialize': welcome() });
    const url = `${server.origin}/mcp`;
    expect(await detectTarget(targetAt(url), limits)).toEqual({ url, ...sessions });
    expect(asked(server)).toEqual(['POST /mcp server/discover', 'POST /mcp initialize']);
  });

  test('is spoken to in the revision that it negotiates', async () => {
    const server = await serve({ 'POST /mcp initialize': welcome('2025-03-26') });
    expect(await detectTarget(targetAt(`${server.origin}/mcp`), limits)).toMatchObject({
      protocolVersion: '2025-03-26',
    });
  });

  test.each(['2026-07-28', '1.0', 'x\r\ny', ''])(
    'is not believed that it negotiates "%s"',
    async (version) => {
      const server = await serve({ 'POST /mcp initialize': welcome(version) });
      expect(await detectTarget(targetAt(`${server.origin}/mcp`), limits)).toMatchObject(sessions);
    },
  );

  test('is asked again for a revision that it names', async () => {
    const server = await serve({
      'POST /mcp initialize': (message) =>
        message.params!.protocolVersion === '2025-06-18'
          ? welcome()(message)
          : refusal(400, -32602, { supported: ['2025-06-18', '2024-11-05'] })(message),
    });
    expect(await detectTarget(targetAt(`${server.origin}/mcp`), limits)).toMatchObject({
      protocolVersion: '2025-06-18',
    });
  });

  test('is asked no third time where it always names another', async () => {
    const server = await serve({
      'POST /mcp initialize': ({ id, params }) =>
        refusal(400, -32602, {
          supported: [params!.protocolVersion === '2025-11-25' ? '2025-06-18' : '2025-11-25'],
        })({ id: id! }),
    });
    await expect(detectTarget(targetAt(`${server.origin}/mcp`), limits)).rejects.toThrow('error -32602 no');
    expect(asked(server).filter((each) => each.endsWith('initialize'))).toHaveLength(2);
  });

  test('gets the session that was made deleted again', async () => {
    const server = await serve({
      'POST /mcp initialize': welcome(undefined, ['Mcp-Session-Id: abc']),
      'DELETE /mcp': () => answer(405),
    });
    await detectTarget(targetAt(`${server.origin}/mcp`, { headers: { Authorization: 'Bearer t' } }), limits);
    const last = server.requests.at(-1)!;
    expect(asked(server)).toEqual(['POST /mcp server/discover', 'POST /mcp initialize', 'DELETE /mcp']);
    expect(last.headers.get('mcp-session-id')).toEqual(['abc']);
    expect(last.headers.get('mcp-protocol-version')).toEqual(['2025-11-25']);
    expect(last.headers.get('authorization')).toEqual(['Bearer t']);
  });

  test('a session id that no header may hold is not sent back', async () => {
    const server = await serve({ 'POST /mcp initialize': welcome(undefined, ['Mcp-Session-Id: a b']) });
    await detectTarget(targetAt(`${server.origin}/mcp`), limits);
    expect(asked(server)).not.toContain('DELETE /mcp');
  });
});

describe('HTTP+SSE', () => {
  test.each([404, 405, 400, 401, 403, 500])('is found behind POSTs that are answered %i', async (status) => {
    const server = await serve({ 'GET /events': endpointStream, '*': () => answer(status) });
    const url = `${server.origin}/events`;
    expect(await detectTarget(targetAt(url), limits)).toEqual({ url, ...sse });
    expect(asked(server)).toEqual(['POST /events server/discover', 'POST /events initialize', 'GET /events']);
  });

  test('is found behind POSTs that are never answered', async () => {
    const server = await serve({ 'GET /events': endpointStream, '*': () => '' });
    expect(
      await detectTarget(targetAt(`${server.origin}/events`), { ...limits, answersMs: 600 }),
    ).toMatchObject(sse);
  });

  test('is known at once where a POST opens the stream, too', async () => {
    const server = await serve({ '*': endpointStream });
    expect(await detectTarget(targetAt(`${server.origin}/events`), limits)).toMatchObject(sse);
    expect(asked(server)).toEqual(['POST /events server/discover']);
  });

  test('is asked for first, and nothing else is, where the path is called so', async () => {
    const server = await serve({ 'GET /sse': endpointStream });
    expect(await detectTarget(targetAt(`${server.origin}/sse`), limits)).toMatchObject(sse);
    expect(asked(server)).toEqual(['GET /sse']);
  });

  test('may be slow to begin', async () => {
    let streams = 0;
    const server = await serve({
      'GET /sse': (_, { connection }) => {
        streams++;
        void connection.writeApart([streamHead, ...(streams === 1 ? [] : [event('/m', 'endpoint')])]);
        return '';
      },
    });
    expect(await detectTarget(targetAt(`${server.origin}/sse`), { ...limits, answersMs: 900 })).toMatchObject(
      sse,
    );
    expect(streams).toBe(2);
  });

  test('is not all that can be at a path that is called so', async () => {
    const server = await serve({ 'POST /sse initialize': welcome(), 'GET /sse': () => streamHead });
    const url = `${server.origin}/sse`;
    expect(await detectTarget(targetAt(url), { ...limits, answersMs: 900 })).toEqual({ url, ...sessions });
    expect(asked(server)).toEqual(['GET /sse', 'POST /sse server/discover', 'POST /sse initialize']);
  });

  test.each(['classic', 'rmcp', 'serena', 'workspace', 'pymcp'] as const)(
    'is found at the mock that speaks %s',
    async (dialect) => {
      const mock = await serveMock({ dialect });
      closing.push(() => mock.close());
      const url = mock.url.replace(/\/mcp\/bench$/, '/mcp/{session}');
      expect(await detectTarget(targetAt(url, { transport: 'auto' }), limits)).toEqual({
        url,
        ...sse,
        dialect,
      });
    },
  );
});

describe('a URL without a path', () => {
  test.each<[string, Record<string, (message: Message) => string>, string]>([
    ['/mcp', { 'POST /mcp initialize': welcome() }, '/mcp'],
    ['/sse', { 'GET /sse': endpointStream }, '/sse'],
    ['/', { 'POST / server/discover': discovered }, '/'],
  ])('is completed by the path that works: %s', async (_, answers, path) => {
    const server = await serve(answers);
    for (const given of [server.origin, `${server.origin}/`])
      expect((await detectTarget(targetAt(given), limits)).url).toBe(`${server.origin}${path}`);
  });

  test('is that of the transport which is named, where there are both', async () => {
    const server = await serve({ 'POST /mcp initialize': welcome(), 'GET /sse': endpointStream });
    const at = async (transport: TargetPlan['transport']): Promise<Spoken> =>
      detectTarget(targetAt(server.origin, { transport }), limits);
    expect(await at('auto')).toEqual({ url: `${server.origin}/mcp`, ...sessions });
    expect(await at('streamable')).toEqual({ url: `${server.origin}/mcp`, ...sessions });
    expect(await at('sse')).toEqual({ url: `${server.origin}/sse`, ...sse });
  });

  test('says what was tried, and what said most', async () => {
    const server = await serve({ 'POST /sse initialize': () => answer(401) });
    await expect(detectTarget(targetAt(server.origin), limits)).rejects.toThrow(
      /^no session with http:\/\/127\.0\.0\.1:\d+\/sse: .*POST initialize: 401.*token/,
    );
  });

  test('one with a path is taken at its word', async () => {
    const server = await serve({ 'GET /sse': endpointStream });
    await expect(detectTarget(targetAt(`${server.origin}/x`), limits)).rejects.toThrow('Is the path right?');
    expect(asked(server)).toEqual(['POST /x server/discover', 'POST /x initialize', 'GET /x']);
  });
});

describe('what is named', () => {
  test.each<Partial<TargetPlan>>([
    { transport: 'streamable', protocol: '2025-11-25' },
    { transport: 'streamable', protocol: '2026-07-28' },
    { transport: 'sse', protocol: '2024-11-05' },
    { transport: 'sse' },
  ])('is not asked for: %o', async (named) => {
    const server = await serve({});
    const url = `${server.origin}/mcp`;
    const { transport, era, protocolVersion } = await detectTarget(targetAt(url, named), limits);
    expect({ transport, protocolVersion }).toEqual({
      transport: named.transport,
      protocolVersion: named.protocol ?? 'auto',
    });
    expect(era).toBe(named.protocol === '2026-07-28' ? 'stateless' : 'sessions');
    expect(server.connections).toHaveLength(0);
  });

  test('a revision with sessions is asked for first, and a server of both eras speaks it', async () => {
    const server = await serve({
      'POST /mcp server/discover': discovered,
      'POST /mcp initialize': welcome(),
    });
    const url = `${server.origin}/mcp`;
    expect(await detectTarget(targetAt(url, { protocol: '2025-06-18' }), limits)).toMatchObject({
      era: 'sessions',
      protocolVersion: '2025-06-18',
    });
    expect(asked(server)).toEqual(['POST /mcp initialize']);
    expect(await detectTarget(targetAt(url, { protocol: '2026-07-28' }), limits)).toMatchObject(stateless);
  });

  test.each<[string, Partial<TargetPlan>, Record<string, (message: Message) => string>, string]>([
    [
      'Streamable HTTP at a server of HTTP+SSE',
      { transport: 'streamable' },
      { 'GET /at': endpointStream },
      'this server speaks HTTP+SSE: use --transport sse',
    ],
    [
      'the stateless era at a server with sessions',
      { transport: 'streamable', protocol: '2026-07-28' },
      { 'POST /at initialize': welcome() },
      'this server speaks Streamable HTTP 2025-11-25: use --protocol 2025-11-25',
    ],
    [
      'sessions at a server without',
      { transport: 'streamable', protocol: '2025-11-25' },
      { 'POST /at server/discover': discovered },
      'this server speaks Streamable HTTP 2026-07-28 (stateless): use --protocol 2026-07-28',
    ],
    [
      'HTTP+SSE at a server of Streamable HTTP',
      { transport: 'sse' },
      { 'POST /at initialize': welcome() },
      'this server speaks Streamable HTTP 2025-11-25: use --transport streamable',
    ],
  ])('wrongly is told: %s', async (_, named, answers, advice) => {
    const server = await serve(answers);
    const target = targetAt(`${server.origin}/at`, named);
    expect(await adviseOtherwise(target, limits)).toBe(advice);
    const half = targetAt(`${server.origin}/at`, {
      ...named,
      ...(named.transport === 'streamable' ? {} : { transport: 'auto' }),
    });
    if (named.protocol !== undefined && half.transport === 'streamable')
      await expect(detectTarget({ ...half, transport: 'auto' }, limits)).rejects.toThrow(advice);
  });

  test('rightly, nothing is advised', async () => {
    const server = await serve({ 'GET /sse': endpointStream });
    expect(await adviseOtherwise(targetAt(`${server.origin}/sse`, { transport: 'sse' }), limits)).toBeNull();
    expect(await adviseOtherwise(targetAt('http://127.0.0.1:9/sse', { transport: 'sse' }), brief)).toBeNull();
  });
});

describe('the official SDK', () => {
  const make = (): McpServer => new McpServer({ name: 's', version: '1' });
  test.each([true, false])('1.x over Streamable HTTP, with sessions: %s', async (withSessions) => {
    const server = await serveSdkStreamable(make, withSessions);
    closing.push(() => server.close());
    expect(await detectTarget(targetAt(server.url), limits)).toEqual({ url: server.url, ...sessions });
  });

  test('1.x over HTTP+SSE', async () => {
    const server = await serveSdkSse(make);
    closing.push(() => server.close());
    expect(await detectTarget(targetAt(server.url), limits)).toEqual({ url: server.url, ...sse });
  });
});

describe('nothing found is one clear line', () => {
  test.each<[string, (message: Message) => string, RegExp]>([
    [
      '401',
      () => answer(401),
      /^no session with .*answered 401 \(POST server\/discover: 401, POST initialize: 401\).*token/,
    ],
    ['403', () => answer(403), /^no session with .*answered 403.*token/],
    ['503', () => answer(503), /^no session with .*answered 503.*Is it running/],
    ['404', () => answer(404), /^no session with .*answered 404 .*Is the path right/],
    ['421', () => answer(421), /answered 421.*give it the Host/],
    ['429', () => answer(429), /answered 429.*fewer requests/],
    [
      'a redirect',
      () => answer(307, '', ['Location: /mcp/?key=S']),
      /answered 307, a redirect to \/mcp\/…, which is not followed.*name the address/,
    ],
    [
      'a web page',
      () => answer(200, '<html>', ['Content-Type: text/html']),
      /^no session with .*the answer is text\/html, not text\/event-stream/,
    ],
    [
      'a type without end',
      () => answer(200, '', [`Content-Type: ${'x'.repeat(10_000)}`]),
      /^no session with .{1,400}$/,
    ],
    [
      'an error that would take hold of a terminal',
      refusal(400, -32000, undefined, 'so\u001b[2J\u202e\nowned'),
      /error -32000 so \[2J owned/,
    ],
    ['silence', () => '', /^no session with .*answered nothing within 0\.3 s$/],
    ['a stream that says nothing', () => `${streamHead}: hello\n\n`, /no usable event within 0\.3 s/],
    ['what is no HTTP', () => 'SSH-2.0-OpenSSH_9.6\r\n', /^no session with .*Is this an HTTP server/],
    ['what breaks off', () => 'HTTP/1.1 200 OK\r\nContent-Le', /^no session with /],
  ])('%s', async (name, respond, message) => {
    const server = await serve({ '*': respond });
    // Only what is never answered takes all the time that there is.
    const failed = detectTarget(targetAt(`${server.origin}/sse`), isSilent(name) ? brief : limits);
    await expect(failed).rejects.toMatchObject({ name: 'Failure', exitCode: 1 });
    await expect(failed).rejects.toThrow(message);
    await failed.catch(({ message: text }: Error) => expect(text).not.toMatch(/\n|key=S/));
  });

  test('nobody listens', async () => {
    await expect(detectTarget(targetAt('http://127.0.0.1:9/mcp'), brief)).rejects.toThrow(
      'connection refused',
    );
  });

  test('a server of HTTP/2 only', async () => {
    const server = createHttp2Server();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    await expect(detectTarget(targetAt(`http://127.0.0.1:${port}/mcp`), brief)).rejects.toMatchObject({
      name: 'Failure',
    });
  });

  test.each<[string, string | Buffer]>([
    ['a body without end', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n'],
    ['events without end', `${streamHead}data: {"jsonrpc":"2.0","method":"x"}\n\n`],
    ['a head without end', 'HTTP/1.1 200 OK\r\n'],
  ])('%s is read for so long only, and so many bytes of it', async (_, head) => {
    const server = await ScriptedServer.listen(({ connection }) => {
      connection.write(head);
      pour(
        connection,
        _.startsWith('events') ? 'data: {"jsonrpc":"2.0","method":"x"}\n\n' : 'x'.repeat(1000),
      );
    });
    closing.push(() => server.close());
    await expect(detectTarget(targetAt(`${server.origin}/mcp`), brief)).rejects.toMatchObject({
      name: 'Failure',
    });
  });
});
