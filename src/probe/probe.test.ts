import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ListRootsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { presetNames } from '../../mock-server/protocol/presets.js';
import { type RunningMock, serveMock, type ServeMockOptions } from '../../mock-server/serve-mock.js';
import type { Failure } from '../failure.js';
import { planScenario } from '../scenario/load-scenario.js';
import { probe, type ProbeOptions } from './probe.js';
import type { ProbeReport } from './probe-report.js';
import { listening, type SdkServer, serveSdkSse, serveSdkStreamable } from './sdk-server.fixture.js';

const options: ProbeOptions = { timeoutMs: 5000, listenMs: 0, calls: { count: 10 } };

function targetOf(url: string): Parameters<typeof probe>[0] {
  return planScenario(
    { sessions: 1, load: { model: 'count', calls: 1 }, calls: [{ method: 'ping' }] },
    { target: url },
  ).target;
}

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function probeMock(mock: ServeMockOptions, more: Partial<ProbeOptions> = {}): Promise<ProbeReport> {
  const running: RunningMock = await serveMock(mock);
  closing.push(() => running.close());
  const report = await probe(targetOf(running.url), { ...options, ...more });
  // Whatever it asked, it asked politely: nothing was left open and nothing was too much.
  const { sessions } = await running.stats();
  expect(sessions.opened).toBeLessThanOrEqual(3);
  return report;
}

async function probeServer(
  server: Promise<SdkServer>,
  more: Partial<ProbeOptions> = {},
): Promise<ProbeReport> {
  const running = await server;
  closing.push(() => running.close());
  return probe(targetOf(running.url), { ...options, ...more });
}

const codes = ({ departures }: ProbeReport): string[] => departures.map(({ code }) => code);

describe('the mock in every dialect', () => {
  const own: Record<string, string[]> = {
    classic: [],
    rmcp: [],
    serena: ['endpoint-unnamed'],
    workspace: ['no-endpoint', 'response-event', 'broadcast'],
    pymcp: ['endpoint-json', 'protocol-version', 'capabilities', 'no-tools-list', 'ping'],
  };

  test.each(Object.keys(own))('%s is recognised, with its own departures and no others', async (dialect) => {
    const report = await probeMock({ dialect: dialect as 'classic' });
    expect(report).toMatchObject({
      transport: 'sse',
      dialect: { name: dialect, exact: true, differences: [] },
      server: { name: 'mcp-bench mock' },
    });
    expect(codes(report)).toEqual(own[dialect]);
    expect(report.departures.every(({ ofDialect }) => ofDialect)).toBe(true);
    expect(report.tools.tools.map(({ name }) => name)).toEqual([
      'echo',
      'sleep',
      'payload',
      'fail',
      'random',
      'counter',
    ]);
    expect(report.tools.tools[0]!.inputSchema).toMatchObject({
      properties: { message: { type: 'string' } },
      required: ['message'],
    });
    expect(report.calls).toMatchObject({ tool: 'echo', arguments: { message: 'example' }, passedOver: [] });
    expect(report.calls.samples).toHaveLength(10);
    expect(report.calls.samples.every(({ failure, responseNs }) => failure === null && responseNs! > 0)).toBe(
      true,
    );
    const { connectNs, headersNs, endpointNs, totalNs } = report.handshake!;
    expect(connectNs).toBeGreaterThan(0);
    expect(endpointNs).toBeGreaterThanOrEqual(headersNs!);
    expect(totalNs).toBeGreaterThan(connectNs + endpointNs!);
  });
});

