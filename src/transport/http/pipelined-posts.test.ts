import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nowNs } from '../../clock.js';
import type { Wiring } from './connection.js';
import { PipelinedPosts } from './pipelined-posts.js';
import { HeldServer, Letter, WatchedGate, wiringTo } from './posts.fixture.js';

const head = 'POST /messages HTTP/1.1\r\nHost: here\r\nContent-Length: ';

let server: HeldServer;
let gate: WatchedGate;
let wiring: Wiring;
let posts: PipelinedPosts;
beforeEach(async () => {
  server = await new HeldServer().listen();
  gate = new WatchedGate(96);
  wiring = wiringTo(`http://127.0.0.1:${server.port}/sse`, { gate });
});
afterEach(async () => {
  posts.destroy();
  await server.close();
});

/** A way over so many connections, all of them standing. */
async function over(connections: number): Promise<void> {
  posts = new PipelinedPosts(wiring, head, connections);
  await ready(nowNs());
}

async function ready(untilNs: number): Promise<void> {
  while (!posts.prepare(1, untilNs)) await new Promise(setImmediate);
}

function post(body: string): Letter {
  const letter = new Letter();
  posts.post(body, letter);
  return letter;
}

describe('what leaves when', () => {
  test('what is posted within a turn leaves together at its end, in order', async () => {
    await over(1);
    const letters = ['a', 'b', 'c'].map(post);
    expect(letters.map(({ heard }) => heard)).toEqual([[], [], []]);
    await letters[0]!.hears(1);
    expect(letters.map(({ heard }) => heard)).toEqual([['sent'], ['sent'], ['sent']]);
    await server.post('c');
    expect(server.posts.map(({ body, chunk }) => `${body}${chunk}`)).toEqual(['a1', 'b1', 'c1']);
  });

  test('flush hands over at once, and the end of the turn finds nothing more', async () => {
    await over(1);
    const a = post('a');
    posts.flush();
    expect(a.heard).toEqual(['sent']);
    const b = post('b');
    posts.flush();
    await server.post('b');
    expect([a.heard, b.heard]).toEqual([['sent'], ['sent']]);
    expect(server.posts.map(({ body }) => body)).toEqual(['a', 'b']);
  });

  test('without waiting for answers; these are matched in order', async () => {
    await over(1);
    const [a, b] = [post('a'), post('b')];
    posts.flush();
    const { socket } = await server.post('b');
    const empty = '\r\nContent-Length: 0\r\n\r\n';
    socket.write(`HTTP/1.1 202 Accepted${empty}HTTP/1.1 429 Slow down${empty}`);
    expect(await a.hears(2)).toEqual(['sent', 'accepted']);
    expect((await b.hears(2))[1]).toMatch(/^refused 429: its POST was answered 429/);
  });

  test('one write to each connection in turn', async () => {
    await over(2);
    for (const body of ['a', 'b', 'c']) {
      post(body);
      posts.flush();
      await server.post(body);
    }
    const [a, b, c] = server.posts.map(({ connection }) => connection);
    expect(b).not.toBe(a);
    expect(c).toBe(a);
    expect(gate.entered).toBe(2);
  });

  test('what is posted before a connection stands leaves with the first that does', async () => {
    posts = new PipelinedPosts(wiring, head, 2);
    const letters = ['a', 'b'].map(post);
    posts.flush();
    expect(letters.map(({ heard }) => heard)).toEqual([[], []]);
    await Promise.all(letters.map((letter) => letter.hears(1)));
    await server.post('b');
    expect(server.posts.map(({ body, chunk }) => `${body}${chunk}`)).toEqual(['a1', 'b1']);
    expect(gate.entered).toBe(2);
  });
});

