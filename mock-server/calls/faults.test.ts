import { describe, expect, test } from 'vitest';
import type { MockConfigInput } from '../config/config.js';
import { coreOf } from '../core.fixture.js';
import type { FaultName } from '../stats.js';

/** Runs calls on several sessions in turn, and says for each what came of it on its own stream. */
function fates(
  config: MockConfigInput,
  order: 'by session' | 'in turn' = 'in turn',
  sessions = 4,
  calls = 100,
): string[][] {
  const { loop, open } = coreOf(config);
  const all = Array.from({ length: sessions }, () => open());
  const steps: [number, number][] = [];
  for (let a = 0; a < (order === 'in turn' ? calls : sessions); a++)
    for (let b = 0; b < (order === 'in turn' ? sessions : calls); b++)
      steps.push(order === 'in turn' ? [b, a] : [a, b]);
  const replies = all.map(() => [] as string[]);
  for (const [session, call] of steps) {
    const answers = all[session]!.echo(call);
    loop.pass(0);
    replies[session]![call] = answers[0] ? String(answers[0].status) : 'none';
  }
  loop.pass(10_000);
  return all.map(({ sink }, session) =>
    Array.from({ length: calls }, (_, call) => {
      const mine = sink.messages.filter((message) => message['id'] === call);
      const kinds = mine.map((message) =>
        'error' in message ? 'error' : 'isError' in (message['result'] as object) ? 'failed' : 'ok',
      );
      return `${replies[session]![call]}:${kinds.join('+')}`;
    }),
  );
}