describe('the mock like real servers', () => {
  const own: Record<string, string[]> = {
    'pymcp-sse': [
      'endpoint-json',
      'protocol-version',
      'capabilities',
      'no-tools-list',
      'notification-answered',
      'ping',
      'malformed-json',
    ],
    'java-sdk': ['post-status'],
  };

  test.each(presetNames)('%s', async (like) => {
    const report = await probeMock({ like });
    expect(codes(report)).toEqual(own[like] ?? []);
    expect(report.calls.samples.filter(({ failure }) => failure !== null)).toEqual([]);
  });

  test('the details of the wire are seen', async () => {
    const go = await probeMock({ like: 'mcp-go' });
    expect(go.dialect).toMatchObject({
      name: 'rmcp',
      exact: false,
      differences: ['endpoint: absolute, not relative'],
    });
    expect(go.stream!.spaceAfterColon).toBe('always');
    expect(go.stream!.lineEndings.lf).toBeGreaterThan(0);
    expect(go.stream!.lineEndings.crlf).toBeGreaterThan(0);
    const sparing = await probeMock({ wire: { spaceAfterColon: 'endpoint' } });
    expect(sparing.stream!.spaceAfterColon).toBe('sometimes');
    const python = await probeMock({ like: 'python-sdk' });
    expect(python.stream!.lineEndings).toMatchObject({ lf: 0, cr: 0 });
    expect(python.posts!.accepted).toMatchObject([
      { status: 202, body: 'Accepted', framing: 'Content-Length' },
    ]);
    expect(python.posts!.reused).toBeGreaterThan(8);
    const typescript = await probeMock({ like: 'ts-sdk' });
    expect(typescript.posts!.accepted).toMatchObject([{ status: 202, body: 'Accepted', framing: 'chunked' }]);
    const java = await probeMock({ like: 'java-sdk' });
    expect(java.calls.eventBefore202).toBe(10);
    expect(java.calls.samples.every(({ ackToEventNs }) => ackToEventNs! < 0)).toBe(true);
    const early = await probeMock({ like: 'fastmcp-ts' });
    expect(early.notes).toContain('sends notifications/message before initialize is answered');
  });

  test('keep-alives of every kind are heard while it listens', async () => {
    const wire = {
      keepAlive: '20ms',
      keepAliveAs: ['ping-event', 'ping-comment'],
      serverPing: '20ms',
    } as const;
    const report = await probeMock(
      { wire: { ...wire, keepAliveAs: [...wire.keepAliveAs] } },
      { listenMs: 400 },
    );
    expect(report.keepAlive!.seen.map(({ kind }) => kind)).toEqual(['comment', 'ping event', 'ping request']);
    for (const { count, everyMs } of report.keepAlive!.seen) {
      expect(count).toBeGreaterThan(1);
      expect(everyMs).toBeGreaterThan(0);
    }
    expect(report.keepAlive!.seen[0]!.example).toMatch(/^: ?ping/);
  });
});

describe('departures are found', () => {
  test.each<[string, ServeMockOptions, string]>([
    ['responses to everybody', { wire: { broadcast: true } }, 'broadcast'],
    ['the response in the POST as well', { wire: { jsonInPost: true } }, 'response-twice'],
    ['another status', { wire: { acceptedStatus: 200 } }, 'post-status'],
    ['duplicates', { faults: { duplicate: '100%' } }, 'duplicate'],
    ['malformed JSON as a fault of its own', { wire: { malformedJsonStatus: 500 } }, 'malformed-json'],
  ])('%s', async (_, mock, code) => {
    expect(codes(await probeMock(mock))).toEqual([code]);
  });

  test('a POST that is never answered, and a call that never is', async () => {
    const silent = await probeMock({ wire: { unknownSession: 'never' } }, { timeoutMs: 700 });
    expect(codes(silent)).toEqual(['unknown-session']);
    const lost = await probeMock({ faults: { lost: '100%' } }, { timeoutMs: 700 });
    expect(codes(lost)).toContain('no-response');
    expect(lost.calls.samples[0]!.failure).toBe('accepted, and not answered in time');
  });
});

test('the official SDK over HTTP+SSE', async () => {
  const report = await probeServer(
    serveSdkSse(() => {
      const server = new McpServer({ name: 'notes', version: '1.2.3' }, { instructions: 'Be brief.' });
      const remove = { annotations: { destructiveHint: true } };
      server.registerTool('delete_note', { inputSchema: { id: z.string() }, ...remove }, () => ({
        content: [],
      }));
      server.registerTool('send_note', { inputSchema: {} }, () => ({ content: [] }));
      const read = {
        inputSchema: { limit: z.number().int().min(1).max(50) },
        annotations: { readOnlyHint: true },
      };
      server.registerTool('read_notes', read, ({ limit }) => ({
        content: [{ type: 'text', text: `${limit}` }],
      }));
      return server;
    }),
  );
  expect(report).toMatchObject({
    transport: 'sse',
    dialect: { name: 'classic', exact: true },
    server: { name: 'notes', version: '1.2.3' },
    instructions: 'Be brief.',
    calls: { tool: 'read_notes', arguments: { limit: 5 }, why: 'says that it only reads' },
  });
  expect(report.tools.tools.map(({ risk }) => risk)).toEqual(['destructive', 'by-name', 'none']);
  expect(report.calls.samples.map(({ failure }) => failure)).toEqual(Array(10).fill(null));
});