describe('taken back', () => {
  test('what has not left is withdrawn, the rest leaves', async () => {
    await over(1);
    const [a, b] = [post('a'), post('b')];
    expect(posts.withdraw(a)).toBe(true);
    expect(posts.withdraw(a)).toBe(false);
    posts.flush();
    expect(posts.withdraw(b)).toBe(false);
    await server.post('b');
    expect(server.posts.map(({ body }) => body)).toEqual(['b']);
    expect([a.heard, b.heard]).toEqual([[], ['sent']]);
  });

  test('giving up one withdraws it; one that was sent leaves its connection to the others', async () => {
    await over(1);
    const [a, b, c] = [post('a'), post('b'), post('c')];
    posts.giveUp(c);
    posts.flush();
    posts.giveUp(a);
    (await server.post('a')).answer();
    (await server.post('b')).answer();
    expect(await b.hears(2)).toEqual(['sent', 'accepted']);
    expect(c.heard).toEqual([]);
    expect(gate.entered).toBe(1);
  });
});

describe('connections that end', () => {
  test('fail all that they owe, as sent; what is posted then has a new one', async () => {
    await over(1);
    const [a, b] = [post('a'), post('b')];
    posts.flush();
    (await server.post('b')).socket.end();
    await b.hears(2);
    expect([a.heard[1], b.heard[1]]).toEqual(Array(2).fill('failed: the server closed the connection'));
    const c = post('c');
    (await server.post('c')).answer();
    expect(await c.hears(2)).toEqual(['sent', 'accepted']);
    expect(wiring.traffic.reconnected).toBe(1);
  });

  test('after their last answer are sent nothing more', async () => {
    await over(1);
    const a = post('a');
    posts.flush();
    (await server.post('a')).answer('202 Accepted\r\nConnection: close');
    await a.hears(2);
    const b = post('b');
    (await server.post('b')).answer();
    expect(await b.hears(2)).toEqual(['sent', 'accepted']);
    expect((await server.post('b')).connection).toBe(1);
  });

  test('having idled too long are replaced: before they are needed, or when they are', async () => {
    await over(1);
    // The time that the server names, less the second of grace: none.
    const used = async (body: string) => {
      const letter = post(body);
      posts.flush();
      (await server.post(body)).answer('202 Accepted\r\nKeep-Alive: timeout=1');
      expect(await letter.hears(2)).toEqual(['sent', 'accepted']);
    };
    await used('a');
    const untilNs = nowNs() + 1e9;
    await ready(untilNs);
    await ready(untilNs);
    expect([gate.entered, wiring.traffic.reconnected]).toEqual([2, 1]);
    await used('b');
    expect((await server.post('b')).connection).toBe(1);
    const c = post('c');
    posts.flush();
    expect(c.heard).toEqual([]);
    expect(await c.hears(1)).toEqual(['sent']);
    expect([gate.entered, wiring.traffic.reconnected]).toEqual([3, 2]);
  });

  test('before they stood fail what waits as unsent, once the last of them has', async () => {
    // Not TLS: a failure that is not tried again.
    wiring = wiringTo(`https://127.0.0.1:${server.port}/sse`, { gate });
    posts = new PipelinedPosts(wiring, head, 2);
    const a = post('a');
    await server.until(({ sockets }) => sockets.length === 2);
    server.sockets[0]!.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    await gate.until(({ left }) => left === 1);
    expect(a.heard).toEqual([]);
    server.sockets[1]!.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    await gate.until(({ left }) => left === 2);
    expect(a.heard).toHaveLength(1);
    expect(a.heard[0]).toMatch(/^unsent: .+/);
    expect(gate.entered).toBe(2);
  });
});

test('the end: what was sent fails as sent, what was not as unsent, and all connections close', async () => {
  await over(2);
  const a = post('a');
  posts.flush();
  await server.post('a');
  const b = post('b');
  posts.destroy();
  expect([a.heard, b.heard]).toEqual([['sent', 'failed: the session ended'], ['unsent: the session ended']]);
  expect(post('c').heard).toEqual(['unsent: the session ended']);
  expect(posts.prepare(1, nowNs())).toBe(true);
  await server.until(({ closed }) => closed === 2);
  expect(gate.entered).toBe(2);
});