describe('faults', () => {
  test('the same seed does the same to the same calls, however the sessions interleave', () => {
    const config: MockConfigInput = {
      seed: 7,
      faults: { lost: '20%', duplicate: '20%', rpcError: '20%', httpError: '10%' },
    };
    const first = fates(config);
    expect(fates(config)).toEqual(first);
    expect(fates(config, 'by session')).toEqual(first);
    expect(fates({ ...config, seed: 8 })).not.toEqual(first);
    expect(new Set(first.flat())).toEqual(
      new Set(['202:ok', '202:error', '202:', '202:ok+ok', '202:error+error', '503:']),
    );
  });

  test('switching a fault on does not move another', () => {
    const lost = (config: MockConfigInput): boolean[] =>
      fates(config)
        .flat()
        .map((fate) => fate === '202:');
    const alone = lost({ faults: { lost: '20%' } });
    expect(
      lost({ faults: { lost: '20%', toolError: '30%', push: '30%' }, latency: 'uniform(1ms,5ms)' }),
    ).toEqual(alone);
    expect(alone.filter(Boolean).length).toBeGreaterThan(0);
  });

  test.each([
    ['rpcError', 'error', -32000],
    ['toolError', 'failed', undefined],
  ] as const)('%s comes instead of the result', (fault, kind, code) => {
    const { app, loop, open } = coreOf({ faults: { [fault]: '100%' } });
    const { sink, echo } = open();
    echo(1);
    loop.turn();
    const [message] = sink.messages;
    if (kind === 'error') expect(message!['error']).toMatchObject({ code });
    else expect(message!['result']).toMatchObject({ isError: true });
    expect(app.stats.injected[fault]).toBe(1);
  });

  test('httpError refuses the POST and nothing follows', () => {
    const { app, loop, open } = coreOf({ faults: { httpError: { rate: 1, status: 429 } } });
    const { sink, echo } = open();
    expect(echo(1)[0]!.status).toBe(429);
    loop.pass(1000);
    expect(sink.messages).toEqual([]);
    expect(app.stats.injected.httpError).toBe(1);
    expect(app.stats.responsesSent).toBe(0);
  });

  test('lost is accepted and never answered; duplicate is answered twice', () => {
    const lost = coreOf({ faults: { lost: 1 } });
    const first = lost.open();
    expect(first.echo(1)[0]!.status).toBe(202);
    lost.loop.pass(1000);
    expect(first.sink.messages).toEqual([]);
    const duplicate = coreOf({ faults: { duplicate: 1 } });
    const second = duplicate.open();
    second.echo(1);
    duplicate.loop.turn();
    expect(second.sink.messages.map((message) => message['id'])).toEqual([1, 1]);
    expect(duplicate.app.stats).toMatchObject({ responsesSent: 2, injected: { duplicate: 1 } });
  });

  test('misrouted goes to another open session, and stays at home where there is none', () => {
    const { app, loop, open } = coreOf({ faults: { misrouted: 1 } });
    const first = open();
    first.echo(1);
    loop.turn();
    expect(first.sink.messages).toHaveLength(1);
    expect(app.stats.injected.misrouted).toBe(0);
    const second = open();
    first.echo(2);
    loop.turn();
    expect(first.sink.messages).toHaveLength(1);
    expect(second.sink.messages.map((message) => message['id'])).toEqual([2]);
    expect(app.stats.injected.misrouted).toBe(1);
  });

  test('cut breaks the stream off; what was still due on it is late', () => {
    const { app, loop, open } = coreOf({ tools: { echo: { faults: { cut: 1 } } } });
    const { sink, echo, post } = open();
    post({ jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 'sleep', arguments: { ms: 50 } } });
    post({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'counter' } });
    echo(1);
    expect(sink.ended).toBe('destroyed');
    expect(sink.messages.map((message) => message['id'])).toEqual([9]);
    loop.pass(100);
    expect(app.stats).toMatchObject({
      lateWrites: 1,
      responsesSent: 1,
      closedByServer: 1,
      injected: { cut: 1 },
    });
  });

  test('eventBefore202 writes the event first and the 202 after the gap', () => {
    const { app, loop, open } = coreOf({ faults: { eventBefore202: { rate: 1, gap: '5ms' } } });
    const { sink, echo } = open();
    const replies = echo(1);
    expect(sink.messages).toHaveLength(1);
    loop.pass(4.9);
    expect(replies).toEqual([]);
    loop.pass(0.2);
    expect(replies.map(({ status }) => status)).toEqual([202]);
    expect(app.stats.injected.eventBefore202).toBe(1);
  });

  test('ackAfterWork accepts when the work is done, before the event', () => {
    const { loop, open } = coreOf({ latency: '20ms', faults: { ackAfterWork: 1 } });
    const { sink, echo } = open();
    const replies = echo(1);
    loop.pass(19);
    expect([replies.length, sink.messages.length]).toEqual([0, 0]);
    loop.pass(1);
    expect([replies.length, sink.messages.length]).toEqual([1, 1]);
  });

  test('heldPost holds the 202 back and not the event; unansweredPost never answers', () => {
    const held = coreOf({ faults: { heldPost: { rate: 1, for: '100ms' } } });
    const first = held.open();
    const late = first.echo(1);
    held.loop.pass(99);
    expect([late.length, first.sink.messages.length]).toEqual([0, 1]);
    held.loop.pass(1);
    expect(late).toHaveLength(1);
    const never = coreOf({ faults: { unansweredPost: 1 } });
    const second = never.open();
    const replies = second.echo(1);
    never.loop.pass(60_000);
    expect([replies.length, second.sink.messages.length]).toEqual([0, 1]);
    expect(never.app.stats.injected.unansweredPost).toBe(1);
  });

  test('splitEvent writes one event in two pieces, a moment apart and in order', () => {
    const { app, loop, open } = coreOf({ faults: { splitEvent: 1 } });
    const { sink, echo, post } = open();
    echo(1);
    post({ jsonrpc: '2.0', id: 2, method: 'ping' });
    loop.turn();
    expect(sink.messages).toEqual([]);
    expect(app.stats.responsesSent).toBe(0);
    loop.pass(1);
    expect(sink.messages.map((message) => message['id'])).toEqual([1, 2]);
    expect(app.stats).toMatchObject({ responsesSent: 2, injected: { splitEvent: 1 } });
    expect(sink.writes.length).toBeGreaterThanOrEqual(4);
  });

  test('serverRequest and push go before the answer', () => {
    const { app, loop, open } = coreOf({ faults: { serverRequest: 1, push: 1 } });
    const { sink, echo } = open();
    echo(1);
    loop.turn();
    expect(sink.messages.map((message) => message['method'] ?? 'response')).toEqual([
      'ping',
      'logging',
      'response',
    ]);
    expect(app.stats).toMatchObject({
      serverRequestsSent: 1,
      notificationsSent: 1,
      eventsSent: 4,
      responsesSent: 1,
    });
  });

  test('a tool has its own latency and faults, and the rest those of the server', () => {
    const { loop, open } = coreOf({
      latency: '10ms',
      faults: { lost: 1 },
      tools: {
        echo: { faults: { lost: 0 }, latency: '30ms' },
        search: { result: { hits: 3 }, arguments: { q: 'string' } },
      },
    });
    const { sink, echo, post } = open();
    echo(1);
    post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'search', arguments: { q: 'x' } } });
    loop.pass(29);
    expect(sink.messages).toEqual([]);
    loop.pass(1);
    expect(sink.messages.map((message) => message['id'])).toEqual([1]);
  });

  test('shares come out as asked, and are counted exactly', () => {
    const names: FaultName[] = [
      'rpcError',
      'toolError',
      'httpError',
      'lost',
      'duplicate',
      'eventBefore202',
      'push',
      'serverRequest',
      'splitEvent',
    ];
    for (const fault of names) {
      const { app, loop, open } = coreOf({ faults: { [fault]: '30%' } });
      const { echo } = open();
      for (let id = 0; id < 2000; id++) {
        echo(id);
        loop.pass(2);
      }
      // Six standard deviations of a binomial of 2,000 at 30 %.
      expect(Math.abs(app.stats.injected[fault] - 600), fault).toBeLessThan(6 * Math.sqrt(2000 * 0.3 * 0.7));
    }
  });

  test('a cancelled call that sleeps is not answered', () => {
    const { app, loop, open } = coreOf();
    const { sink, post } = open();
    const sleep = (id: string | number): void =>
      void post({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'sleep', arguments: { ms: 50 } },
      });
    sleep(7);
    sleep('7');
    post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    loop.pass(100);
    expect(sink.messages.map((message) => message['id'])).toEqual(['7']);
    expect(app.stats).toMatchObject({ cancelled: 1, responsesSent: 1 });
  });

  test('the calls of a session that has gone are late at once, and nothing of them is kept', () => {
    const { app, loop, open } = coreOf({ latency: '1h', faults: { ackAfterWork: '50%' } });
    const [gone, other] = [open(), open()];
    const replies = Array.from({ length: 1000 }, (_, id) => gone.echo(id));
    other.echo(1);
    const scheduled = loop.scheduled;
    expect(app.due.size).toBe(1001);
    app.life.lost(gone.stream, 'client');
    expect(app.due.size).toBe(1);
    expect(app.stats.lateWrites).toBe(1000);
    // Whoever waits for the end of the work need not wait any longer.
    expect(replies.every(([reply]) => reply?.status === 202)).toBe(true);
    loop.pass(3_600_000);
    expect(app.due.size).toBe(0);
    expect(loop.scheduled).toBeLessThanOrEqual(scheduled);
    expect(app.stats).toMatchObject({ lateWrites: 1000, responsesSent: 1 });
  });

  test('a cancelled call is not kept until it would have been due', () => {
    const { app, open } = coreOf({ latency: '1h' });
    const { echo, post } = open();
    for (let id = 0; id < 100; id++) echo(id);
    for (let id = 0; id < 100; id += 2)
      post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    expect(app.due.size).toBe(50);
    expect(app.stats.cancelled).toBe(50);
  });

  test('calls of one id at a time are each their own', () => {
    const { app, loop, open } = coreOf({ latency: '10ms' });
    const { sink, stream, echo, post } = open();
    echo(1);
    loop.pass(5);
    echo(1);
    loop.pass(5);
    expect(sink.messages).toHaveLength(1);
    post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    loop.pass(10);
    expect(sink.messages).toHaveLength(1);
    expect(app.stats.cancelled).toBe(1);
    echo(2);
    echo(2);
    app.life.lost(stream, 'client');
    expect(app.stats.lateWrites).toBe(2);
  });

  test('freezes stand still at known times, counted from the first call', () => {
    const { app, loop, open } = coreOf({ freeze: { at: '100ms', for: '1s', every: '5s' } });
    const { echo } = open();
    loop.pass(5000);
    expect(app.stats.freezes).toBe(0);
    echo(1);
    loop.pass(99);
    expect(loop.stalledMs).toEqual([]);
    loop.pass(1);
    expect(loop.stalledMs).toEqual([1000]);
    loop.pass(5000);
    expect(app.stats.freezes).toBe(2);
  });
});
