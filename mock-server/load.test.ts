import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dialectNames } from './protocol/dialects/dialect.js';
import { McpSession } from './mcp-session.fixture.js';
import { post, RawStream, send, until } from './raw-client.fixture.js';
import { serveMock } from './serve-mock.js';
import type { RunningMock, ServeMockOptions } from './serve-mock.js';

// On a machine that others use too a process may stand still for a long time: that alone must fail nothing.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

interface LogLine {
  id: string | number;
  session: string;
  tool: string;
  receivedNs: number;
  dueNs: number;
  sentNs: number | null;
  injected: string[];
}

// Over real sockets: what the server says it did is what its clients saw. Counts, never times.
describe.each(['uws', 'node'] as const)('on the %s engine', (engine) => {
  let mock: RunningMock;
  const start = async (options: ServeMockOptions = {}): Promise<void> => {
    mock = await serveMock({ engine, ...options });
  };
  afterEach(() => mock.close());

  const call = (id: string | number, tool = 'echo', args: object = { message: String(id) }): object => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: tool, arguments: args },
  });

  test('many sessions, many calls, every fault at once: every count agrees with what the clients saw', async () => {
    await start({
      seed: 42,
      latency: 'uniform(0,3ms)',
      faults: {
        rpcError: '8%',
        toolError: '8%',
        httpError: '8%',
        lost: '8%',
        duplicate: '8%',
        misrouted: '8%',
        eventBefore202: '8%',
        ackAfterWork: '8%',
        splitEvent: '8%',
        serverRequest: '8%',
        push: '8%',
        heldPost: { rate: '8%', for: '5ms' },
        slowRead: { rate: '8%', for: '2ms' },
      },
    });
    const sessions = await Promise.all(
      Array.from({ length: 20 }, () => McpSession.ready(mock.url, 'classic')),
    );
    const callsEach = 25;
    const statuses = await Promise.all(
      sessions.flatMap((session, s) =>
        Array.from({ length: callsEach }, (_, c) =>
          session.post(call(`${s}-${c}`)).then(({ status }) => status),
        ),
      ),
    );
    const expected = sessions.length * callsEach;
    const { lost, httpError, duplicate } = (await settled()).injected;
    async function settled(): Promise<Awaited<ReturnType<RunningMock['stats']>>> {
      await until(async () => {
        const { injected, responsesSent } = await mock.stats();
        // Each session's initialize is a response too.
        return (
          responsesSent ===
          sessions.length + expected - injected.lost - injected.httpError + injected.duplicate
        );
      });
      return mock.stats();
    }
    const stats = await settled();
    await until(
      () => sessions.reduce((sum, { stream }) => sum + stream.events.length, 0) === stats.eventsSent,
    );
    const all = sessions.map(({ stream }) => stream.messages.slice(1));
    const responses = all.map((messages) => messages.filter((message) => !('method' in message)));
    const own = responses.flatMap((messages, s) =>
      messages.filter(({ id }) => String(id).startsWith(`${s}-`)),
    );
    const foreign = responses.flatMap((messages, s) =>
      messages.filter(({ id }) => !String(id).startsWith(`${s}-`)),
    );
    expect(statuses.filter((status) => status === 202)).toHaveLength(expected - httpError);
    expect(statuses.filter((status) => status === 503)).toHaveLength(httpError);
    expect(foreign).toHaveLength(stats.injected.misrouted);
    expect(new Set(own.map(({ id }) => id)).size).toBe(
      expected - lost - httpError - stats.injected.misrouted,
    );
    expect(own.length - new Set(own.map(({ id }) => id)).size).toBe(duplicate);
    expect(new Set(own.filter((message) => 'error' in message).map(({ id }) => id)).size).toBe(
      stats.injected.rpcError,
    );
    const failed = own.filter(
      (message) => (message['result'] as { isError?: boolean } | undefined)?.isError === true,
    );
    expect(new Set(failed.map(({ id }) => id)).size).toBe(stats.injected.toolError);
    expect(all.flat().filter((message) => message['method'] === 'ping')).toHaveLength(
      stats.injected.serverRequest,
    );
    expect(all.flat().filter((message) => message['method'] === 'logging')).toHaveLength(stats.injected.push);
    expect(stats.calls).toMatchObject({ received: expected, byTool: { echo: expected } });
    expect(stats.posts.byStatus).toEqual({ 202: expected - httpError + 2 * sessions.length, 503: httpError });
    expect(stats.bytes.out).toBe(
      sessions.reduce((sum, { stream }) => sum + Buffer.byteLength(stream.text), 0),
    );
    expect(stats.lateWrites).toBe(0);
    for (const [fault, count] of Object.entries(stats.injected))
      expect(count > 0, fault).toBe(!['cut', 'unansweredPost'].includes(fault));
    for (const session of sessions) session.close();
  });

  test('cut streams and late responses are counted', async () => {
    await start({ seed: 3, faults: { cut: '20%' }, latency: '1ms' });
    const sessions = await Promise.all(
      Array.from({ length: 20 }, () => McpSession.ready(mock.url, 'classic')),
    );
    const statuses = await Promise.all(
      sessions.flatMap((session, s) =>
        Array.from({ length: 5 }, (_, c) => session.post(call(`${s}-${c}`)).then(({ status }) => status)),
      ),
    );
    const accepted = statuses.filter((status) => status === 202).length;
    expect(statuses.every((status) => status === 202 || status === 500)).toBe(true);
    await until(async () => {
      const { responsesSent, lateWrites, injected } = await mock.stats();
      return responsesSent - sessions.length + lateWrites + injected.cut === accepted;
    });
    const stats = await mock.stats();
    expect(stats.injected.cut).toBeGreaterThan(0);
    await until(
      () => sessions.filter(({ stream }) => stream.ended === 'broken').length === stats.injected.cut,
    );
    expect(stats.sessions.closedByServer).toBe(stats.injected.cut);
    await until(
      () => sessions.reduce((sum, { stream }) => sum + stream.messages.length, 0) === stats.responsesSent,
    );
    for (const session of sessions) session.close();
  });

  test('the event really comes before its 202', async () => {
    await start({ faults: { eventBefore202: { rate: 1, gap: '1s' } } });
    const session = await McpSession.ready(mock.url, 'classic');
    let accepted = false;
    const reply = session.post(call(7)).then(({ status }) => {
      accepted = true;
      return status;
    });
    await session.stream.response(7);
    expect(accepted).toBe(false);
    expect(await reply).toBe(202);
    session.close();
  });

  test('a POST that is never answered still has its event', async () => {
    await start({ faults: { unansweredPost: 1 } });
    const session = await McpSession.ready(mock.url, 'classic');
    const { hostname, port, pathname, search } = new URL(session.postUrl);
    const socket = connect(Number(port), hostname);
    let answered = '';
    socket.on('data', (bytes) => (answered += bytes.toString()));
    const body = JSON.stringify(call(7));
    socket.write(
      `POST ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await session.stream.response(7);
    expect(answered).toBe('');
    socket.destroy();
    session.close();
  });

  test('several requests in one write are answered in order, each with its event', async () => {
    await start();
    const session = await McpSession.ready(mock.url, 'classic');
    const { hostname, port, pathname, search } = new URL(session.postUrl);
    const socket = connect(Number(port), hostname);
    let answered = '';
    socket.on('data', (bytes) => (answered += bytes.toString()));
    const requests = Array.from({ length: 50 }, (_, id) => {
      const body = JSON.stringify(call(id + 100));
      return `POST ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    });
    socket.write(requests.join(''));
    await session.stream.response(149);
    await until(() => answered.match(/HTTP\/1.1 202/g)?.length === 50);
    expect(session.stream.messages.slice(1).map(({ id }) => id)).toEqual(requests.map((_, id) => id + 100));
    socket.destroy();
    session.close();
  });

  test('large payloads come through whole, and are as large as asked', async () => {
    await start();
    const session = await McpSession.ready(mock.url, 'classic');
    for (const bytes of [0, 1, 65_536, 3_000_000]) {
      const { result } = (await session.call('payload', { bytes })) as {
        result: { content: [{ text: string }] };
      };
      expect(Buffer.byteLength(result.content[0].text)).toBe(bytes);
    }
    expect((await session.call('payload', { bytes: -1 }))['error']).toMatchObject({ code: -32602 });
    session.close();
  });

  test('a body in chunks, and one that comes byte by byte', async () => {
    await start();
    const session = await McpSession.ready(mock.url, 'classic');
    const { hostname, port, pathname, search } = new URL(session.postUrl);
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    const head = `POST ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`;
    const body = JSON.stringify(call(7, 'echo', { message: 'grüße 👋' }));
    const bytes = Buffer.from(body);
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    for (let at = 0; at < bytes.length; at += 5) {
      const piece = bytes.subarray(at, at + 5);
      socket.write(
        Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      );
    }
    socket.write('0\r\n\r\n');
    expect(await session.stream.response(7)).toMatchObject({ result: { content: [{ text: 'grüße 👋' }] } });
    const other = JSON.stringify(call(8, 'echo', { message: 'ö' }));
    // The head in one piece: uWebSockets takes a first line that is cut in its last word for another protocol version.
    socket.write(`${head}Content-Length: ${Buffer.byteLength(other)}\r\n\r\n`);
    for (const byte of Buffer.from(other)) {
      socket.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await session.stream.response(8)).toMatchObject({ result: { content: [{ text: 'ö' }] } });
    socket.destroy();
    session.close();
  });

  test('the log says of each call when it came, was due and was sent, and what was done to it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
    const log = join(folder, 'calls.jsonl');
    await start({
      log,
      latency: 'uniform(1ms,4ms)',
      seed: 5,
      faults: { lost: '20%', duplicate: '20%', httpError: '20%' },
    });
    const session = await McpSession.ready(mock.url, 'classic');
    const before = Number(process.hrtime.bigint());
    await Promise.all(Array.from({ length: 60 }, (_, id) => session.post(call(id + 100))));
    await until(async () => {
      const { injected, responsesSent } = await mock.stats();
      return responsesSent === 1 + 60 - injected.lost - injected.httpError + injected.duplicate;
    });
    await mock.close();
    const after = Number(process.hrtime.bigint());
    const lines = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine);
    const stats = await mock.stats();
    expect(lines).toHaveLength(60);
    for (const { receivedNs, dueNs, sentNs, tool, injected: done } of lines) {
      expect(tool).toBe('echo');
      expect(receivedNs).toBeGreaterThan(before);
      if (done.includes('httpError') || done.includes('lost')) expect(sentNs).toBeNull();
      else {
        expect(dueNs - receivedNs).toBeGreaterThanOrEqual(1e6);
        expect(dueNs - receivedNs).toBeLessThanOrEqual(4e6);
        expect(sentNs!).toBeGreaterThanOrEqual(dueNs);
        expect(sentNs!).toBeLessThan(after);
      }
    }
    for (const fault of ['lost', 'duplicate', 'httpError'] as const)
      expect(lines.filter((line) => line.injected.includes(fault))).toHaveLength(stats.injected[fault]);
    session.close();
    rmSync(folder, { recursive: true });
  });

  test('dialect all serves each dialect under its own path, and keeps their sessions apart', async () => {
    await start({ dialect: 'all' });
    const origin = new URL(mock.url).origin;
    expect(new URL(mock.url).pathname).toBe('/');
    const sessions = await Promise.all(
      dialectNames.map((dialect) =>
        McpSession.ready(`${origin}/${dialect}${dialect === 'workspace' ? '/mcp/bench' : '/sse'}`, dialect),
      ),
    );
    for (const session of sessions) {
      expect(new URL(session.postUrl).pathname).toMatch(new RegExp(`^/${session.dialect}/`));
      const response = await session.call('echo', { message: session.dialect });
      expect(JSON.stringify(response['result'])).toContain(session.dialect);
    }
    const id = new URL(sessions[0]!.postUrl).search;
    expect((await post(`${origin}/rmcp/message${id}`, call(1))).status).toBe(404);
    // A path that nobody has is refused as the dialect does that it starts with the name of.
    const lost = async (path: string): Promise<unknown[]> => {
      const { status, body } = await send('GET', origin + path);
      return [
        status,
        body.startsWith('{') ? (JSON.parse(body) as { error: { code: number } }).error.code : body,
      ];
    };
    expect(
      await Promise.all(['/rmcp/x', '/serena/x', '/pymcp/x', '/workspace/mcp/', '/x', '/rmcpx'].map(lost)),
    ).toEqual([
      [404, ''],
      [404, 'Not Found'],
      [404, -32600],
      [404, -32600],
      [404, 'Not found'],
      [404, 'Not found'],
    ]);
    expect((await mock.stats()).sessions.open).toBe(5);
    expect(JSON.parse((await send('GET', `${origin}/pymcp/health`)).body)).toMatchObject({
      active_sessions: 5,
    });
    // Of a session that has gone only its own dialect knows that it was there.
    sessions[0]!.close();
    await until(async () => (await mock.stats()).sessions.open === 4);
    expect((await post(`${origin}/classic/messages${id}`, call(1))).status).toBe(500);
    expect((await post(`${origin}/rmcp/message${id}`, call(1))).status).toBe(404);
    // A workspace may have any name, even that of another dialect's session.
    const rmcpId = new URL(sessions[1]!.postUrl).searchParams.get('sessionId');
    const namesake = await McpSession.ready(`${origin}/workspace/mcp/${rmcpId}`, 'workspace');
    expect(await sessions[1]!.call('echo', { message: 'mine' })).toHaveProperty('result');
    namesake.close();
    await until(async () => (await mock.stats()).sessions.open === 4);
    expect(await sessions[1]!.call('echo', { message: 'still mine' })).toHaveProperty('result');
    for (const session of sessions) session.close();
  });

  test('the first bytes of a real stream are those of golden/', async () => {
    await start({ like: 'python-sdk' });
    const stream = await RawStream.open(mock.url);
    expect(stream.text).toMatch(/^event: endpoint\r\ndata: \/messages\/\?session_id=[0-9a-f]{32}\r\n\r\n$/);
    const { search } = new URL(stream.events[0]!.data, mock.url);
    const redirected = await post(`${new URL(mock.url).origin}/messages${search}`, call(1));
    expect([redirected.status, redirected.headers.location]).toEqual([307, `/messages/${search}`]);
    stream.close();
  });

  test('202 with chunked encoding where asked, and with a length otherwise', async () => {
    await start({ like: 'ts-sdk' });
    const session = await McpSession.ready(mock.url, 'classic');
    const reply = await session.notify('notifications/x');
    expect([reply.status, reply.body, reply.headers['transfer-encoding']]).toEqual([
      202,
      'Accepted',
      'chunked',
    ]);
    session.close();
    await mock.close();
    await start();
    const plain = await McpSession.ready(mock.url, 'classic');
    expect((await plain.notify('notifications/x')).headers['content-length']).toBe('8');
    plain.close();
  });
});
