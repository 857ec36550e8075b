import { readFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../raw-client.fixture.js';
import { serveMock } from '../serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../serve-mock.js';
import { SessionClient, stateless } from './streamable-client.fixture.js';

type Body = 'json' | 'sse';
const echo = { name: 'echo', arguments: { message: 'x' } };

describe.each(['uws', 'node'] as const)('faults over Streamable HTTP on the %s engine', (engine) => {
  let mock: RunningMock;
  afterEach(() => mock.close());
  const serve = async (options: ServeMockOptions): Promise<string> => {
    mock = await serveMock({ engine, ...options });
    return mock.urls.streamable;
  };
  const client = async (body: Body, faults: ServeMockOptions['faults']): Promise<SessionClient> =>
    SessionClient.open(await serve({ streamable: { body }, faults }));
  const injected = async () => (await mock.stats()).injected;

  describe.each(['json', 'sse'] as const)('answered with %s', (body) => {
    test('rpcError and toolError come instead of the result', async () => {
      const first = await client(body, { rpcError: { rate: 1, code: -32055 } });
      expect((await first.call('counter')).errorCode).toBe(-32055);
      expect((await injected()).rpcError).toBe(1);
      await mock.close();
      const second = await client(body, { toolError: 1 });
      expect((await second.call('counter')).last['result']).toMatchObject({ isError: true });
    });

    test('httpError refuses the POST', async () => {
      const session = await client(body, { httpError: { rate: 1, status: 429 } });
      expect((await session.call('counter')).status).toBe(429);
      expect(await mock.stats()).toMatchObject({ responsesSent: 1, injected: { httpError: 1 } });
    });

    test('lost is never answered, until its client goes', async () => {
      const session = await client(body, { lost: 1 });
      const lost = session.begin('counter');
      await until(async () => (await injected()).lost === 1);
      if (body === 'sse') expect((await lost.begun()).text.trim()).toBe('');
      else expect(lost.status).toBe(0);
      lost.leave();
      expect((await session.ask('ping')).status).toBe(200);
      expect(await mock.stats()).toMatchObject({ responsesSent: 2, lateWrites: 0, calls: { cancelled: 0 } });
    });

    test('cut breaks the connection off', async () => {
      const session = await client(body, { cut: 1 });
      const cut = await session.call('sleep', { ms: 1 });
      expect([cut.ended, cut.messages]).toEqual(['broken', []]);
      expect((await injected()).cut).toBe(1);
      expect((await session.ask('ping')).status).toBe(200);
    });

    test('duplicate is answered twice where there is a stream for it', async () => {
      const session = await client(body, { duplicate: 1 });
      const own = session.get();
      await own.begun();
      const twice = await session.call('counter');
      const ids = [...twice.messages, ...(body === 'json' ? [await own.message(1)] : [])];
      expect(ids.map(({ id }) => id)).toEqual([1, 1]);
      expect(await mock.stats()).toMatchObject({ responsesSent: 3, injected: { duplicate: 1 } });
      own.leave();
    });

    test('misrouted goes to somebody else who has a stream open, and stays at home where nobody has', async () => {
      const session = await client(body, { misrouted: 1 });
      expect((await session.call('counter')).value).toBe('1');
      expect((await injected()).misrouted).toBe(0);
      const other = await SessionClient.open(mock.urls.streamable);
      const stream = await other.get().begun();
      const mine = session.begin('counter');
      expect(await stream.message(1)).toMatchObject({ id: 2, result: { content: [{ text: '2' }] } });
      expect((await injected()).misrouted).toBe(1);
      mine.leave();
      stream.leave();
    });

    test('splitEvent writes it in two pieces', async () => {
      const session = await client(body, { splitEvent: 1 });
      expect((await session.call('echo', { message: 'grüße' })).value).toBe('grüße');
      const stats = await mock.stats();
      expect(stats).toMatchObject({ responsesSent: 2, injected: { splitEvent: 1 } });
      expect(stats.eventsSent).toBe(body === 'sse' ? 2 : 0);
    });

    test('serverRequest and push go before the response, in the stream that there is', async () => {
      const session = await client(body, { serverRequest: 1, push: 1 });
      const own = await session.get().begun();
      const answer = await session.call('counter');
      if (body === 'json') await own.message(2);
      const methods = [...own.messages, ...answer.messages].map(({ method }) => method);
      expect(methods).toEqual(['ping', 'notifications/message', undefined]);
      const asked = [...own.messages, ...answer.messages][0]!;
      await session.post({ jsonrpc: '2.0', id: asked.id, result: {} }).whole();
      expect(await mock.stats()).toMatchObject({
        serverRequestsSent: 1,
        notificationsSent: 1,
        messages: { responses: 1 },
        injected: { serverRequest: 1, push: 1 },
      });
      own.leave();
    });

    test('heldPost: nothing of the answer comes before its time', async () => {
      const session = await client(body, { heldPost: { rate: 1, for: '1h' } });
      const held = session.begin('counter');
      await until(async () => (await injected()).heldPost === 1);
      expect((await mock.stats()).posts.byStatus['200']).toBe(1);
      held.leave();
      await until(async () => (await mock.stats()).lateWrites === 1);
    });

    test('unansweredPost: the response goes to the stream of the session', async () => {
      const session = await client(body, { unansweredPost: 1 });
      const own = await session.get().begun();
      const never = session.begin('counter');
      expect(await own.message(1)).toMatchObject({ id: 1, result: { content: [{ text: '1' }] } });
      expect(never.status).toBe(0);
      expect(await mock.stats()).toMatchObject({ responsesSent: 2, injected: { unansweredPost: 1 } });
      never.leave();
      own.leave();
    });

    test('unansweredPost: what else is done to the response is counted where it goes', async () => {
      const session = await client(body, { unansweredPost: 1, toolError: 1 });
      const lost = session.begin('counter');
      await until(async () => (await injected()).unansweredPost === 1);
      const own = await session.get().begun();
      const never = session.begin('counter');
      expect(await own.message(1)).toMatchObject({ id: 2, result: { isError: true } });
      expect(await injected()).toMatchObject({ unansweredPost: 2, toolError: 1 });
      for (const each of [lost, never, own]) each.leave();
    });

    test('slowRead delays reading, and nothing is lost of it', async () => {
      const session = await client(body, { slowRead: { rate: 1, for: '5ms' } });
      expect((await session.call('echo', { message: 'x'.repeat(100_000) })).value).toHaveLength(100_000);
      expect((await injected()).slowRead).toBeGreaterThan(0);
    });

    test('the log has a line for each call', async () => {
      const log = join(mkdtempSync(join(tmpdir(), 'mock-')), 'calls.log');
      const url = await serve({ streamable: { body }, log, tools: { sleep: { faults: { duplicate: 1 } } } });
      const session = await SessionClient.open(url);
      await session.call('echo', { message: 'x' });
      await session.call('sleep', { ms: 3 });
      const gone = session.begin('sleep', { ms: 3_600_000 });
      await until(async () => (await mock.stats()).calls.received === 3);
      gone.leave();
      await until(async () => (await mock.stats()).lateWrites === 1);
      await mock.close();
      const lines = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, number> & { injected: string[] });
      expect(lines.map(({ tool, injected: what }) => [tool, what])).toEqual([
        ['echo', []],
        ['sleep', body === 'sse' ? ['duplicate'] : []],
        ['sleep', ['late']],
      ]);
      expect(lines[1]!['sentNs']! - lines[1]!['dueNs']!).toBeGreaterThanOrEqual(0);
      expect(lines[1]!['session']).toBe(session.headers['mcp-session-id']);
      expect(lines[2]!['sentNs']).toBeNull();
    });
  });

  test('ackAfterWork: the head of a stream comes with its message', async () => {
    const session = await client('sse', { ackAfterWork: 1 });
    const waiting = session.begin('sleep', { ms: 3_600_000 });
    await until(async () => (await injected()).ackAfterWork === 1);
    expect((await mock.stats()).posts.byStatus['200']).toBe(1);
    waiting.leave();
  });

  test('freeze stands still for this transport too', async () => {
    const session = await SessionClient.open(await serve({ freeze: { at: '1ms', for: '20ms' } }));
    await session.call('counter');
    await until(async () => (await mock.stats()).freezes === 1);
  });

  test('a JSON body in two pieces is no stream for anything else', async () => {
    const url = await serve({
      streamable: { body: 'json', keepAlive: '1ms' },
      tools: { echo: { faults: { splitEvent: 1 } }, counter: { faults: { misrouted: 1 } } },
    });
    const calls = Array.from({ length: 120 }, (_, id) =>
      id % 2 === 0
        ? stateless(url, 'tools/call', echo, { id })
        : stateless(url, 'tools/call', { name: 'counter', arguments: {} }, { id }),
    );
    await Promise.all(calls.filter((_, id) => id % 2 === 0).map((call) => call.whole()));
    expect(
      calls.filter(({ ended, messages }, id) => id % 2 === 0 && (ended !== 'good' || messages.length !== 1)),
    ).toEqual([]);
    expect(await mock.stats()).toMatchObject({ keepAlivesSent: 0, injected: { misrouted: 0 } });
    for (const call of calls) call.leave();
  });

  test('the same seed does the same to the same calls, with sessions and without', async () => {
    const fates = async (): Promise<string[]> => {
      const url = await serve({ seed: 5, faults: { rpcError: '40%', toolError: '40%' } });
      const seen: string[] = [];
      const session = await SessionClient.open(url);
      for (let call = 0; call < 30; call++) {
        seen.push((await session.call('counter')).text);
        seen.push((await stateless(url, 'tools/call', echo).whole()).text);
      }
      await mock.close();
      return seen;
    };
    const first = await fates();
    expect(await fates()).toEqual(first);
    expect(
      new Set(first.map((text) => (text.includes('"error"') ? 'error' : text.includes('isError')))),
    ).toEqual(new Set(['error', true, false]));
  });

  test('an unread stream is cut and counted, and the others do not notice', async () => {
    const session = await SessionClient.open(
      await serve({ streamable: { body: 'sse' }, limits: { unreadBytes: '256KB' } }),
    );
    const stuck = session.begin('payload', { bytes: 30_000_000 });
    stuck.sent.on('response', (response) => response.pause());
    await until(async () => (await mock.stats()).responsesSent === 2);
    expect((await session.call('echo', { message: 'x' })).value).toBe('x');
    stuck.leave();
  });
});
