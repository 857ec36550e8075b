import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../raw-client.fixture.js';
import { serveMock } from '../serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../serve-mock.js';
import { SessionClient, stateless } from './streamable-client.fixture.js';
import type { Message } from './streamable-client.fixture.js';

type Options = NonNullable<ServeMockOptions['streamable']>;
const echo = { name: 'echo', arguments: { message: 'x' } };
const resumable: Options = { body: 'sse', prime: 'empty', retry: '10ms', storedEvents: 100 };

describe.each(['uws', 'node'] as const)('options of Streamable HTTP on the %s engine', (engine) => {
  let mock: RunningMock;
  afterEach(() => mock.close());
  const serve = async (streamable: Options, more: ServeMockOptions = {}): Promise<string> => {
    mock = await serveMock({ engine, streamable, ...more });
    return mock.urls.streamable;
  };

  test('sseShare: that share of the calls is answered by streams, the same at every run', async () => {
    const kinds = async (): Promise<string[]> => {
      const client = await SessionClient.open(await serve({ sseShare: '40%' }, { seed: 3 }));
      const seen: string[] = [];
      for (let call = 0; call < 60; call++)
        seen.push((await client.call('counter')).headers['content-type']!);
      await mock.close();
      return seen;
    };
    const first = await kinds();
    expect(new Set(first)).toEqual(new Set(['application/json', 'text/event-stream']));
    expect(await kinds()).toEqual(first);
  });

  test('headers: early sends the head before the response, with-message does not', async () => {
    const early = await SessionClient.open(await serve({ body: 'sse' }));
    const begun = await early.begin('sleep', { ms: 3_600_000 }).begun();
    expect([begun.status, begun.text.trim(), begun.ended]).toEqual([200, '', 'open']);
    await mock.close();
    const late = await SessionClient.open(await serve({ body: 'sse', headers: 'with-message' }));
    const waiting = late.begin('sleep', { ms: 3_600_000 });
    await until(async () => (await mock.stats()).calls.received === 1);
    expect((await mock.stats()).posts.byStatus['200']).toBe(1);
    waiting.leave();
  });

  test('contentLength: a stream that is complete at once has one', async () => {
    const client = await SessionClient.open(await serve({ body: 'sse', contentLength: true }));
    const whole = await client.call('echo', { message: 'x' });
    expect(Number(whole.headers['content-length'])).toBe(Buffer.byteLength(whole.text));
    const waited = await client.call('sleep', { ms: 1 });
    expect(waited.headers['transfer-encoding']).toBe('chunked');
  });

  test('lineEnding, eventName and eventIds shape events', async () => {
    const crlf = await SessionClient.open(await serve({ body: 'sse', lineEnding: 'crlf', eventIds: true }));
    const answer = await crlf.call('echo', { message: 'x' });
    expect(answer.text).toMatch(/^event: message\r\nid: \d+-1\r\ndata: \{.*\}\r\n\r\n$/);
    await mock.close();
    const bare = await SessionClient.open(await serve({ body: 'sse', eventName: 'none' }));
    expect((await bare.call('echo', { message: 'x' })).text).toMatch(/^data: \{.*\}\n\n$/);
  });

  test('releaseDelay: the body ends after the response', async () => {
    const client = await SessionClient.open(await serve({ body: 'sse', releaseDelay: '300ms' }));
    const answer = client.begin('echo', { message: 'x' });
    await answer.message(1);
    expect([answer.value, answer.ended]).toEqual(['x', 'open']);
    expect((await answer.whole()).ended).toBe('good');
  });

  test('errorStatus: JSON bodies that are errors −32602 come with 400', async () => {
    const client = await SessionClient.open(await serve({ errorStatus: 400 }));
    expect((await client.call('nope')).status).toBe(400);
    expect((await client.call('echo', {})).status).toBe(400);
    expect((await client.ask('no/such')).status).toBe(200);
    expect((await client.call('echo', { message: 'x' })).status).toBe(200);
  });

  test('keepAlive: comments on open streams', async () => {
    const client = await SessionClient.open(await serve({ body: 'sse', keepAlive: '8ms' }));
    const stream = client.get();
    const call = client.begin('sleep', { ms: 3_600_000 });
    await until(() => stream.comments.length > 1 && call.comments.length > 1);
    expect(stream.comments[0]).toBe('keepalive');
    expect((await mock.stats()).keepAlivesSent).toBeGreaterThan(3);
    stream.leave();
    call.leave();
  });

  test('prime and retry: streams begin with an event that has an id and no data', async () => {
    const url = await serve(resumable);
    const client = await SessionClient.open(url);
    const answer = await client.call('echo', { message: 'x' });
    expect(answer.text.trimStart()).toMatch(
      /^id: \d+-1\nretry: 10\ndata: \n\nevent: message\nid: \d+-2\ndata: /,
    );
    expect(answer.retryMs).toBe(10);
    const old = await SessionClient.open(url, '2025-06-18');
    expect((await old.call('echo', { message: 'x' })).text).not.toContain('data: \n');
    const modern = await stateless(url, 'tools/call', echo).whole();
    expect(modern.text).not.toContain('id:');
    expect((await mock.stats()).streamable.primes).toBe(2);
    await mock.close();
    const named = await SessionClient.open(await serve({ ...resumable, prime: 'named', retry: 0 }));
    expect((await named.call('echo', { message: 'x' })).text.trimStart()).toMatch(
      /^event: prime\nid: \d+-1\ndata: \n\n/,
    );
  });

  test('disconnect: the stream ends before the response, which is had by resuming it', async () => {
    const client = await SessionClient.open(await serve({ ...resumable, disconnect: 1 }));
    const cut = await client.call('echo', { message: 'x' });
    expect([cut.messages, cut.ended]).toEqual([[], 'good']);
    const resumed = await client.get({ 'last-event-id': cut.ids.at(-1)! }).whole();
    expect(resumed.value).toBe('x');
    const again = await client.get({ 'last-event-id': cut.ids.at(-1)! }).whole();
    expect(again.value).toBe('x');
    const { streamable, responsesSent, lateWrites } = await mock.stats();
    expect(streamable).toMatchObject({ disconnects: 1, resumes: 2 });
    expect([responsesSent, lateWrites]).toEqual([2, 0]);
    await client.call('echo', { message: 'never fetched' });
    await client.end();
    expect((await mock.stats()).lateWrites).toBe(1);
  });

  test('a stream that is resumed before its response goes on with it', async () => {
    const client = await SessionClient.open(
      await serve(resumable, {
        tools: {
          ask: { steps: [{ disconnect: true }, { request: 'roots/list' }], content: ['{{answers.client}}'] },
        },
      }),
    );
    const cut = await client.call('ask');
    const resumed = client.get({ 'last-event-id': cut.ids.at(-1)! });
    const question = await resumed.message(1);
    expect(question.method).toBe('roots/list');
    await client.post({ jsonrpc: '2.0', id: question.id, result: { roots: [] } }).whole();
    expect((await resumed.whole()).last['result']).toEqual({ content: ['{"roots":[]}'] });
  });

  test('a client that has lost its connection can resume, until what it missed is forgotten', async () => {
    const client = await SessionClient.open(await serve({ ...resumable, storedEvents: 2 }));
    const lost = client.begin('sleep', { ms: 20 });
    await until(() => lost.ids.length === 1);
    lost.leave();
    await until(async () => (await mock.stats()).streamable.sessionsOpen === 1);
    const resumed = await client.get({ 'last-event-id': lost.ids[0]! }).whole();
    expect(resumed.value).toBe('slept 20 ms');
    expect((await client.get({ 'last-event-id': 'nonsense' }).whole()).status).toBe(400);
    for (let call = 0; call < 4; call++) await client.call('echo', { message: 'x' });
    expect((await client.get({ 'last-event-id': lost.ids[0]! }).whole()).messages).toEqual([]);
  });

  test('expireAfterCalls and unknownSession: a session is forgotten after so many calls', async () => {
    const url = await serve({ expireAfterCalls: 2, unknownSession: 400 });
    const client = await SessionClient.open(url);
    const statuses: number[] = [];
    for (let call = 0; call < 3; call++) statuses.push((await client.call('counter')).status);
    expect(statuses).toEqual([200, 200, 400]);
    expect((await mock.stats()).streamable).toMatchObject({ sessionsExpired: 1, sessionsOpen: 0 });
    expect((await mock.stats()).calls.byTool['counter']).toBe(2);
  });

  test('expireAfter: a session is forgotten when nothing was heard of it', async () => {
    const client = await SessionClient.open(await serve({ expireAfter: '20ms' }));
    await until(async () => (await mock.stats()).streamable.sessionsExpired === 1);
    expect((await client.call('counter')).status).toBe(404);
  });

  test('sessionLost: calls find their session forgotten', async () => {
    const client = await SessionClient.open(await serve({ sessionLost: 1 }));
    expect((await client.ask('ping')).status).toBe(200);
    expect((await client.call('counter')).status).toBe(404);
    expect((await mock.stats()).streamable).toMatchObject({ sessionsLost: 1, sessionsOpen: 0 });
  });

  test('getStreams and deleteStatus', async () => {
    const client = await SessionClient.open(await serve({ getStreams: 2, deleteStatus: 204 }));
    const streams = [await client.get().begun(), await client.get().begun()];
    expect((await client.get().whole()).status).toBe(409);
    expect((await client.end()).status).toBe(204);
    for (const stream of streams) expect((await stream.whole()).ended).toBe('good');
    await mock.close();
    const bare = await SessionClient.open(await serve({ getStreams: 0, deleteStatus: 405 }));
    expect([(await bare.get().whole()).status, (await bare.end()).status]).toEqual([405, 405]);
  });

  test('sessionHeader: initialize alone, or all answers', async () => {
    const client = await SessionClient.open(await serve({ sessionHeader: 'initialize' }));
    expect((await client.call('counter')).headers['mcp-session-id']).toBeUndefined();
    await mock.close();
    const all = await SessionClient.open(await serve({}));
    expect((await all.call('counter')).headers['mcp-session-id']).toBe(all.headers['mcp-session-id']);
  });

  test('listChanges: whoever has a stream is told', async () => {
    const client = await SessionClient.open(await serve({ listChanges: '5ms' }));
    const stream = client.get();
    expect(await stream.message(2)).toMatchObject({ method: 'notifications/tools/list_changed' });
    stream.leave();
  });

  test('inputRequired: calls are answered with a question first, and its state comes back', async () => {
    const url = await serve({ inputRequired: 1 });
    const capabilities = { elicitation: {} };
    const call = (more: object) =>
      stateless(url, 'tools/call', { ...echo, ...more }, { capabilities }).whole();
    const asked = (await call({})).last['result'] as Message & { requestState: string };
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { confirm: { method: 'elicitation/create' } },
    });
    const { requestState } = asked;
    const answered = { inputResponses: { confirm: { action: 'accept', content: { ok: true } } } };
    expect((await call({ ...answered, requestState })).value).toBe('x');
    expect((await call({ ...answered, requestState: `${requestState}x` })).errorCode).toBe(-32602);
    expect((await call({ requestState })).last['result']).toMatchObject({ resultType: 'input_required' });
    expect((await stateless(url, 'tools/call', echo).whole()).value).toBe('x');
    expect((await mock.stats()).streamable).toMatchObject({ inputRequired: 2, inputResponses: 2 });
  });

  test('checkAccept: false takes any', async () => {
    const client = await SessionClient.open(await serve({ checkAccept: false }));
    expect(
      (await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { accept: 'x/y' }).whole()).status,
    ).toBe(200);
  });
});
