import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { MockConfigInput } from '../config/config.js';
import type { Engine } from './engine.js';
import { Front } from './front.js';
import { checkConfig } from '../config/load-config.js';
import { makeApp } from '../make-app.js';
import { McpSession } from '../mcp-session.fixture.js';
import { RawStream, rawExchange, until } from '../raw-client.fixture.js';
import type { StatsSnapshot } from '../stats.js';
import { Usage } from '../threads/usage.js';
import { serveNet } from './net-server.js';

// On a machine that others use too a process may stand still for a long time: that alone must fail nothing.
vi.setConfig({ testTimeout: 120_000 });

let engine: Engine;
let stats: () => StatsSnapshot;
let url: string;
let session: McpSession;
const sockets: Socket[] = [];

/** A mock on this engine, whose time limits run out after some hundredths of a second where that is asked for. */
async function start(config: MockConfigInput = {}, lookEveryMs?: number): Promise<void> {
  const app = makeApp(
    checkConfig(config, () => 'test'),
    { baseUrl: () => url, log: undefined, thread: { index: 0, count: 1 }, usage: new Usage() },
  );
  const front = new Front(app, true, { engine: 'node', dialect: 'classic', threads: 1, seed: 1 });
  engine = await serveNet(front, { host: '127.0.0.1', port: 0 }, lookEveryMs);
  url = `http://127.0.0.1:${engine.port}/sse`;
  stats = () => front.ownStats(false);
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await engine.close('shutdown');
});

/** A connection, and all that has come over it. */
function open(): { socket: Socket; seen: () => string; closed: () => boolean } {
  const socket = connect({ port: engine.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  sockets.push(socket);
  let seen = '';
  let closed = false;
  socket.on('data', (bytes) => (seen += bytes.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('end', () => (closed = true));
  return { socket, seen: () => seen, closed: () => closed };
}

const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) [A-Z]/g)].map(([, status]) => Number(status));
const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
const notification = '{"jsonrpc":"2.0","method":"notifications/x"}';
const call = (id: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'echo', arguments: { message: 'x' } },
  });

