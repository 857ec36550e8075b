import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nowNs } from '../../clock.js';
import { noTraffic } from '../traffic.js';
import type { PostChannel } from './post-channel.js';
import type { Wiring } from './connection.js';
import { PoolChannel, PostPool } from './post-pool.js';
import { HeldServer, Letter, WatchedGate, wiringTo } from './posts.fixture.js';

const head = 'POST /messages HTTP/1.1\r\nHost: here\r\nContent-Length: ';
// The time for which it keeps idle connections, less the second of grace: none.
const namesNoTime = '202 Accepted\r\nKeep-Alive: timeout=1';

let server: HeldServer;
let gate: WatchedGate;
let wiring: Wiring;
let ends: { destroy(): void }[];
beforeEach(async () => {
  server = await new HeldServer().listen();
  gate = new WatchedGate(96);
  wiring = wiringTo(`http://127.0.0.1:${server.port}/sse`, { gate });
  ends = [];
});
afterEach(async () => {
  for (const each of ends) each.destroy();
  await server.close();
});

/** The pool of a session of its own. */
function serial(limit: number, to = wiring): PoolChannel {
  const channel = new PoolChannel(new PostPool(to, limit, true), head, true);
  ends.push(channel);
  return channel;
}

/** The doors of so many sessions to one pool. */
function shared(limit: number, sessions: number): PoolChannel[] {
  const pool = new PostPool(wiring, limit, false);
  ends.push(pool);
  return Array.from({ length: sessions }, () => new PoolChannel(pool, head, false));
}

function post(channel: PostChannel, body: string): Letter {
  const letter = new Letter();
  channel.post(body, letter);
  return letter;
}

/** Asks as an engine does: again and again, with the loop in between. */
async function prepared(channel: PostChannel, connections: number, untilNs: number): Promise<void> {
  while (!channel.prepare(connections, untilNs)) await new Promise(setImmediate);
}

async function answered(letter: Letter, body: string, status?: string): Promise<void> {
  (await server.post(body)).answer(status);
  await letter.hears(2);
}

describe('one request per connection', () => {
  test('an idle connection is used again, the one that was used last', async () => {
    const channel = serial(3);
    const [a, b] = [post(channel, 'a'), post(channel, 'b')];
    expect(a.heard).toEqual([]);
    await answered(a, 'a');
    await answered(b, 'b');
    const c = post(channel, 'c');
    expect(c.heard, 'handed over at once').toEqual(['sent']);
    expect((await server.post('c')).connection).toBe((await server.post('b')).connection);
    expect(gate.entered).toBe(2);
    expect(wiring.traffic).toMatchObject({ extraConnections: 1, reconnected: 0, strayAnswers: 0 });
  });

  test('beyond the limit messages wait, and leave in the order in which they came', async () => {
    const channel = serial(1);
    const letters = ['a', 'b', 'c'].map((body) => post(channel, body));
    for (const [at, letter] of letters.entries()) {
      expect(letters.slice(at + 1).map(({ heard }) => heard.length)).toEqual(
        letters.slice(at + 1).map(() => 0),
      );
      await answered(letter, 'abc'[at]!);
    }
    expect(server.posts.map(({ body, connection }) => `${body}${connection}`)).toEqual(['a0', 'b0', 'c0']);
    expect(gate.entered).toBe(1);
  });

  test('a message that is posted while others wait does not overtake them', async () => {
    const channel = serial(1);
    const [a, b] = [post(channel, 'a'), post(channel, 'b')];
    await answered(a, 'a');
    const c = post(channel, 'c');
    await answered(b, 'b');
    await answered(c, 'c');
    expect(server.posts.map(({ body }) => body)).toEqual(['a', 'b', 'c']);
  });

  test('lengths are counted in bytes', async () => {
    const letter = post(serial(1), 'größer: 日本 🙂');
    await answered(letter, 'größer: 日本 🙂');
    expect(letter.heard).toEqual(['sent', 'accepted']);
    expect(wiring.traffic.bytesOut).toBe(Buffer.byteLength(`${head}22\r\n\r\ngrößer: 日本 🙂`));
  });

  test('a JSON body is handed on whole, a status that is none of ours with a note', async () => {
    const channel = serial(1);
    const good = post(channel, 'good');
    (await server.post('good')).answer('200 OK\r\nContent-Type: application/json', '{"id":1}');
    expect(await good.hears(3)).toEqual(['sent', 'accepted', 'body {"id":1}']);
    const bad = post(channel, 'bad');
    (await server.post('bad')).answer('503 Busy');
    expect((await bad.hears(2))[1]).toMatch(/^refused 503: its POST was answered 503/);
    expect(gate.entered, 'the connection is none the worse').toBe(1);
  });
});

