import { describe, expect, test } from 'vitest';
import type { ServeMockOptions } from '../../../mock-server/serve-mock.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { type AgainstMock, againstMock, expectAllSeen, settle } from '../fixtures/against-mock.js';

// Load models, lives of sessions and ways to end, as over HTTP+SSE: whatever the era, what is counted is exact.
describe.each([
  ['with sessions', '2025-11-25', 'auto'],
  ['with sessions, events', '2025-11-25', 'sse'],
  ['stateless', '2026-07-28', 'auto'],
  ['stateless, events', '2026-07-28', 'sse'],
] as const)('%s', (_, protocol, body) => {
  const isStateless = protocol === '2026-07-28';
  const against = (
    mock: ServeMockOptions,
    scenario: Partial<ScenarioInput>,
    options: Parameters<typeof againstMock>[2] = {},
  ): Promise<AgainstMock> =>
    againstMock({ ...mock, streamable: { body, ...mock.streamable } }, scenario, {
      ...options,
      targetFor: ({ urls }) => ({ url: urls.streamable, transport: 'streamable', protocol }),
    });

  test.each([
    ['rate', 60, { duration: '300ms', load: { model: 'rate', perSecond: 200 } }],
    ['ramp', 45, { duration: '300ms', load: { model: 'ramp', from: 100, to: 200 } }],
    [
      'steps',
      40,
      {
        load: {
          model: 'steps',
          steps: [
            { perSecond: 100, duration: '200ms' },
            { perSecond: 200, duration: '100ms' },
          ],
        },
      },
    ],
    ['burst', 36, { duration: '300ms', load: { model: 'burst', calls: 4, every: '100ms' } }],
    ['count', 70, { load: { model: 'count', calls: 70, inFlight: 3 } }],
  ] as const)('%s: as many calls as it promises', async (name, calls, phase) => {
    const played = await against({}, { sessions: 3, phases: [{ name, ...phase } as never] });
    expect(played.counts).toEqual({ ok: calls });
    expectAllSeen(played);
  });

  test('closed with think time, after a warm-up that is counted apart', async () => {
    const played = await against(
      {},
      {
        sessions: 3,
        warmup: '100ms',
        phases: [{ name: 'main', duration: '200ms', load: { model: 'closed', inFlight: 2, think: '10ms' } }],
      },
    );
    const { totals, warmup } = played.result;
    expect(played.counts).toEqual({ ok: totals.started });
    expect(warmup.outcomes.ok).toBe(warmup.started);
    expect(played.stats.calls.received).toBe(totals.started + warmup.started);
  });

  test('churn: each life holds so many calls, and is told to end where somebody knows of it', async () => {
    const { counts, result, stats } = await against(
      {},
      {
        sessions: { count: 4, lifetime: '5 calls' },
        phases: [{ name: 'main', load: { model: 'count', calls: 100, inFlight: 3 } }],
      },
    );
    expect(counts).toEqual({ ok: 100 });
    const { opened, ready, closed } = result.sessions;
    expect(opened).toBeGreaterThanOrEqual(100 / 5);
    expect(ready).toBe(closed);
    const known = isStateless ? 0 : opened;
    expect(stats.streamable).toMatchObject({
      sessionsCreated: known,
      sessionsDeleted: known,
      sessionsOpen: 0,
    });
  });

  test('abandoned: connections just go away, and the server is left with what it knows', async () => {
    const { counts, result, stats } = await against(
      { latency: '30ms' },
      {
        sessions: { count: 4, lifetime: '6 calls', end: 'abandon' },
        phases: [{ name: 'main', load: { model: 'count', calls: 60, inFlight: 3 } }],
      },
    );
    expect(counts['aborted']).toBeGreaterThan(0);
    expect(counts['ok']! + counts['aborted']! + (counts['notSent'] ?? 0)).toBe(60);
    const left = isStateless ? 0 : result.sessions.abandoned;
    expect(result.totals.replies!.left).toBe(left);
    expect(stats.streamable.sessionsOpen).toBe(left);
    expect(result.findings.map(({ code }) => code).includes('sessions-left')).toBe(!isStateless);
  });

  test('idle sessions make no call; all are opened at once, and measured once', async () => {
    const { counts, result } = await against(
      {},
      {
        sessions: { count: 40, idle: 35, open: 'at-once' },
        phases: [{ name: 'main', load: { model: 'count', calls: 50, inFlight: 2 } }],
      },
    );
    expect(counts).toEqual({ ok: 50 });
    expect(result.sessions).toMatchObject({ opened: 40, ready: 40, failed: 0, peakReady: 40 });
    const steps = isStateless ? ['connect', 'total'] : ['connect', 'initialize', 'initialized', 'total'];
    const measured = Object.keys(result.metrics).filter((name) => name.startsWith('handshake.'));
    expect(measured.toSorted()).toEqual(steps.map((step) => `handshake.${step}`).toSorted());
    for (const name of measured) expect(result.metrics[name]!.count, name).toBe(40);
  });

  test('only rows that can exist: of events what is around them, of JSON nothing of the kind', async () => {
    const { result } = await against(
      {},
      {
        sessions: 2,
        phases: [{ name: 'main', load: { model: 'count', calls: 20 } }],
        thresholds: { 'call.release': ['max < 10s'], 'call.ack': ['max < 10s'] },
      },
    );
    const calls = Object.keys(result.metrics).filter((name) => name.startsWith('call.'));
    const ofEvents = ['call.ackToEvent', 'call.firstEvent', 'call.release'];
    expect(calls.filter((name) => ofEvents.includes(name)).toSorted()).toEqual(
      body === 'sse' ? ofEvents : [],
    );
    expect(calls).toContain('call.ack');
    // A threshold on what was never measured fails.
    const failed = result.thresholds.filter(({ state }) => state === 'fail').map(({ metric }) => metric);
    expect(failed).toEqual(body === 'sse' ? [] : ['call.release']);
  });

  test('cancelled as the era has it: by a message, or by closing the reply', async () => {
    const { counts, stats } = await against(
      {},
      {
        sessions: 2,
        phases: [{ name: 'main', load: { model: 'count', calls: 20, inFlight: 5 } }, settle],
        calls: [{ tool: 'sleep', arguments: { ms: 5000 }, cancelAfter: '100ms' }],
      },
    );
    expect(counts).toEqual({ cancelled: 21 });
    expect(stats.calls.cancelled).toBeGreaterThanOrEqual(20);
    expect((stats.messages.byMethod['notifications/cancelled'] ?? 0) > 0).toBe(!isStateless);
  });

  test('stopped in mid-run: calls in flight are drained; aborted: they are aborted, and nothing is lost', async () => {
    const scenario = {
      sessions: 3,
      phases: [{ name: 'main', duration: '60s', load: { model: 'closed' as const, inFlight: 4 } }],
    };
    const stopped = await against({ latency: '20ms' }, scenario, {
      onStarted: (runner) => setTimeout(() => runner.stop(), 100),
    });
    expect(stopped.counts).toEqual({ ok: stopped.result.totals.started });
    expectAllSeen(stopped);
    const aborted = await against({ latency: '300ms' }, scenario, {
      onStarted: (runner) => setTimeout(() => runner.abort(), 100),
    });
    expect(aborted.counts).toEqual({ aborted: 12 });
  });
});