function postHead(...headers: string[]): string {
  const { pathname, search } = new URL(session.postUrl);
  const lines = ['Host: localhost', 'Content-Type: application/json', ...headers];
  return `POST ${pathname}${search} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}
const post = (body: string): string => postHead(`Content-Length: ${body.length}`) + body;

test('pipelined requests are answered in their order, however long one of them is held', async () => {
  await start({ latency: '30ms', wire: { ack: 'after-work' } });
  session = await McpSession.ready(url, 'classic');
  const { socket, seen } = open();
  socket.write(
    health + post(call(1)) + health.replace('/health', '/nope') + post(call(2)) + post(notification),
  );
  await until(() => statuses(seen()).length === 5);
  expect(statuses(seen())).toEqual([200, 202, 404, 202, 202]);
  expect(stats().posts.byStatus).toMatchObject({ 202: 5 });
});

test('what a read brings is answered in one write, in order', async () => {
  await start();
  session = await McpSession.ready(url, 'classic');
  const { socket } = open();
  const pieces: string[] = [];
  socket.on('data', (bytes) => pieces.push(bytes.toString()));
  socket.write(post(notification).repeat(50));
  await until(() => statuses(pieces.join('')).length === 50);
  expect(pieces.length).toBeLessThan(10);
});

test('a connection of which too many requests wait is not read until some are answered', async () => {
  await start({ tools: { echo: { faults: { unansweredPost: 1 } } } });
  session = await McpSession.ready(url, 'classic');
  const before = stats().posts.received;
  const { socket, seen } = open();
  socket.write(Array.from({ length: 1000 }, (_, id) => post(call(id))).join(''));
  await session.stream.response(255);
  for (let i = 0; i < 20; i++)
    await rawExchange(engine.port, health.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  expect(stats().posts.received - before).toBe(256);
  expect(seen()).toBe('');
});

test('held requests beyond that are all read and answered in the end', async () => {
  await start({ latency: '20ms', wire: { ack: 'after-work' } });
  session = await McpSession.ready(url, 'classic');
  const { socket, seen } = open();
  socket.write(Array.from({ length: 1000 }, (_, id) => post(call(id + 10))).join('') + health);
  await until(() => statuses(seen()).length === 1001);
  expect(statuses(seen())).toEqual([...Array<number>(1000).fill(202), 200]);
  await until(() => stats().responsesSent === 1001);
  expect(stats().calls.received).toBe(1000);
});

test('who expects 100-continue is told to go on, when it is its turn and only where that helps', async () => {
  await start({ latency: '30ms', wire: { ack: 'after-work' } });
  session = await McpSession.ready(url, 'classic');
  const head = postHead('Expect: 100-continue', `Content-Length: ${notification.length}`);
  const { socket, seen } = open();
  socket.write(head);
  await until(() => seen().includes('\r\n\r\n'));
  expect(seen()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(notification + head + notification + post(call(1)) + head);
  await until(() => statuses(seen()).length === 5);
  expect(statuses(seen())).toEqual([100, 202, 202, 202, 100]);
  socket.write(notification);
  await until(() => statuses(seen()).length === 6);
});

test('who expects 100-continue for what is refused gets the refusal, and the connection ends', async () => {
  await start({ limits: { bodyBytes: 1000 } });
  session = await McpSession.ready(url, 'classic');
  for (const [path, length, status] of [
    ['/nope', 5, 404],
    [new URL(session.postUrl).pathname, 5000, 400],
  ] as const) {
    const seen = await rawExchange(
      engine.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    );
    expect(statuses(seen)).toEqual([status]);
    expect(seen).toContain('\r\nConnection: close\r\n');
  }
});

test('a body beyond the limit is refused once, counted, and what is left of it is no request', async () => {
  await start({ limits: { bodyBytes: 1000 } });
  session = await McpSession.ready(url, 'classic');
  const before = stats().posts;
  const chunk = `200\r\n${'x'.repeat(512)}\r\n`;
  const inChunks = postHead('Transfer-Encoding: chunked') + chunk.repeat(200) + health;
  const withLength = `${postHead('Content-Length: 200000')}${'x'.repeat(100_000)}${health}`;
  for (const bytes of [inChunks, withLength])
    expect(statuses(await rawExchange(engine.port, bytes))).toEqual([400]);
  expect(stats().posts).toEqual({
    ...before,
    received: before.received + 2,
    byStatus: { ...before.byStatus, 400: 2 },
  });
});

test('HTTP/1.0 gets an answer with a length and the end of the connection, or stays where it asks for that', async () => {
  await start({ like: 'ts-sdk' });
  session = await McpSession.ready(url, 'classic');
  const old = post(notification).replace('HTTP/1.1', 'HTTP/1.0');
  const once = await rawExchange(engine.port, old);
  expect(once).toMatch(/\r\nConnection: close\r\nContent-Length: 8\r\n\r\nAccepted$/);
  const { socket, seen } = open();
  const staying = old.replace('\r\nHost', '\r\nConnection: keep-alive\r\nHost');
  socket.write(staying + staying);
  await until(() => statuses(seen()).length === 2);
  expect(seen()).toMatch(/\r\nConnection: keep-alive\r\nContent-Length: 8\r\n\r\nAccepted$/);
});

test('a stream over HTTP/1.0 has no chunks, and lasts until its connection ends', async () => {
  await start();
  const { socket, seen, closed } = open();
  socket.write('GET /sse HTTP/1.0\r\nHost: localhost\r\n\r\n');
  await until(() => seen().includes('endpoint'));
  expect(seen()).toMatch(/\r\nConnection: close\r\n\r\nevent: endpoint\ndata: [^\n]*\n\n$/);
  expect(seen()).not.toMatch(/chunked/i);
  await engine.close('shutdown');
  await until(closed);
});

test('HEAD is answered without a body, so that the next answer is read as what it is', async () => {
  await start();
  const { socket, seen } = open();
  socket.write(health.replace('GET', 'HEAD') + health);
  await until(() => statuses(seen()).length === 2);
  expect(seen()).toMatch(/^HTTP\/1\.1 405 [^]*\r\n\r\nHTTP\/1\.1 200 /);
});

test('after Connection: close, and after what is no HTTP, nothing more is answered', async () => {
  await start();
  const closing = health.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  expect(statuses(await rawExchange(engine.port, health + closing + health))).toEqual([200, 200]);
  expect(statuses(await rawExchange(engine.port, `${health}nonsense\r\n\r\n${health}`))).toEqual([200, 400]);
});

test('who says its last word with a request still gets the answer', async () => {
  await start();
  session = await McpSession.ready(url, 'classic');
  const { socket, seen, closed } = open();
  socket.end(post(notification) + health);
  await until(closed);
  expect(statuses(seen())).toEqual([202, 200]);
});

test('who leaves before its answer, or in the middle of a request, is counted as in the other engine', async () => {
  await start({ latency: '50ms', wire: { ack: 'after-work' } });
  session = await McpSession.ready(url, 'classic');
  const before = stats().posts.received;
  const held = open();
  held.socket.end(post(call(1)));
  await until(held.closed);
  const half = open();
  half.socket.end(postHead('Content-Length: 100'));
  await until(half.closed);
  await until(() => stats().posts.aborted === 1);
  expect(stats().posts.received - before).toBe(1);
  expect(held.seen() + half.seen()).toBe('');
});

test('a stream waits for the answers before it, and no request may follow it', async () => {
  await start({ latency: '30ms', wire: { ack: 'after-work' } });
  session = await McpSession.ready(url, 'classic');
  const { socket, seen, closed } = open();
  const stream = 'GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n';
  socket.write(post(call(1)) + stream);
  await until(() => seen().includes('endpoint'));
  expect(statuses(seen())).toEqual([202, 200]);
  expect(stats().sessions.open).toBe(2);
  socket.write(health);
  await until(closed);
  const together = open();
  together.socket.write(stream + health);
  await until(together.closed);
  expect(stats().sessions).toMatchObject({ opened: 3, open: 1, closedByClient: 2 });
});

test('a stream that ended in good order leaves its connection to others', async () => {
  await start({ dialect: 'rmcp' });
  const stream = await RawStream.open(url);
  const { pathname, search } = new URL(stream.events[0]!.data, url);
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const { socket } = open();
  socket.write(
    `POST ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await until(() => stream.ended === 'good');
  let seen = '';
  stream.socket.on('data', (bytes) => (seen += bytes.toString()));
  stream.socket.write(health);
  await until(() => statuses(seen).length === 1);
  stream.close();
});

