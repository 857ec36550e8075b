import { describe, expect, test } from 'vitest';
import type { ServeMockOptions } from '../../../mock-server/serve-mock.js';
import type { StatsSnapshot } from '../../../mock-server/stats.js';
import { type AgainstMock, againstMock, expectAllSeen, settle } from '../fixtures/against-mock.js';

type Injected = StatsSnapshot['injected'];
type Faults = NonNullable<ServeMockOptions['faults']>;

const calls = 300;
/** The calls of the main phase and the one that lets everything settle. */
const all = calls + 1;

function withFaults(
  faults: Faults,
  more: { inFlight?: number; callLimit?: string } = {},
): Promise<AgainstMock> {
  const { inFlight = 4, callLimit = '10s' } = more;
  return againstMock(
    { dialect: 'classic', faults },
    {
      sessions: 4,
      phases: [{ name: 'main', load: { model: 'count', calls, inFlight } }, settle],
      timeouts: { call: callLimit },
    },
  );
}

describe('each fault of the mock alone: the client counts exactly what the mock says it did', () => {
  const table: [string, Faults, (injected: Injected) => Record<string, number>][] = [
    ['rpcError', { rpcError: 0.2 }, (n) => ({ ok: all - n.rpcError, 'rpcError:-32000': n.rpcError })],
    [
      'rpcError of another code',
      { rpcError: { rate: 0.2, code: -32050 } },
      (n) => ({ ok: all - n.rpcError, 'rpcError:-32050': n.rpcError }),
    ],
    ['toolError', { toolError: 0.2 }, (n) => ({ ok: all - n.toolError, toolError: n.toolError })],
    [
      'httpError',
      { httpError: { rate: 0.2, status: 429 } },
      (n) => ({ ok: all - n.httpError, 'httpError:429': n.httpError }),
    ],
    ['duplicate', { duplicate: 0.3 }, (n) => ({ ok: all, duplicate: n.duplicate })],
    ['splitEvent', { splitEvent: 0.3 }, () => ({ ok: all })],
    ['push', { push: 0.3 }, (n) => ({ ok: all, 'notification:logging': n.push })],
    ['serverRequest', { serverRequest: 0.3 }, (n) => ({ ok: all, 'serverRequest:ping': n.serverRequest })],
    ['ackAfterWork', { ackAfterWork: 0.3 }, () => ({ ok: all })],
    ['slowRead', { slowRead: { rate: 0.1, for: '20ms' } }, () => ({ ok: all })],
    [
      'several answers',
      { rpcError: 0.1, toolError: 0.1, duplicate: 0.1, push: 0.1 },
      (n) => ({
        ok: all - n.rpcError - n.toolError,
        'rpcError:-32000': n.rpcError,
        toolError: n.toolError,
        duplicate: n.duplicate,
        'notification:logging': n.push,
      }),
    ],
  ];
  test.each(table)('%s', async (_, faults, expected) => {
    const played = await withFaults(faults);
    const { injected } = played.stats;
    for (const name of Object.keys(faults) as (keyof Injected)[])
      expect(injected[name], name).toBeGreaterThan(0);
    expect(played.counts).toEqual(expected(injected));
    expectAllSeen(played);
  });

  test('lost: accepted, and never answered', async () => {
    const played = await withFaults({ lost: 0.05 }, { callLimit: '1s', inFlight: 16 });
    const { lost } = played.stats.injected;
    expect(lost).toBeGreaterThan(0);
    expect(played.counts).toEqual({ ok: all - lost, acceptedNoResponse: lost });
    expectAllSeen(played);
    expect(played.result.findings.map(({ code }) => code)).toContain('responses-lost');
  });

  test('misrouted: missing in one session, foreign in another', async () => {
    const played = await withFaults({ misrouted: 0.05 }, { callLimit: '1s', inFlight: 16 });
    const { misrouted } = played.stats.injected;
    expect(misrouted).toBeGreaterThan(0);
    expect(played.counts).toEqual({ ok: all - misrouted, acceptedNoResponse: misrouted, foreign: misrouted });
    expectAllSeen(played);
  });

  test('cut: one call in flight, one session lost and replaced, each time', async () => {
    const played = await withFaults({ cut: 0.05 }, { inFlight: 1 });
    const { cut } = played.stats.injected;
    expect(cut).toBeGreaterThan(0);
    expect(played.counts).toEqual({ ok: all - cut, disconnected: cut, reconnect: cut });
    expect(played.sessions).toMatchObject({ opened: 4 + cut, dropped: cut, reconnects: cut });
    expect(played.stats.sessions).toMatchObject({ closedByServer: cut, closedByClient: 4 });
    expectAllSeen(played);
  });

  test('eventBefore202: both signs of the delay, in the known shares', async () => {
    const { counts, result, stats } = await withFaults({ eventBefore202: { rate: 0.3, gap: '20ms' } });
    const { eventBefore202 } = stats.injected;
    expect(counts).toEqual({ ok: all });
    const { 'call.eventToAck': before, 'call.ackToEvent': after, 'call.ack': ack } = result.metrics;
    expect(ack!.count).toBe(all);
    expect(before!.count + after!.count).toBe(all);
    // Where the mock held nothing back, either socket may be read first.
    expect(before!.count).toBeGreaterThanOrEqual(eventBefore202);
    expect(before!.max).toBeGreaterThanOrEqual(15e6);
  });

  test('heldPost: the event comes first, and another connection takes the next call', async () => {
    const { counts, result, stats } = await withFaults({ heldPost: { rate: 0.2, for: '50ms' } });
    expect(counts).toEqual({ ok: all });
    expect(result.metrics['call.eventToAck']!.count).toBeGreaterThanOrEqual(stats.injected.heldPost);
    expect(result.metrics['call.ack']!.count).toBe(all);
    expect(result.totals.oddities.extraConnection).toBeGreaterThan(0);
  });

  test('unansweredPost: the event ends the call, the acknowledgement is missing', async () => {
    const { counts, result, stats } = await withFaults({ unansweredPost: 0.03 }, { callLimit: '400ms' });
    const { unansweredPost } = stats.injected;
    expect(unansweredPost).toBeGreaterThan(0);
    expect(counts).toEqual({ ok: all });
    expect(result.metrics['call.ack']!.count).toBe(all - unansweredPost);
  });
});