describe('shared by sessions', () => {
  test('sessions wait for each other, and no connection counts as extra', async () => {
    const [one, two] = shared(1, 2);
    const [a, b] = [post(one!, 'a'), post(two!, 'b')];
    await answered(a, 'a');
    await answered(b, 'b');
    expect(server.posts.map(({ body, connection }) => `${body}${connection}`)).toEqual(['a0', 'b0']);
    expect(wiring.traffic.extraConnections).toBe(0);
  });

  test('a session that leaves takes its own messages, and the connection that owes it an answer', async () => {
    const [one, two] = shared(1, 2);
    const sent = post(one!, 'a');
    await server.post('a');
    const [own, other] = [post(one!, 'b'), post(two!, 'c')];
    one!.destroy();
    expect(sent.heard).toEqual(['sent', 'failed: the session ended']);
    expect(own.heard).toEqual(['unsent: the session ended']);
    await answered(other, 'c');
    expect(server.posts.map(({ body, connection }) => `${body}${connection}`)).toEqual(['a0', 'c1']);
    expect(server.closed).toBe(1);
  });

  test('a session that leaves lets the others’ connections be', async () => {
    const [one, two] = shared(2, 2);
    const [a, b] = [post(one!, 'a'), post(two!, 'b')];
    await answered(a, 'a');
    one!.destroy();
    await answered(b, 'b');
    expect(b.heard).toEqual(['sent', 'accepted']);
    expect([gate.entered, wiring.traffic.extraConnections]).toEqual([2, 0]);
  });
});

describe('made ready in time', () => {
  test('as many connections as asked for, but no more than the limit', async () => {
    const channel = serial(2);
    const untilNs = nowNs() + 1e9;
    expect(channel.prepare(5, untilNs)).toBe(false);
    await prepared(channel, 5, untilNs);
    expect(gate.entered).toBe(2);
    expect([post(channel, 'a').heard, post(channel, 'b').heard]).toEqual([['sent'], ['sent']]);
    expect(gate.entered).toBe(2);
  });

  test('of a shared pool all, where a session is to send several', async () => {
    const [one, two] = shared(3, 2);
    await prepared(one!, 1, nowNs() + 1e9);
    expect(gate.entered).toBe(1);
    await prepared(two!, 2, nowNs() + 1e9);
    expect(gate.entered).toBe(3);
  });

  test('what will have idled too long by then is replaced before, once', async () => {
    const channel = serial(1);
    await answered(post(channel, 'a'), 'a', namesNoTime);
    const untilNs = nowNs() + 1e9;
    await prepared(channel, 1, untilNs);
    await prepared(channel, 1, untilNs);
    await server.until(({ closed }) => closed === 1);
    expect(post(channel, 'b').heard).toEqual(['sent']);
    expect((await server.post('b')).connection).toBe(1);
    expect([gate.entered, wiring.traffic.reconnected]).toEqual([2, 1]);
  });

  test('a connection that waits for an answer is left alone', async () => {
    const channel = serial(1);
    const a = post(channel, 'a');
    await server.post('a');
    await prepared(channel, 1, nowNs() + 1e9);
    await answered(a, 'a');
    expect(gate.entered).toBe(1);
  });

  test('a message takes no connection that has idled too long', async () => {
    const channel = serial(1);
    await answered(post(channel, 'a'), 'a', namesNoTime);
    const b = post(channel, 'b');
    expect(b.heard).toEqual([]);
    await answered(b, 'b');
    expect((await server.post('b')).connection).toBe(1);
    expect(wiring.traffic).toMatchObject({ reconnected: 1, extraConnections: 0 });
  });

  test('a pool that is over has nothing to make ready', () => {
    const channel = serial(1);
    channel.destroy();
    expect(channel.prepare(1, nowNs())).toBe(true);
    expect(gate.entered).toBe(0);
  });
});