test('connections that say nothing, half a request or a whole one and no more end; held ones and streams do not', async () => {
  await start({ tools: { echo: { faults: { unansweredPost: 1 } } } }, 20);
  session = await McpSession.ready(url, 'classic');
  const held = open();
  held.socket.write(post(call(1)));
  const ends = [
    '',
    'GET / HT',
    postHead('Content-Length: 9'),
    postHead('Transfer-Encoding: chunked'),
    health,
  ].map((bytes) => {
    const connection = open();
    if (bytes !== '') connection.socket.write(bytes);
    return connection;
  });
  await until(() => ends.every(({ closed }) => closed()));
  expect(ends.map(({ seen }) => statuses(seen()))).toEqual([[], [], [], [], [200]]);
  expect(held.closed()).toBe(false);
  expect(session.stream.closed).toBe(false);
});

test('who sends requests and reads no answers is not read either, and in the end cut', async () => {
  await start({}, 50);
  const { socket, closed } = open();
  let done = false;
  socket.on('close', () => (done = true));
  socket.pause();
  const many = Buffer.from(health.repeat(10_000));
  for (let i = 0; i < 100; i++) socket.write(many);
  await until(() => done || closed());
  // What one read took before it stood still.
  expect(socket.bytesRead).toBeLessThan(1e6);
});

test('what follows a stream that is refused is answered', async () => {
  await start({ limits: { sessions: 1 } });
  session = await McpSession.ready(url, 'classic');
  const { socket, seen } = open();
  socket.write(`GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n${health}${post(notification)}`);
  await until(() => statuses(seen()).length === 3);
  expect(statuses(seen())).toEqual([503, 200, 202]);
});

test('an answer that is not taken, between two reads, keeps what comes meanwhile in the socket', async () => {
  const bytes = 4_000_000;
  await start({ latency: '20ms', wire: { jsonInPost: true }, limits: { unreadBytes: '64MiB' } });
  session = await McpSession.ready(url, 'classic');
  const large = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'payload', arguments: { bytes } },
  });
  const { socket } = open();
  socket.pause();
  socket.write(post(large).repeat(4));
  await until(() => stats().responsesSent === 1 + 4);
  const before = stats().posts.received;
  // Far more than the sockets between us hold.
  socket.write(post(notification).repeat(60_000));
  const calls = 100;
  for (let i = 0; i < calls; i++) await session.call('echo', { message: 'x' });
  expect(stats().posts.received - before).toBe(calls);
  expect(socket.writableLength).toBeGreaterThan(0);
  socket.resume();
  await until(() => stats().posts.received - before === 60_000 + calls);
  expect(stats().posts.aborted).toBe(0);
});
