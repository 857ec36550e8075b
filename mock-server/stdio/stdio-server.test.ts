import { describe, expect, test } from 'vitest';
import { faultNames } from '../stats.js';
import { echo, initialize, request, stateless, stdioCoreOf } from './stdio-core.fixture.js';

const notify = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', method, params });

describe('with sessions', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('a client that asks for %s gets %s', (asked, agreed) => {
    const core = stdioCoreOf();
    core.send(initialize(asked));
    expect(core.messages()).toMatchObject([{ id: 'init', result: { protocolVersion: agreed } }]);
  });

  test.each<[what: string, message: object | string, answer: object]>([
    ['a ping', request(1, 'ping'), { id: 1, result: {} }],
    ['a call', echo(7, 'hi'), { id: 7, result: { content: [{ type: 'text', text: 'hi' }] } }],
    ['a string id', echo('a'), { id: 'a', result: { content: [{ text: 'a' }] } }],
    ['a failed tool', request(1, 'tools/call', { name: 'fail' }), { id: 1, result: { isError: true } }],
    ['no tool', request(1, 'tools/call', { name: 'none' }), { id: 1, error: { code: -32602 } }],
    ['no name', request(1, 'tools/call'), { id: 1, error: { code: -32602 } }],
    ['no argument', request(1, 'tools/call', { name: 'echo' }), { id: 1, error: { code: -32602 } }],
    ['no method', request(1, 'none'), { id: 1, error: { code: -32601 } }],
    ['a second initialize', initialize(), { id: 'init', error: { code: -32600 } }],
    [
      'a resource that is not there',
      request(1, 'resources/read', { uri: 'x:' }),
      { error: { code: -32002 } },
    ],
    ['no JSON', '{"jsonrpc":', { id: null, error: { code: -32700 } }],
    ['no message', '{"id":4}', { id: 4, error: { code: -32600 } }],
    ['null', 'null', { id: null, error: { code: -32600 } }],
    ['a batch', [request(1, 'ping')], { id: null, error: { code: -32600 } }],
  ])('%s is answered', (_what, message, answer) => {
    const core = stdioCoreOf();
    core.send(initialize(), message);
    expect(core.messages()).toHaveLength(2);
    expect(core.messages()[1]).toMatchObject(answer);
  });

  test('calls are answered when they are due, and not at all when they are taken back', () => {
    const core = stdioCoreOf({ latency: '5ms' });
    core.send(initialize(), echo(1), echo(2), notify('notifications/cancelled', { requestId: 1 }));
    core.loop.pass(4);
    expect(core.messages()).toHaveLength(1);
    core.loop.pass(2);
    expect(core.messages().slice(1)).toMatchObject([{ id: 2 }]);
    const { calls, responsesSent } = core.server.snapshot();
    expect({ calls, responsesSent }).toMatchObject({
      calls: { received: 2, cancelled: 1 },
      responsesSent: 2,
    });
  });

  test('a tool reports progress, logs and asks its client, who answers', () => {
    const core = stdioCoreOf({
      tools: {
        ask: {
          steps: [
            { progress: 1, total: 2 },
            { log: 'soon' },
            { request: 'sampling/createMessage', params: { maxTokens: 5 } },
          ],
          content: [{ type: 'text', text: '{{answers.client.text}}' }],
        },
      },
    });
    core.send(initialize(), request(1, 'tools/call', { name: 'ask', _meta: { progressToken: 't' } }));
    expect(core.messages().slice(1)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 't', progress: 1 } },
      { method: 'notifications/message', params: { data: 'soon' } },
      { method: 'sampling/createMessage', id: 1, params: { maxTokens: 5 } },
    ]);
    core.send({ jsonrpc: '2.0', id: 1, result: { text: 'as you like' } });
    expect(core.messages()[4]).toMatchObject({ id: 1, result: { content: [{ text: 'as you like' }] } });
    expect(core.server.snapshot()).toMatchObject({
      notificationsSent: 2,
      serverRequestsSent: 1,
      messages: { responses: 1 },
    });
  });
});