describe('taken back', () => {
  test('a message that waits is withdrawn without a word, and never arrives', async () => {
    const channel = serial(1);
    const [a, b, c] = [post(channel, 'a'), post(channel, 'b'), post(channel, 'c')];
    expect(channel.withdraw(b)).toBe(true);
    expect(channel.withdraw(b)).toBe(false);
    await answered(a, 'a');
    await answered(c, 'c');
    expect(server.posts.map(({ body }) => body)).toEqual(['a', 'c']);
    expect(b.heard).toEqual([]);
  });

  test('one that has been handed over is not', async () => {
    const channel = serial(1);
    const a = post(channel, 'a');
    await server.post('a');
    expect(channel.withdraw(a)).toBe(false);
    await answered(a, 'a');
    expect(a.heard).toEqual(['sent', 'accepted']);
  });

  test('the connection that was asked for it serves the next one', async () => {
    const channel = serial(1);
    const a = post(channel, 'a');
    expect(channel.withdraw(a)).toBe(true);
    await prepared(channel, 1, nowNs());
    expect(post(channel, 'b').heard).toEqual(['sent']);
    await server.post('b');
    expect(gate.entered).toBe(1);
  });

  test('giving up one that waits withdraws it; giving up one that was sent ends its connection alone', async () => {
    const channel = serial(2);
    const [a, b] = [post(channel, 'a'), post(channel, 'b')];
    await Promise.all([server.post('a'), server.post('b')]);
    const [c, d] = [post(channel, 'c'), post(channel, 'd')];
    channel.giveUp(c);
    channel.giveUp(a);
    await answered(d, 'd');
    await answered(b, 'b');
    expect(c.heard).toEqual([]);
    expect(server.posts.map(({ body }) => body)).not.toContain('c');
    expect((await server.post('d')).connection).toBe(2);
    expect(server.closed).toBe(1);
  });
});

describe('connections that end', () => {
  test('with an answer that says so: the next message has a new one, whether it waited or not', async () => {
    const channel = serial(1);
    const [a, b] = [post(channel, 'a'), post(channel, 'b')];
    const closing = '202 Accepted\r\nConnection: close';
    await answered(a, 'a', closing);
    await answered(b, 'b', closing);
    await answered(post(channel, 'c'), 'c');
    expect(server.posts.map(({ body, connection }) => `${body}${connection}`)).toEqual(['a0', 'b1', 'c2']);
    expect(wiring.traffic.reconnected).toBe(2);
  });

  test('in the middle: who is owed an answer fails as sent, who waits is sent on a new one', async () => {
    const channel = serial(1);
    const [a, b] = [post(channel, 'a'), post(channel, 'b')];
    (await server.post('a')).socket.end();
    expect(await a.hears(2)).toEqual(['sent', 'failed: the server closed the connection']);
    await answered(b, 'b');
    expect(server.posts.map(({ body, connection }) => `${body}${connection}`)).toEqual(['a0', 'b1']);
    expect(wiring.traffic.reconnected).toBe(1);
  });

  test('while idle: nobody hears of it, and the next message has a new one', async () => {
    const channel = serial(1);
    const a = post(channel, 'a');
    await answered(a, 'a');
    server.sockets[0]!.end();
    await server.until(({ closed }) => closed === 1);
    const b = post(channel, 'b');
    await answered(b, 'b');
    expect([a.heard, b.heard]).toEqual([
      ['sent', 'accepted'],
      ['sent', 'accepted'],
    ]);
  });

  test('by bytes that nobody waits for', async () => {
    const channel = serial(1);
    await answered(post(channel, 'a'), 'a');
    server.sockets[0]!.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n');
    await server.until(({ closed }) => closed === 1);
    await answered(post(channel, 'b'), 'b');
    expect(wiring.traffic.strayAnswers).toBe(1);
  });

  test('a second answer in the same read is not taken for that of the message that waits', async () => {
    const channel = serial(1);
    const [a, b] = [post(channel, 'a'), post(channel, 'b')];
    const { socket } = await server.post('a');
    socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'.repeat(2));
    await a.hears(2);
    await answered(b, 'b', '200 OK');
    expect([a.heard, b.heard]).toEqual([
      ['sent', 'accepted'],
      ['sent', 'accepted'],
    ]);
    expect((await server.post('b')).connection).toBe(1);
    expect(wiring.traffic.strayAnswers).toBe(1);
  });

  test('by an answer that is no HTTP', async () => {
    const a = post(serial(1), 'a');
    (await server.post('a')).socket.write('SMTP ready\r\n');
    expect((await a.hears(2))[1]).toMatch(/^failed: /);
  });
});

