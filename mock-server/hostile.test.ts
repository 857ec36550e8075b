import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { McpSession } from './mcp-session.fixture.js';
import { RawStream, rawExchange, send, until } from './raw-client.fixture.js';
import { serveMock } from './serve-mock.js';
import type { RunningMock, ServeMockOptions } from './serve-mock.js';

// On a machine that others use too a process may stand still for a long time: that alone must fail nothing.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

// Nothing that a client sends, or does not, ends the server or disturbs another session.
describe.each(['uws', 'node'] as const)('hostile clients on the %s engine', (engine) => {
  let mock: RunningMock;
  let bystander: McpSession;
  const start = async (options: ServeMockOptions = {}): Promise<void> => {
    mock = await serveMock({ engine, ...options });
    bystander = await McpSession.ready(mock.url, 'classic');
  };
  beforeEach(async () => {
    mock = undefined as never;
  });
  afterEach(async () => {
    const answered = await bystander.call('echo', { message: 'still here' });
    expect(answered['result']).toMatchObject({ content: [{ text: 'still here' }] });
    bystander.close();
    await mock.close();
  });

  test.each([
    ['resources/read', { uri: { toString: 1 } }],
    ['prompts/get', { name: { toString: 1 } }],
  ])('%s with an object that cannot be a string is an invalid parameter', async (method, params) => {
    await start();
    const answered = await bystander.ask(method, params);
    expect(answered['error']).toMatchObject({ code: -32602 });
  });

  test('garbage bytes are refused and the connection dropped', async () => {
    await start();
    const garbage = [
      randomBytes(4096),
      'GET\r\n\r\n',
      'POST /messages HTTP/9.9\r\n\r\n',
      '\0\0\0\0\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`,
      'POST /messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n',
      'POST /messages HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ];
    for (const bytes of garbage)
      expect(await rawExchange(mock.port, bytes)).toMatch(/^$|^HTTP\/1.1 [45]\d\d /);
    expect((await mock.stats()).messages.byMethod).toEqual({ initialize: 1, 'notifications/initialized': 1 });
  });

  test('garbage after a good request spoils only its own connection', async () => {
    await start();
    const path = new URL(bystander.postUrl).pathname + new URL(bystander.postUrl).search;
    const body = '{"jsonrpc":"2.0","method":"notifications/x"}';
    const good = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(mock.port, '127.0.0.1');
    let seen = '';
    socket.on('data', (bytes) => (seen += bytes.toString()));
    socket.on('error', () => undefined);
    socket.write(good + good);
    await until(() => seen.match(/HTTP\/1.1 202/g)?.length === 2);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('\x01\x02 nonsense\r\n\r\n');
    await closed;
    expect((await mock.stats()).messages.byMethod['notifications/x']).toBe(2);
  });

  test('connections that say nothing, half a header or half a body are dropped in the end', async () => {
    await start();
    const path = new URL(bystander.postUrl).pathname + new URL(bystander.postUrl).search;
    const halves = [
      '',
      'GET /sse HTTP/1.1\r\nHost: 127',
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`,
    ];
    await Promise.all(halves.map((half) => rawExchange(mock.port, half)));
    expect((await mock.stats()).messages.byMethod).not.toHaveProperty('ping');
  });

  test('a POST that is broken off halfway is never taken for a message', async () => {
    await start();
    const received = (await mock.stats()).posts.received;
    const socket = connect(mock.port, '127.0.0.1');
    const path = new URL(bystander.postUrl).pathname + new URL(bystander.postUrl).search;
    await new Promise<void>((resolve) =>
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`,
        () => resolve(),
      ),
    );
    socket.destroy();
    await bystander.call('echo', { message: 'x' });
    expect((await mock.stats()).posts.received).toBe(received + 1);
  });

  test('a reader that does not read is cut and counted, and costs the others nothing', async () => {
    await start({ limits: { unreadBytes: '256KB' } });
    const lazy = await McpSession.ready(mock.url, 'classic');
    lazy.stream.socket.pause();
    for (let calls = 0; (await mock.stats()).unreadCuts === 0; calls++) {
      expect(calls).toBeLessThan(400);
      await lazy.post({
        jsonrpc: '2.0',
        id: calls,
        method: 'tools/call',
        params: { name: 'payload', arguments: { bytes: 100_000 } },
      });
      await bystander.call('echo', { message: 'meanwhile' });
    }
    const { sessions, unreadCuts } = await mock.stats();
    expect(unreadCuts).toBe(1);
    expect(sessions).toMatchObject({ open: 1, closedByServer: 1, closedByClient: 0 });
    lazy.stream.socket.resume();
    await until(() => lazy.stream.closed);
    expect(lazy.stream.ended).toBe('broken');
    expect((await lazy.post({ jsonrpc: '2.0', method: 'notifications/x' })).status).toBe(500);
  });

  test('readers that stand still within the limit are cut and counted, whenever they stopped', async () => {
    await start({ limits: { unreadBytes: '64MiB' } });
    // The engine looks for them now and then: they stop at different times between two looks.
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 700));
    const lazy: McpSession[] = [];
    for (let n = 0; n < 6; n++) {
      const session = await McpSession.ready(mock.url, 'classic');
      session.stream.socket.pause();
      await session.post({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'payload', arguments: { bytes: 16_000_000 } },
      });
      lazy.push(session);
      await pause();
    }
    while ((await mock.stats()).sessions.open > 1) await pause();
    expect(await mock.stats()).toMatchObject({
      unreadCuts: 6,
      sessions: { closedByServer: 6, closedByClient: 0 },
    });
    for (const session of lazy) session.close();
  });

  test('readers that take some of a large event and then stand still are cut and counted', async () => {
    await start({ limits: { unreadBytes: '64MiB' } });
    const lazy: McpSession[] = [];
    for (const most of [1e6, 2e6, 3e6]) {
      const session = await McpSession.ready(mock.url, 'classic');
      const { socket } = session.stream;
      let taken = 0;
      socket.removeAllListeners('data');
      socket.on('data', (bytes) => {
        taken += bytes.length;
        if (taken > most) socket.pause();
      });
      await session.post({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'payload', arguments: { bytes: 16_000_000 } },
      });
      lazy.push(session);
    }
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 700));
    while ((await mock.stats()).sessions.open > 1) await pause();
    expect(await mock.stats()).toMatchObject({
      unreadCuts: 3,
      sessions: { closedByServer: 3, closedByClient: 0 },
    });
    for (const session of lazy) session.close();
  });

  test('a slow reader that catches up in time loses nothing', async () => {
    await start({ limits: { unreadBytes: '64MiB' } });
    const slow = await McpSession.ready(mock.url, 'classic');
    slow.stream.socket.pause();
    for (let id = 100; id < 150; id++)
      await slow.post({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'payload', arguments: { bytes: 200_000 } },
      });
    slow.stream.socket.resume();
    const last = await slow.stream.response(149);
    expect(last['result']).toMatchObject({ content: [{ type: 'text' }] });
    const ids = slow.stream.messages.map((message) => message['id']);
    expect(ids.slice(1)).toEqual(Array.from({ length: 50 }, (_, index) => 100 + index));
    expect(await mock.stats()).toMatchObject({ unreadCuts: 0, lateWrites: 0 });
    slow.close();
  });

  test('sessions over the limit are refused and counted', async () => {
    await start({ limits: { sessions: 3 } });
    const others = [await RawStream.open(mock.url), await RawStream.open(mock.url)];
    const refused = await RawStream.open(mock.url);
    expect(refused.status).toBe(503);
    expect((await mock.stats()).sessions).toMatchObject({ opened: 3, open: 3, refused: 1 });
    others[0]!.close();
    await until(async () => (await mock.stats()).sessions.open === 2);
    const again = await RawStream.open(mock.url);
    expect(again.status).toBe(200);
    for (const stream of [...others, refused, again]) stream.close();
  });

  test('connections over the limit are closed', async () => {
    await start({ limits: { connections: 4 } });
    const idle = await Promise.all(
      [1, 2].map(
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(mock.port, '127.0.0.1', () => resolve(socket));
          }),
      ),
    );
    expect((await send('GET', `${new URL(mock.url).origin}/health`)).status).toBe(200);
    const third = connect(mock.port, '127.0.0.1');
    await new Promise((resolve) => third.once('connect', resolve));
    expect(await rawExchange(mock.port, 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')).toBe('');
    for (const socket of [...idle, third]) socket.destroy();
    await until(
      async () =>
        (await send('GET', `${new URL(mock.url).origin}/health`).catch(() => ({ status: 0 }))).status === 200,
    );
  });

  test('a stream that goes away while calls are due leaves late writes and no harm', async () => {
    await start({ latency: '20ms' });
    const leaving = await McpSession.open(mock.url, 'classic');
    for (let id = 0; id < 10; id++)
      await leaving.post({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: 'x' } },
      });
    const sent = leaving.stream.messages.length;
    leaving.close();
    await until(async () => (await mock.stats()).sessions.closedByClient === 1);
    await until(async () => {
      const { lateWrites, responsesSent } = await mock.stats();
      return lateWrites + responsesSent === 10 + 1;
    });
    expect((await mock.stats()).lateWrites).toBeLessThanOrEqual(10 - sent);
  });
});