describe('without sessions', () => {
  test.each<[what: string, message: object, answer: object]>([
    [
      'discover',
      stateless(1, 'server/discover'),
      { result: { supportedVersions: ['2026-07-28'], ttlMs: 0 } },
    ],
    [
      'a call',
      stateless(1, 'tools/call', { name: 'echo', arguments: { message: 'hi' } }),
      { result: { content: [{ text: 'hi' }], resultType: 'complete' } },
    ],
    ['a ping, which there is not', stateless(1, 'ping'), { error: { code: -32601 } }],
    ['no capabilities', request(1, 'server/discover'), { error: { code: -32602 } }],
    [
      'another revision',
      request(1, 'tools/list', {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2099-01-01',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      }),
      { error: { code: -32022, data: { supported: ['2026-07-28'] } } },
    ],
  ])('%s is answered', (_what, message, answer) => {
    const core = stdioCoreOf();
    core.send(message);
    expect(core.messages()).toMatchObject([{ id: 1, ...answer }]);
  });

  test('either era can be had alone', () => {
    const old = stdioCoreOf({ stdio: { eras: 'sessions' } });
    old.send(stateless(1, 'server/discover'));
    expect(old.messages()).toMatchObject([{ error: { code: -32601 } }]);
    const young = stdioCoreOf({ stdio: { eras: 'stateless' } });
    young.send(initialize());
    expect(young.messages()).toMatchObject([{ error: { code: -32022 } }]);
  });

  test('a call is asked for input first, and goes on with what its client brings', () => {
    const core = stdioCoreOf({ stdio: { inputRequired: 1 } });
    const params = { name: 'echo', arguments: { message: 'hi' } };
    core.send(stateless(1, 'tools/call', params, { elicitation: {} }));
    const [asked] = core.messages();
    expect(asked).toMatchObject({ result: { resultType: 'input_required', inputRequests: { confirm: {} } } });
    const { requestState } = asked!['result'] as { requestState: string };
    const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
    core.send(
      stateless(2, 'tools/call', { ...params, requestState, inputResponses }, { elicitation: {} }),
      stateless(3, 'tools/call', params),
    );
    const complete = { resultType: 'complete', content: [{ text: 'hi' }] };
    expect(core.messages().slice(1)).toMatchObject([
      { id: 2, result: complete },
      { id: 3, result: complete },
    ]);
    expect(core.server.snapshot().streamable).toMatchObject({ inputRequired: 1, inputResponses: 1 });
  });

  test('who listens hears of changes until it takes that back', () => {
    const core = stdioCoreOf({ tools: { change: { steps: [{ announce: 'tools' }] } } });
    const change = (id: number): object => stateless(id, 'tools/call', { name: 'change' });
    core.send(
      stateless('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
      change(1),
    );
    core.send(notify('notifications/cancelled', { requestId: 'l' }), change(2));
    const meta = { 'io.modelcontextprotocol/subscriptionId': 'l' };
    expect(core.messages()).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { _meta: meta } },
      { method: 'notifications/tools/list_changed', params: { _meta: meta } },
      { id: 1 },
      { id: 2 },
    ]);
    expect(core.server.snapshot().streamable).toMatchObject({ listens: 1, listensOpen: 0 });
  });
});