describe('connections that never stand', () => {
  test('fail what waits as unsent, once the last of them has failed', async () => {
    // Not TLS: a failure that is not tried again.
    wiring = wiringTo(`https://127.0.0.1:${server.port}/sse`, { gate });
    const channel = serial(2);
    const [a, b] = [post(channel, 'a'), post(channel, 'b')];
    await server.until(({ sockets }) => sockets.length === 2);
    server.sockets[0]!.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    await gate.until(({ left }) => left === 1);
    expect([a.heard, b.heard]).toEqual([[], []]);
    server.sockets[1]!.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    await gate.until(({ left }) => left === 2);
    expect(a.heard).toHaveLength(1);
    expect(a.heard[0]).toMatch(/^unsent: .+/);
    expect(b.heard).toEqual(a.heard);
    expect(gate.entered, 'nobody tries for ever').toBe(2);
    const c = post(channel, 'c');
    expect(gate.entered, 'but for a new message').toBe(3);
    channel.destroy();
    expect(c.heard).toEqual(['unsent: the session ended']);
  });

  test('are tried again, and the message is sent once', async () => {
    const path = await silentUntilRetried();
    const channel = serial(2, path.wiring);
    const a = post(channel, 'a');
    expect(await a.hears(1)).toEqual(['sent']);
    expect(path.retries()).toBe(1);
    channel.destroy();
    expect(a.heard).toEqual(['sent', 'failed: the session ended']);
    await path.close();
  });

  test('hold nothing up: what waits leaves with the first connection that is free', async () => {
    const channel = serial(2);
    const a = post(channel, 'a');
    await server.post('a');
    server.stopListening();
    const b = post(channel, 'b');
    await answered(a, 'a');
    await answered(b, 'b');
    expect((await server.post('b')).connection).toBe(0);
    expect(gate.entered).toBe(2);
  });

  /** A socket that nobody listens on until the first attempt has failed. */
  async function silentUntilRetried() {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-posts-'));
    const late = createServer((socket) => socket.on('error', () => {}).resume());
    let retries = 0;
    const unixSocket = join(folder, 'socket');
    const traffic = Object.defineProperty(noTraffic(), 'connectRetries', {
      get: () => retries,
      set: (count: number) => {
        retries = count;
        late.listen(unixSocket);
      },
    });
    return {
      wiring: wiringTo('http://localhost/sse', { gate, traffic, unixSocket }),
      retries: () => retries,
      close: async () => {
        await new Promise((resolve) => late.close(resolve));
        rmSync(folder, { recursive: true });
      },
    };
  }
});

test('the end: what waits fails as unsent, what was sent as sent, and every connection closes', async () => {
  const channel = serial(2);
  const [idle, owed] = [post(channel, 'a'), post(channel, 'b')];
  await answered(idle, 'a');
  await server.post('b');
  const busy = post(channel, 'c');
  await server.post('c');
  const waiting = post(channel, 'd');
  channel.destroy();
  expect([idle, owed, busy, waiting].map(({ heard }) => heard.at(-1))).toEqual([
    'accepted',
    'failed: the session ended',
    'failed: the session ended',
    'unsent: the session ended',
  ]);
  expect(post(channel, 'e').heard).toEqual(['unsent: the session ended']);
  await server.until(({ closed }) => closed === 2);
  expect(gate.entered).toBe(2);
});
