import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { McpSession } from '../mcp-session.fixture.js';
import { RawStream, rawExchange, send, until } from '../raw-client.fixture.js';
import { serveMock } from '../serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../serve-mock.js';

// On a machine that others use too a process may stand still for a long time: that alone must fail nothing.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000, maxConcurrency: 20 });

/** Larger than what the system takes on its way to a reader that stands still. */
async function askForLargeEvent(session: McpSession): Promise<void> {
  await session.post({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'payload', arguments: { bytes: 16_000_000 } },
  });
}

// Nothing that a client sends, or does not, ends the server or disturbs another session.
describe.concurrent.each(['uws', 'node'] as const)('hostile clients on the %s engine', (engine) => {
  // Each test has a mock of its own, and they run side by side: most of them wait for a time limit of the engine's own.
  const attacked =
    <Row extends unknown[]>(
      options: ServeMockOptions,
      attack: (mock: RunningMock, bystander: McpSession, ...row: Row) => Promise<void>,
    ) =>
    async (...row: Row): Promise<void> => {
      const mock = await serveMock({ engine, ...options });
      try {
        const bystander = await McpSession.ready(mock.url, 'classic');
        await attack(mock, bystander, ...row);
        const answered = await bystander.call('echo', { message: 'still here' });
        expect(answered['result']).toMatchObject({ content: [{ text: 'still here' }] });
        bystander.close();
      } finally {
        await mock.close();
      }
    };

  test.concurrent.each([
    ['resources/read', { uri: { toString: 1 } }],
    ['prompts/get', { name: { toString: 1 } }],
  ])(
    '%s with an object that cannot be a string is an invalid parameter',
    attacked({}, async (_mock, bystander, method, params) => {
      const answered = await bystander.ask(method, params);
      expect(answered['error']).toMatchObject({ code: -32602 });
    }),
  );

  test.concurrent(
    'garbage bytes are refused and the connection dropped',
    attacked({}, async (mock) => {
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
      expect((await mock.stats()).messages.byMethod).toEqual({
        initialize: 1,
        'notifications/initialized': 1,
      });
    }),
  );

  test.concurrent.each([
    ['two Hosts on a stream', 'GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n'],
    [
      'two Hosts, one of them not ours',
      'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nhost: evil.example\r\n\r\n',
    ],
    ['no Host on a stream', 'GET /sse HTTP/1.1\r\nAccept: text/event-stream\r\n\r\n'],
    [
      'no Host on a POST',
      'POST /messages HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    ],
  ])(
    '%s: 400, and the connection ends',
    attacked({}, async (mock, _bystander, _, bytes) => {
      expect(await rawExchange(mock.port, bytes)).toMatch(/^HTTP\/1.1 400 /);
      expect((await mock.stats()).sessions.opened).toBe(1);
    }),
  );

  test.concurrent(
    'a folded header is refused, or its connection dropped: it is never read as something else',
    attacked({}, async (mock) => {
      const folded = 'GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\r\n Host: evil.example\r\n\r\n';
      // uWebSockets waits for the end of a head that it cannot read.
      expect(await rawExchange(mock.port, folded)).toMatch(engine === 'uws' ? /^$/ : /^HTTP\/1.1 400 /);
      expect((await mock.stats()).sessions.opened).toBe(1);
    }),
  );

  test.concurrent(
    'garbage after a good request spoils only its own connection',
    attacked({}, async (mock, bystander) => {
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
    }),
  );

  test.concurrent(
    'connections that say nothing, half a header or half a body are dropped in the end',
    attacked({}, async (mock, bystander) => {
      const path = new URL(bystander.postUrl).pathname + new URL(bystander.postUrl).search;
      const halves = [
        '',
        'GET /sse HTTP/1.1\r\nHost: 127',
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`,
      ];
      await Promise.all(halves.map((half) => rawExchange(mock.port, half)));
      expect((await mock.stats()).messages.byMethod).not.toHaveProperty('ping');
    }),
  );

  test.concurrent(
    'a POST that is broken off halfway is never taken for a message',
    attacked({}, async (mock, bystander) => {
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
    }),
  );

  test.concurrent(
    'a reader that does not read is cut and counted, and costs the others nothing',
    attacked({ limits: { unreadBytes: '256KB' } }, async (mock, bystander) => {
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
    }),
  );

  test.concurrent(
    'readers that stand still within the limit are cut and counted, whenever they stopped',
    attacked({ limits: { unreadBytes: '64MiB' } }, async (mock) => {
      // The engine looks for them now and then: they stop at different times between two looks.
      const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 700));
      const lazy: McpSession[] = [];
      for (let n = 0; n < 6; n++) {
        const session = await McpSession.ready(mock.url, 'classic');
        session.stream.socket.pause();
        await askForLargeEvent(session);
        lazy.push(session);
        await pause();
      }
      while ((await mock.stats()).sessions.open > 1) await pause();
      expect(await mock.stats()).toMatchObject({
        unreadCuts: 6,
        sessions: { closedByServer: 6, closedByClient: 0 },
      });
      for (const session of lazy) session.close();
    }),
  );

  test.concurrent(
    'readers that take some of a large event and then stand still are cut and counted',
    attacked({ limits: { unreadBytes: '64MiB' } }, async (mock) => {
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
        await askForLargeEvent(session);
        lazy.push(session);
      }
      const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 700));
      while ((await mock.stats()).sessions.open > 1) await pause();
      expect(await mock.stats()).toMatchObject({
        unreadCuts: 3,
        sessions: { closedByServer: 3, closedByClient: 0 },
      });
      for (const session of lazy) session.close();
    }),
  );

  test.concurrent(
    'a slow reader that catches up in time loses nothing',
    attacked({ limits: { unreadBytes: '64MiB' } }, async (mock) => {
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
    }),
  );

  test.concurrent(
    'sessions over the limit are refused and counted',
    attacked({ limits: { sessions: 3 } }, async (mock) => {
      const others = [await RawStream.open(mock.url), await RawStream.open(mock.url)];
      const refused = await RawStream.open(mock.url);
      expect(refused.status).toBe(503);
      expect((await mock.stats()).sessions).toMatchObject({ opened: 3, open: 3, refused: 1 });
      others[0]!.close();
      await until(async () => (await mock.stats()).sessions.open === 2);
      const again = await RawStream.open(mock.url);
      expect(again.status).toBe(200);
      for (const stream of [...others, refused, again]) stream.close();
    }),
  );

  test.concurrent(
    'connections over the limit are closed',
    attacked({ limits: { connections: 4 } }, async (mock) => {
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
          (await send('GET', `${new URL(mock.url).origin}/health`).catch(() => ({ status: 0 }))).status ===
          200,
      );
    }),
  );

  test.concurrent(
    'a stream that goes away while calls are due leaves late writes and no harm',
    attacked({ latency: '20ms' }, async (mock) => {
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
    }),
  );
});