describe('faults', () => {
  test.each<[fault: string, expected: object[]]>([
    ['rpcError', [{ id: 1, error: { code: -32000 } }]],
    ['toolError', [{ id: 1, result: { isError: true } }]],
    ['lost', []],
    ['duplicate', [{ id: 1 }, { id: 1 }]],
    ['splitEvent', [{ id: 1 }]],
    [
      'serverRequest',
      [
        { id: 1, method: 'ping' },
        { id: 1, result: {} },
      ],
    ],
    ['push', [{ method: 'notifications/message' }, { id: 1 }]],
  ])('%s', (fault, expected) => {
    const core = stdioCoreOf({ faults: { [fault]: 1 } });
    core.send(initialize(), echo(1));
    core.loop.pass(5);
    expect(core.messages().slice(1)).toMatchObject(expected);
    const { injected, responsesSent } = core.server.snapshot();
    const responses = expected.filter((one) => !('method' in one)).length;
    expect({ responsesSent, injected }).toEqual({
      responsesSent: 1 + responses,
      injected: Object.fromEntries(faultNames.map((name) => [name, name === fault ? 1 : 0])),
    });
  });

  test('hit the same calls in every process of one number, and others in those of another', () => {
    const lost = (session: number): unknown[] => {
      const core = stdioCoreOf({ seed: 3, faults: { lost: '50%' }, stdio: { session } });
      for (let id = 0; id < 40; id++) core.send(echo(id));
      return core.messages().map((message) => message['id']);
    };
    expect(lost(0)).toEqual(lost(0));
    expect(lost(0)).not.toEqual(lost(1));
  });

  test('a cut ends the process in the middle of a line, and what waits is late', () => {
    const core = stdioCoreOf({
      tools: { slow: { result: 1, latency: '1s' }, bad: { result: 1, faults: { cut: 1 } } },
    });
    core.send(initialize(), request(1, 'tools/call', { name: 'slow' }), echo(2));
    core.send(request(3, 'tools/call', { name: 'bad' }), echo(4));
    const [init, answer, beginning, ...more] = core.sink.text.split('\n');
    expect([init, answer, ...more]).toEqual([
      expect.stringContaining('"init"'),
      expect.stringContaining('"id":2'),
    ]);
    expect(beginning).toMatch(/^\{"jsonrpc":"2\.0","id":3,/);
    expect(() => JSON.parse(beginning!) as unknown).toThrow(SyntaxError);
    expect(core.over).toEqual([1]);
    expect(core.server.snapshot()).toMatchObject({
      sessions: { closedByServer: 1, closedByClient: 0, open: 0 },
      calls: { received: 3 },
      responsesSent: 2,
      lateWrites: 1,
      injected: { cut: 1 },
    });
  });

  test('slowRead delays lines once the handshake is done', () => {
    const core = stdioCoreOf({ faults: { slowRead: { rate: 1, for: '30ms' } } });
    expect(core.server.readDelayMs()).toBe(0);
    core.send(initialize());
    expect(core.server.readDelayMs()).toBe(30);
    expect(core.server.snapshot().injected.slowRead).toBe(1);
  });
});

describe('the end', () => {
  test('what is due is answered when stdin has ended, and then it is over', () => {
    const core = stdioCoreOf({ latency: '5ms' });
    core.send(initialize(), echo(1));
    core.server.end();
    core.loop.pass(4);
    expect(core.over).toEqual([]);
    core.loop.pass(2);
    expect(core.messages()[1]).toMatchObject({ id: 1 });
    expect(core.over).toEqual([0]);
    expect(core.sink.ended).toBe('end');
    expect(core.server.snapshot()).toMatchObject({
      sessions: { closedByClient: 1, open: 0 },
      responsesSent: 2,
    });
  });

  test('what is due is dropped when it is told to, and who would have to answer cannot', () => {
    const core = stdioCoreOf({ latency: '5ms', stdio: { dropAtEof: true } });
    core.send(echo(1));
    core.server.end();
    core.loop.turn();
    expect(core.over).toEqual([0]);
    expect(core.server.snapshot()).toMatchObject({ responsesSent: 0, lateWrites: 1 });
    const asks = stdioCoreOf({ tools: { ask: { steps: [{ request: 'ping' }] } } });
    asks.send(request(1, 'tools/call', { name: 'ask' }));
    asks.server.end();
    asks.loop.turn();
    expect(asks.over).toEqual([0]);
    expect(asks.server.snapshot()).toMatchObject({ responsesSent: 0, lateWrites: 1 });
  });

  test('it goes on without its client where it is told to, and says when all is answered', () => {
    const core = stdioCoreOf({ latency: '5ms', stdio: { stayAfterEof: '1m' } });
    core.send(echo(1));
    core.server.end();
    core.loop.pass(4);
    expect(core.idle).toEqual([]);
    core.loop.pass(10);
    expect(core.messages()).toHaveLength(1);
    expect(core.idle).toEqual([5e6]);
    core.loop.pass(1e6);
    expect(core.over).toEqual([]);
    core.server.close();
    expect(core.over).toEqual([0]);
    expect(core.server.snapshot().sessions).toMatchObject({ closedByClient: 1, closedByServer: 0 });
  });

  test('told to stop it does so at once, and listeners get their results', () => {
    const core = stdioCoreOf({ latency: '5ms' });
    core.send(stateless('l', 'subscriptions/listen', { notifications: {} }), echo(1));
    core.server.close();
    expect(core.messages()[1]).toMatchObject({ id: 'l', result: { resultType: 'complete' } });
    expect(core.over).toEqual([0]);
    expect(core.loop.scheduled).toBe(0);
    expect(core.server.snapshot()).toMatchObject({ sessions: { closedByServer: 1 }, lateWrites: 1 });
  });

  test.each<['start' | 'initialize' | 'initialized', answered: number]>([
    ['start', 0],
    ['initialize', 0],
    ['initialized', 1],
  ])('it dies at %s', (die, answered) => {
    const core = stdioCoreOf({ stdio: { die } });
    core.send(initialize(), notify('notifications/initialized'), echo(1));
    expect(core.messages()).toHaveLength(answered);
    expect(core.over).toEqual([1]);
  });

  test('it dies at the first call beyond some', () => {
    const core = stdioCoreOf({ stdio: { dieAfterCalls: 2 } });
    core.send(echo(1), echo(2), echo(3), echo(4));
    expect(core.messages()).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(core.over).toEqual([1]);
    expect(core.server.snapshot()).toMatchObject({ calls: { received: 3 }, responsesSent: 2, lateWrites: 1 });
  });
});

describe('what is not MCP', () => {
  test('lines that are not JSON go before everything and between, and are counted', () => {
    const core = stdioCoreOf({ stdio: { noiseAtStart: 2, noise: 1 } });
    core.send(initialize(), echo(1));
    const lines = core.lines();
    const isJson = (line: string): boolean => {
      try {
        JSON.parse(line);
        return true;
      } catch {
        return false;
      }
    };
    expect(lines.map(isJson)).toEqual([false, false, true, false, true]);
    expect(core.server.snapshot()).toMatchObject({
      stdio: { noise: 3, lines: 2 },
      eventsSent: 2,
      bytes: { out: core.sink.text.length },
    });
  });

  test('stderr gets as many bytes as it is told to', () => {
    const core = stdioCoreOf({ stdio: { stderrAtStart: 100, stderrPerCall: 50 } });
    core.send(echo(1), echo(2));
    expect(core.stderr.map((text) => text.length)).toEqual([100, 50, 50]);
    expect(core.server.snapshot().stdio.stderrBytes).toBe(200);
  });

  test('lines end as they are told to', () => {
    const core = stdioCoreOf({ stdio: { lineEnding: 'crlf' } });
    core.send(echo(1));
    expect(core.sink.text).toMatch(/\}\r\n$/);
  });

  test('lines that are too long are answered and counted', () => {
    const core = stdioCoreOf();
    core.server.tooLong();
    core.loop.turn();
    expect(core.messages()).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(core.server.snapshot().stdio).toMatchObject({ lines: 1, tooLong: 1 });
  });
});

test('a client that does not read holds its own input up, and gets everything when it does', () => {
  const core = stdioCoreOf({ limits: { unreadBytes: 100 } });
  core.sink.takes = false;
  core.send(echo(1));
  expect(core.server.behind).toBe(false);
  core.send(echo(2), echo(3));
  expect(core.messages()).toMatchObject([{ id: 1 }]);
  expect(core.server.behind).toBe(true);
  core.sink.takes = true;
  core.server.drained();
  expect(core.server.behind).toBe(false);
  expect(core.messages()).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(core.server.snapshot()).toMatchObject({ responsesSent: 3, unreadCuts: 0 });
});