describe('what it will not call', () => {
  const make = (): McpServer => {
    const server = new McpServer({ name: 's', version: '1' });
    const called = (): { content: [] } => {
      throw new Error('called all the same');
    };
    server.registerTool('wipe', { inputSchema: {}, annotations: { destructiveHint: true } }, called);
    server.registerTool('sendMail', { inputSchema: {} }, called);
    return server;
  };

  test('nothing destructive: it pings instead', async () => {
    const report = await probeServer(serveSdkSse(make));
    expect(report.calls).toMatchObject({
      tool: null,
      why: expect.stringContaining('no tool is safe to call unasked') as string,
      passedOver: [],
    });
    expect(report.calls.samples.every(({ failure }) => failure === null)).toBe(true);
  });

  test('and where everything is marked, it says what can be done about it', async () => {
    const marked = (): McpServer => {
      const server = new McpServer({ name: 's', version: '1' });
      const annotations = { readOnlyHint: false, destructiveHint: true };
      server.registerTool('echo', { inputSchema: {}, annotations }, () => ({ content: [] }));
      return server;
    };
    const { calls, notes } = await probeServer(serveSdkSse(marked));
    expect(calls.tool).toBe(null);
    expect(notes).toEqual([expect.stringContaining('--allow-destructive')]);
    const allowed = { count: 2, allowDestructive: true };
    const told = await probeServer(serveSdkSse(marked), { calls: allowed });
    expect(told).toMatchObject({ calls: { tool: 'echo' }, notes: [] });
  });

  test('unless told, and then it must be meant', async () => {
    const calls = { count: 2, tool: 'wipe' };
    await expect(probeServer(serveSdkSse(make), { calls })).rejects.toThrow('--allow-destructive');
    const report = await probeServer(serveSdkSse(make), { calls: { ...calls, allowDestructive: true } });
    expect(report.calls.samples.map(({ failure }) => failure)).toEqual(
      Array(2).fill('the tool failed: called all the same'),
    );
    await expect(probeServer(serveSdkSse(make), { calls: { count: 1, tool: 'nope' } })).rejects.toThrow(
      'the server has no such tool (it has: wipe, sendMail)',
    );
  });

  test('a tool that fails is passed over for the next', async () => {
    const report = await probeMock({ tools: { echo: { fails: 'not today' } } });
    expect(report.calls.tool).not.toBe('echo');
    expect(report.calls.passedOver).toEqual([{ tool: 'echo', failure: 'the tool failed: not today' }]);
  });
});

describe('Streamable HTTP is named', () => {
  const make = (): McpServer => {
    const server = new McpServer({ name: 'modern', version: '2' });
    server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }));
    return server;
  };

  test.each([true, false])('by the official SDK, sessions %s', async (sessions) => {
    const report = await probeServer(serveSdkStreamable(make, sessions));
    expect(report).toMatchObject({
      transport: 'streamable',
      era: 'sessions',
      server: { name: 'modern', version: '2' },
      protocolVersion: { asked: '2025-11-25', answered: '2025-11-25' },
      calls: { tool: 'add', arguments: { a: 1, b: 1 } },
      replies: { json: 0, priming: 0, session: sessions ? 'deleted' : null },
      notes: [],
    });
    expect(report.replies!.events).toBeGreaterThan(10);
    const { connectNs, initializeNs, initializedNs, totalNs } = report.handshake!;
    expect(connectNs + initializeNs! + initializedNs!).toBeLessThanOrEqual(totalNs);
    expect(report.calls.samples.map(({ failure }) => failure)).toEqual(Array(10).fill(null));
    for (const { ackNs, responseNs } of report.calls.samples) expect(ackNs).toBeLessThanOrEqual(responseNs!);
  });

  test('a server that asks back is answered', async () => {
    const asking = (): McpServer => {
      const server = make();
      server.registerTool('ask', { annotations: { readOnlyHint: true } }, async (extra) => {
        const { roots } = await extra.sendRequest({ method: 'roots/list' }, ListRootsResultSchema);
        return { content: [{ type: 'text', text: `${roots.length} roots` }] };
      });
      return server;
    };
    const report = await probeServer(serveSdkStreamable(asking, true), { calls: { tool: 'ask', count: 2 } });
    expect(report.calls.samples.map(({ failure }) => failure)).toEqual([null, null]);
    expect(report.notes).toEqual(['asks the client: roots/list']);
  });

  test('of the stateless age', async () => {
    const report = await probeServer(serve(statelessServer('now')));
    expect(report).toMatchObject({
      transport: 'streamable',
      era: 'stateless',
      protocolVersion: { answered: '2026-07-28' },
      handshake: { initializeNs: null },
    });
    expect(report.handshake!.discoverNs).toBeGreaterThan(0);
    expect(report.tools.tools.map(({ name }) => name)).toEqual(['now']);
  });

  test('a tool whose name may not go into a header is called by an encoded one', async () => {
    const names: unknown[] = [];
    const listener: RequestListener = (request, response) => {
      if (request.headers['mcp-method'] === 'tools/call') names.push(request.headers['mcp-name']);
      statelessServer('jetzt\u010a')(request, response);
    };
    const report = await probeServer(serve(listener));
    expect(report.calls.samples.map(({ failure }) => failure)).toEqual(Array(10).fill(null));
    expect(new Set(names)).toEqual(new Set([`=?base64?${Buffer.from('jetzt\u010a').toString('base64')}?=`]));
  });

  test('a session id that may not go into a header is not sent back', async () => {
    const ids: unknown[] = [];
    const listener: RequestListener = (request, response) => {
      ids.push(request.headers['mcp-session-id']);
      if (request.method === 'GET') return void response.writeHead(405).end();
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'a\u00e9 b' });
      const result = { protocolVersion: '2025-06-18', serverInfo: { name: 's', version: '1' } };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    };
    await expect(probeServer(serve(listener))).rejects.toThrow(/session id .* U\+00E9/);
    expect(new Set(ids)).toEqual(new Set([undefined]));
  });
});

