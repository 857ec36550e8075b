import { describe, expect, test } from 'vitest';
import type { MockConfigInput } from '../config/config.js';
import { coreOf } from '../core.fixture.js';

type Wire = NonNullable<MockConfigInput['wire']>;
const withWire = (wire: Wire, more: MockConfigInput = {}) => coreOf({ ...more, wire });
const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

// The ways in which real servers depart from their dialect, one by one.
describe('wire options', () => {
  test.each([
    ['lf', 'event: endpoint\ndata: /messages?sessionId=00000000-0000-0000-0000-000000000001\n\n'],
    ['crlf', 'event: endpoint\r\ndata: /messages?sessionId=00000000-0000-0000-0000-000000000001\r\n\r\n'],
    ['cr', 'event: endpoint\rdata: /messages?sessionId=00000000-0000-0000-0000-000000000001\r\r'],
    ['mixed', 'event: endpoint\ndata: /messages?sessionId=00000000-0000-0000-0000-000000000001\r\n\r\n'],
  ] as const)('lineEnding %s', (lineEnding, bytes) => {
    expect(withWire({ lineEnding }).open().sink.text).toBe(bytes);
  });

  test('eventIds and retryMs come after the data', () => {
    const { loop, open } = withWire({ eventIds: true, retryMs: 3000 });
    const { sink, echo } = open();
    echo(7);
    loop.turn();
    expect(sink.text).toContain('\nid: 1\nretry: 3000\n\nevent: message\ndata: {"jsonrpc":"2.0","id":7,');
    expect(sink.text).toMatch(/\}\nid: 2\n\n$/);
  });

  test('byteOrderMark, endpoint and endpointEvent shape the first event', () => {
    const { sink } = withWire({
      byteOrderMark: true,
      endpoint: 'absolute',
      endpointEvent: 'unnamed',
      messagesPath: '/in',
    }).open();
    expect(sink.text).toBe(
      '\uFEFFdata: http://localhost:8765/in?sessionId=00000000-0000-0000-0000-000000000001\n\n',
    );
  });

  test('spaceAfterColon never', () => {
    const { loop, open } = withWire({ spaceAfterColon: 'never' });
    const { sink, echo } = open();
    echo(1);
    loop.turn();
    expect(sink.text).toMatch(/^event:endpoint\ndata:\/messages/);
    expect(sink.text).toContain('event:message\ndata:{"jsonrpc"');
  });

  test('acceptedStatus, acceptedBody and acceptedChunked shape the answer to a POST', () => {
    const { open } = withWire({ acceptedStatus: 200, acceptedBody: 'ok', acceptedChunked: true });
    expect(open().echo(1)[0]).toMatchObject({ status: 200, body: 'ok', chunked: true });
  });

  test('acceptedStatus 204 has no body, whatever the dialect would say', () => {
    const { open } = withWire({ acceptedStatus: 204, acceptedChunked: true });
    expect(open().echo(1)[0]).toMatchObject({ status: 204, body: '', contentType: '' });
  });

  test.each(['after-work', 'after-event'] as const)(
    'ack %s holds the POST until then, for every request',
    (ack) => {
      const { loop, open } = withWire({ ack, ackGap: '2ms' }, { latency: '10ms' });
      const { sink, echo, post } = open();
      const replies = echo(1);
      loop.pass(9);
      expect(replies).toEqual([]);
      loop.pass(1);
      expect(sink.messages).toHaveLength(1);
      expect(replies).toHaveLength(ack === 'after-work' ? 1 : 0);
      loop.pass(2);
      expect(replies).toHaveLength(1);
      const list = post({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
      expect(list).toHaveLength(ack === 'after-work' ? 1 : 0);
      loop.pass(2);
      expect(list).toHaveLength(1);
    },
  );

  test('jsonInPost: the response is in the body and on the stream', () => {
    const { loop, open } = withWire({ jsonInPost: true }, { latency: '10ms' });
    const { sink, echo, post } = open();
    const [ping] = post({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(ping).toMatchObject({
      status: 202,
      contentType: 'application/json',
      body: '{"jsonrpc":"2.0","id":1,"result":{}}',
    });
    const replies = echo(2);
    loop.pass(10);
    expect(JSON.parse(replies[0]!.body)).toEqual(sink.messages[1]);
    expect(sink.messages.map((message) => message['id'])).toEqual([1, 2]);
  });

  test.each([
    ['ack after-work', { wire: { ack: 'after-work' } }, 10],
    ['ack after-event', { wire: { ack: 'after-event', ackGap: '2ms' } }, 12],
    ['eventBefore202', { faults: { eventBefore202: { rate: 1, gap: '3ms' } } }, 13],
    ['ackAfterWork', { faults: { ackAfterWork: 1 } }, 10],
    ['heldPost, longer than the work', { faults: { heldPost: { rate: 1, for: '30ms' } } }, 30],
    ['heldPost, shorter than the work', { faults: { heldPost: { rate: 1, for: '5ms' } } }, 10],
  ] as [string, MockConfigInput, number][])('jsonInPost with %s', (_with, config, answeredAtMs) => {
    const { loop, open } = coreOf({ ...config, latency: '10ms', wire: { ...config.wire, jsonInPost: true } });
    const { sink, echo } = open();
    const replies = echo(2);
    loop.pass(answeredAtMs - 1);
    expect(replies).toEqual([]);
    loop.pass(1);
    expect(replies.map(({ status }) => status)).toEqual([202]);
    expect(sink.messages).toHaveLength(1);
    expect(JSON.parse(replies[0]!.body)).toEqual(sink.messages[0]);
  });

  test('jsonInPost with ack after-event, for methods that are no tools', () => {
    const { loop, open } = withWire({ jsonInPost: true, ack: 'after-event' });
    const { sink, post } = open();
    const replies = post({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect([sink.messages.length, replies.length]).toEqual([1, 0]);
    loop.pass(1);
    expect(JSON.parse(replies[0]!.body)).toEqual(sink.messages[0]);
  });

  test.each(['lost', 'cut'] as const)('jsonInPost does not answer in the body what is %s', (fault) => {
    const { loop, open } = withWire({ jsonInPost: true }, { faults: { [fault]: 1 } });
    const replies = open().echo(1);
    loop.pass(1);
    expect(replies.map(({ status, body }) => [status, body])).toEqual([[202, 'Accepted']]);
  });

  test('jsonInPost with heldPost: a call that is cancelled is accepted without it, when it would have been', () => {
    const { loop, open } = withWire(
      { jsonInPost: true },
      { latency: '10ms', faults: { heldPost: { rate: 1, for: '30ms' } } },
    );
    const { echo, post } = open();
    const replies = echo(1);
    post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    loop.pass(29);
    expect(replies).toEqual([]);
    loop.pass(1);
    expect(replies.map(({ body }) => body)).toEqual(['Accepted']);
  });

  test('methodNotFoundFirst: the error event overtakes its 202', () => {
    const { loop, open } = withWire({ methodNotFoundFirst: true });
    const { sink, post } = open();
    const replies = post({ jsonrpc: '2.0', id: 1, method: 'no/such' });
    expect([sink.messages.length, replies.length]).toEqual([1, 0]);
    loop.pass(1);
    expect(replies).toHaveLength(1);
  });

  test('beforeInitialize error is the strict form of classic; serve the lax form of serena', () => {
    const strict = withWire({ beforeInitialize: 'error' });
    const first = strict.open();
    first.echo(1);
    first.post(initialize);
    first.echo(2);
    strict.loop.turn();
    expect(first.sink.messages.map((message) => ('error' in message ? 'error' : 'ok'))).toEqual([
      'error',
      'ok',
      'ok',
    ]);
    const lax = withWire({ beforeInitialize: 'serve' }, { dialect: 'serena' });
    const second = lax.open();
    second.echo(1);
    lax.loop.turn();
    expect(second.sink.messages[0]).toHaveProperty('result');
  });

  test('secondInitialize error', () => {
    const { loop, open } = withWire({ secondInitialize: 'error' });
    const { sink, post } = open();
    post(initialize);
    post(initialize);
    loop.turn();
    expect(sink.messages.map((message) => (message['error'] as { code: number } | undefined)?.code)).toEqual([
      undefined,
      -32600,
    ]);
  });

  test('initialized required: anything else as the second message ends the session', () => {
    for (const [second, ended] of [
      [initialized, 'open'],
      [{ jsonrpc: '2.0', id: 1, method: 'ping' }, 'end'],
    ] as const) {
      const { open } = coreOf({ dialect: 'rmcp' });
      const { sink, post } = open();
      post(initialize);
      expect(post(second)[0]!.status).toBe(202);
      expect(sink.ended).toBe(ended);
      expect(sink.messages).toHaveLength(ended === 'end' ? 1 : 0);
    }
  });

  test('initialized gate: a call before it is accepted and hangs', () => {
    const { app, loop, open } = withWire({ initialized: 'gate' });
    const { sink, echo, post } = open();
    post(initialize);
    expect(echo(1)[0]!.status).toBe(202);
    post(initialized);
    echo(2);
    loop.pass(1000);
    expect(sink.messages.map((message) => message['id'])).toEqual([0, 2]);
    expect(app.stats.hung).toBe(1);
  });

  test('errorData puts data on every error', () => {
    const { loop, open } = withWire({ errorData: true });
    const { sink, post } = open();
    post({ jsonrpc: '2.0', id: 1, method: 'no/such' });
    loop.turn();
    expect(sink.messages[0]!['error']).toMatchObject({ code: -32601, data: {} });
  });

  test.each(['workspace', 'pymcp'] as const)(
    'errorData on those in the body of a POST too: %s',
    (dialect) => {
      const [answer] = coreOf({ dialect, wire: { errorData: true } })
        .open(dialect === 'workspace' ? '/mcp/bench' : '/sse')
        .post('{"jsonrpc"');
      expect(JSON.parse(answer!.body)['error']).toMatchObject({ code: -32700, data: {} });
    },
  );

  test('serverPing: ids count up or stay 0, and may wait for the answer', () => {
    const ids = (wire: Wire, answer: boolean): unknown[] => {
      const { loop, open } = withWire({ serverPing: '1s', ...wire });
      const { sink, post } = open();
      for (let second = 0; second < 3; second++) {
        loop.pass(1000);
        const pinged = sink.messages.at(-1);
        if (answer && pinged) post({ jsonrpc: '2.0', id: pinged['id'], result: {} });
      }
      return sink.messages.map((message) => message['id']);
    };
    expect(ids({ serverPingIds: 'count' }, false)).toEqual([1, 2, 3]);
    expect(ids({ serverPingIds: 'zero' }, false)).toEqual([0, 0, 0]);
    expect(ids({ serverPingWaits: true }, false)).toEqual([1]);
    expect(ids({ serverPingWaits: true }, true)).toEqual([1, 2, 3]);
  });

  test('keepAlive in every form', () => {
    const text = (keepAliveAs: Wire['keepAliveAs']): string => {
      const { app, loop, open } = withWire({ keepAlive: '1s', keepAliveAs });
      const { sink } = open();
      const before = sink.text.length;
      loop.pass(1000);
      expect(app.stats.keepAlivesSent).toBe(keepAliveAs!.length);
      return sink.text.slice(before);
    };
    expect(text(['comment'])).toBe(':\n\n');
    expect(text(['ping-comment'])).toMatch(/^: ping - 2026-01-02 03:04:05\.\d{6}\+00:00\n\n$/);
    expect(text(['ping-event', 'comment'])).toBe('event: ping\ndata: 1\n\n:\n\n');
    expect(text(['lifecycle-ping'])).toMatch(
      /^event: lifecycle\ndata: \{"jsonrpc":"2.0","method":"ping","params":\{"timestamp":"2026-.*Z"\}\}\n\n$/,
    );
  });

  test('broadcast: every response goes to all sessions', () => {
    const { app, loop, open } = withWire({ broadcast: true });
    const all = [open(), open(), open()];
    all[0]!.echo(1);
    loop.turn();
    expect(all.map(({ sink }) => sink.messages.map((message) => message['id']))).toEqual([[1], [1], [1]]);
    expect(app.stats.responsesSent).toBe(3);
  });

  test('queueFull drop: what is beyond the queue is dropped after its 202, and counted', () => {
    const { app, loop, open } = withWire({ queueLimit: 3, queueFull: 'drop' });
    const { sink, echo } = open();
    for (let id = 0; id < 5; id++) expect(echo(id)).toHaveLength(1);
    loop.turn();
    expect(sink.messages.map((message) => message['id'])).toEqual([0, 1, 2]);
    expect(app.stats.queueDropped).toBe(2);
  });

  test('queueFull block: what is beyond the queue waits in its POST', () => {
    const { loop, open } = withWire({ queueLimit: 2, queueFull: 'block' }, { latency: '10ms' });
    const { sink, echo } = open();
    const replies = [0, 1, 2, 3, 4].map((id) => echo(id));
    expect(replies.map((reply) => reply.length)).toEqual([1, 1, 0, 0, 0]);
    loop.pass(10);
    expect(replies.map((reply) => reply.length)).toEqual([1, 1, 1, 1, 0]);
    loop.pass(20);
    expect(sink.messages.map((message) => message['id'])).toEqual([0, 1, 2, 3, 4]);
  });

  test('queueFull block: a line of any length moves up without end to the stack', () => {
    const { loop, open } = withWire({ queueLimit: 1, queueFull: 'block' });
    const { sink, echo, post } = open();
    post({
      jsonrpc: '2.0',
      id: 'first',
      method: 'tools/call',
      params: { name: 'sleep', arguments: { ms: 5 } },
    });
    for (let id = 0; id < 20_000; id++) echo(id);
    loop.pass(4);
    expect(sink.messages).toEqual([]);
    loop.pass(1);
    expect(sink.messages.map((message) => message['id'])).toEqual([
      'first',
      ...Array.from({ length: 20_000 }, (_, id) => id),
    ]);
  });

  test('queueFull block: what waits when the stream goes gets the answer of a stream that is gone', () => {
    const { app, loop, open } = coreOf({ like: 'rmcp', latency: '10ms', wire: { queueLimit: 1 } });
    const { sink, stream, echo, post } = open();
    post(initialize);
    post(initialized);
    const replies = [0, 1, 2].map((id) => echo(id));
    app.life.lost(stream, 'client');
    expect(replies.map(([reply]) => reply?.status)).toEqual([202, 410, 410]);
    loop.pass(100);
    expect(sink.messages.map((message) => message['id'])).toEqual([]);
    expect(app.stats).toMatchObject({ callsReceived: 3, lateWrites: 2, responsesSent: 0 });
  });

  test('pushes: a notification at regular times, in the form of the dialect', () => {
    const { loop, open } = coreOf({ dialect: 'pymcp', pushes: { every: '1s', bytes: 32 } });
    const { sink } = open();
    loop.pass(2000);
    expect(sink.messages).toHaveLength(2);
    expect(sink.messages[0]).toMatchObject({
      method: 'notification',
      params: {
        type: 'info',
        message: expect.stringContaining('0123456789abcdef'),
        timestamp: expect.any(String),
        data: {},
      },
    });
    loop.pass(3000);
    expect(sink.messages.map(({ params }) => (params as { type: string }).type)).toEqual([
      'info',
      'warning',
      'error',
      'data',
      'info',
    ]);
  });

  test('unknownSession: another status, or never any answer', () => {
    for (const [unknownSession, statuses] of [
      [418, [418]],
      ['never', []],
      ['dialect', [404]],
    ] as const) {
      const { app, router } = withWire({ unknownSession });
      const statusesSeen: number[] = [];
      const answer = ({ status }: { status: number }): number => {
        statusesSeen.push(status);
        return status;
      };
      const route = router.find('post', '/messages', 'localhost', '', 'application/json');
      app.receive({ answer }, route, 'nobody', '{"jsonrpc":"2.0","id":1,"method":"ping"}', 40);
      expect(statusesSeen).toEqual(statuses);
    }
  });

  test('malformedJsonStatus, and redirectMissingSlash', () => {
    expect(withWire({ malformedJsonStatus: 500 }).open().post('{')[0]!.status).toBe(500);
    const { router } = coreOf({ like: 'python-sdk' });
    expect(router.find('post', '/messages', 'localhost', '', 'application/json').kind).toBe('redirect');
    expect(
      coreOf({ dialect: 'serena' }).router.find('post', '/messages', 'localhost', '', 'application/json')
        .kind,
    ).toBe('refused');
  });

  test('tools/list in pages, and only with cursors that were given out', () => {
    const { loop, open } = coreOf({ toolsPerPage: 4 });
    const { sink, post } = open();
    const page = (cursor?: string): { tools?: object[]; nextCursor?: string } => {
      post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } });
      loop.turn();
      return (sink.messages.at(-1)!['result'] ?? {}) as object;
    };
    const first = page();
    expect(first.tools).toHaveLength(4);
    const second = page(first.nextCursor);
    expect([second.tools!.length, second.nextCursor]).toEqual([2, undefined]);
    page('nonsense');
    expect(sink.messages.at(-1)!['error']).toMatchObject({ code: -32602 });
  });

  test('the legacy names of classic, and nowhere else', () => {
    const results = (dialect: 'classic' | 'rmcp'): boolean[] => {
      const { loop, open } = coreOf({ dialect, wire: { beforeInitialize: 'serve', initialized: 'accept' } });
      const { sink, post } = open();
      post({ jsonrpc: '2.0', id: 1, method: 'listTools', params: {} });
      post({ jsonrpc: '2.0', id: 2, method: 'callTool', params: { name: 'counter', arguments: {} } });
      post({ jsonrpc: '2.0', id: 3, method: 'listResources', params: {} });
      loop.turn();
      return sink.messages.map((message) => 'result' in message);
    };
    expect(results('classic')).toEqual([true, true, true]);
    expect(results('rmcp')).toEqual([false, false, false]);
  });

  test('all streams of a workspace see all its responses, and no other workspace does', () => {
    const { loop, open } = coreOf({ dialect: 'workspace' });
    const [one, two, other] = [open('/mcp/a'), open('/mcp/a'), open('/mcp/b')];
    two.echo('x');
    loop.turn();
    expect(
      [one, two, other].map(({ sink }) => sink.messages.filter((message) => message['id'] === 'x').length),
    ).toEqual([1, 1, 0]);
  });

  test('what is sent in one turn goes out in one write per stream', () => {
    const { loop, open } = coreOf();
    const [one, two] = [open(), open()];
    for (let id = 0; id < 10; id++) {
      one.echo(id);
      two.echo(id);
    }
    loop.turn();
    expect([one.sink.writes.length, two.sink.writes.length]).toEqual([2, 2]);
    expect(two.sink.messages).toHaveLength(10);
  });
});