test('latency that some calls do not live to see: timeouts are accepted, late answers are counted', async () => {
  const played = await againstMock(
    { dialect: 'classic', latency: 'bimodal(1ms,600ms,10%)' },
    {
      sessions: 4,
      phases: [
        { name: 'main', load: { model: 'count', calls: 100, inFlight: 8 } },
        { name: 'wait', duration: '1s', load: { model: 'rate', perSecond: 1 } },
      ],
      timeouts: { call: '300ms' },
    },
  );
  const { counts } = played;
  expect(counts['acceptedNoResponse']).toBeGreaterThan(0);
  expect(counts['late']).toBe(counts['acceptedNoResponse']);
  expect(counts['ok']! + counts['acceptedNoResponse']!).toBe(101);
  expectAllSeen(played);
});

test('tools, methods and errors of a mixed scenario, by operation', async () => {
  const { result } = await againstMock(
    { dialect: 'classic' },
    {
      sessions: 3,
      phases: [{ name: 'main', load: { model: 'count', calls: 400, inFlight: 4 } }],
      calls: [
        { tool: 'echo', weight: 4, arguments: { message: '{{seq}} {{hex 16}}' }, expect: 'echo' },
        { tool: 'fail', weight: 1 },
        { tool: 'fail', name: 'fail-expected', weight: 1, expect: { isError: true } },
        {
          tool: 'payload',
          weight: 1,
          arguments: { bytes: 2000 },
          expect: { size: { min: 2000, max: 4000 } },
        },
        { tool: 'no-such-tool', weight: 1 },
        { tool: 'echo', name: 'echo-without-message', weight: 1 },
        { method: 'tools/list', weight: 1 },
        { method: 'ping', weight: 1 },
        { method: 'no/such', weight: 1 },
      ],
    },
  );
  const of = (name: string) => result.operations.find((operation) => operation.name === name)!;
  for (const name of ['echo', 'fail-expected', 'payload', 'tools/list', 'ping'])
    expect(of(name).outcomes.ok, name).toBe(of(name).started);
  expect(of('fail').outcomes.toolError).toBe(of('fail').started);
  expect(of('no-such-tool').outcomes.rpcError).toEqual({ '-32602': of('no-such-tool').started });
  expect(of('echo-without-message').outcomes.rpcError).toEqual({
    '-32602': of('echo-without-message').started,
  });
  expect(of('no/such').outcomes.rpcError).toEqual({ '-32601': of('no/such').started });
  expect(result.operations.reduce((sum, { started }) => sum + started, 0)).toBe(400);
});