const statelessServer =
  (tool: string): RequestListener =>
  (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(text) as {
        id: number;
        method: string;
        params: { _meta?: object };
      };
      const results: Record<string, object> = {
        'server/discover': {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
        },
        'tools/list': { resultType: 'complete', tools: [{ name: tool, inputSchema: { type: 'object' } }] },
        'tools/call': { resultType: 'complete', content: [] },
      };
      const told = request.headers['mcp-method'] === method && params._meta !== undefined;
      response.writeHead(told ? 200 : 400, { 'content-type': 'application/json' });
      const answer = told
        ? { result: results[method] }
        : { error: { code: -32020, message: 'header mismatch' } };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  };

function serve(listener: RequestListener, path = '/sse'): Promise<SdkServer> {
  return listening(createServer(listener), path);
}

describe('what is no MCP server is one clear line', () => {
  test.each<[string, RequestListener, string]>([
    [
      '404',
      (_, response) => response.writeHead(404).end(),
      'the event stream was answered 404 (POST server/discover: 404, POST initialize: 404). Is the path right?',
    ],
    [
      'a web page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'the answer is text/html, not text/event-stream',
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(307, { location: '/mcp/sse?key=S' }).end(),
      'answered 307, a redirect to /mcp/sse…, which is not followed (POST server/discover: 307, a redirect to /mcp/sse…',
    ],
    [
      'a compressed stream',
      (request, response) => {
        if (request.method === 'POST') response.writeHead(405).end();
        else
          response
            .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
            .write(gzipSync('event: endpoint\ndata: /m\n\n'));
      },
      'the event stream was answered 200, with Content-Encoding: gzip, which was not asked for',
    ],
    [
      'a compressed response',
      (request, response) => {
        if (request.method === 'GET')
          return void response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .write('event: endpoint\ndata: /m\n\n');
        if (request.url === '/sse') return void response.writeHead(405).end();
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(gzipSync('{"jsonrpc":"2.0","id":1,"result":{}}'));
      },
      'initialize was answered 200, with Content-Encoding: gzip',
    ],
    ['a login', (_, response) => response.writeHead(401).end(), 'the event stream was answered 401'],
    [
      'a stream without an endpoint',
      (request, response) => {
        if (request.method === 'POST') response.writeHead(405).end();
        else response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      },
      'no usable event within 0.5 s',
    ],
    ['silence', () => {}, 'it took the connection and answered nothing within 0.5 s'],
    [
      'an endpoint elsewhere',
      (request, response) => {
        if (request.method === 'POST') response.writeHead(405).end();
        else
          response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .write('event: endpoint\ndata: http://192.0.2.1/m\n\n');
      },
      "is not the stream's",
    ],
  ])('%s', async (_, listener, message) => {
    const failed = probeServer(serve(listener), { timeoutMs: 500 });
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toMatchObject({ name: 'Failure', exitCode: 1 } satisfies Partial<Failure>);
  });
});

test('values of the query that are words of ours leave the report as it is', async () => {
  const running = await serveMock({ dialect: 'classic' });
  closing.push(() => running.close());
  const url = `${running.url}?features=tools,resources&is=transport&by=spaceAfterColon&to=sometimes&from=tools%2Flist&name=departures&as=keepAlive`;
  const report = await probe(targetOf(url), options);
  expect(Object.keys(report)).toEqual(
    expect.arrayContaining(['tools', 'departures', 'transport', 'keepAlive']),
  );
  expect(report.tools).toMatchObject({ from: 'tools/list' });
  expect(report.transport).toBe('sse');
  expect(report.url).toContain('?features=***&is=***');
});
