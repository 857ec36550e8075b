import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { againstMock, expectAllSeen, settle } from '../fixtures/against-mock.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-sessions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How many calls each session of the mock was given, by its log. */
function callsPerSession(log: string): number[] {
  const calls = new Map<string, number>();
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    const { session } = JSON.parse(line) as { session: string };
    calls.set(session, (calls.get(session) ?? 0) + 1);
  }
  return [...calls.values()];
}

describe('churn', () => {
  test.each(['closed', 'open'] as const)(
    'by calls, %s loop: no session makes more than its life holds',
    async (loop) => {
      const log = join(folder, `churn-${loop}.log`);
      const load =
        loop === 'closed'
          ? { name: 'main', load: { model: 'count' as const, calls: 200, inFlight: 3 } }
          : { name: 'main', duration: '500ms', load: { model: 'rate' as const, perSecond: 400 } };
      const played = await againstMock(
        { dialect: 'classic', log },
        { sessions: { count: 4, lifetime: '5 calls' }, phases: [load] },
      );
      expect(played.counts).toEqual({ ok: 200 });
      const { opened, ready, closed, failed } = played.result.sessions;
      expect(opened).toBeGreaterThanOrEqual(200 / 5);
      expect({ ready, closed, failed }, 'each was ready and was closed by us').toEqual({
        ready: closed,
        closed,
        failed: 0,
      });
      expect(played.stats.sessions.closedByClient).toBe(played.stats.sessions.opened);
      expect(Math.max(...callsPerSession(log))).toBe(5);
      expectAllSeen(played);
    },
  );

  test('what waits at the end of an overload is still sent, by the successors of those that ended', async () => {
    const played = await againstMock(
      { dialect: 'classic', latency: '10ms' },
      {
        sessions: { count: 2, lifetime: '3 calls' },
        phases: [{ name: 'main', duration: '300ms', load: { model: 'rate', perSecond: 200 } }],
        openLoop: { inFlight: 1 },
      },
    );
    expect(played.counts).toEqual({ ok: 60 });
    expectAllSeen(played);
  });

  test('by time: lives end with all their calls answered', async () => {
    const played = await againstMock(
      { dialect: 'classic', latency: 'uniform(1ms,20ms)' },
      {
        sessions: { count: 5, lifetime: '100ms' },
        phases: [{ name: 'main', duration: '1s', load: { model: 'closed', inFlight: 3 } }],
      },
    );
    const { totals, sessions } = played.result;
    expect(played.counts).toEqual({ ok: totals.started });
    expect(sessions.opened).toBeGreaterThan(5);
    expect(played.stats.sessions.closedByClient).toBe(played.stats.sessions.opened);
    expectAllSeen(played);
  });

  test('abandoned: the socket just goes away, calls in flight are aborted, and were received all the same', async () => {
    const { counts, result, stats } = await againstMock(
      { dialect: 'classic', latency: '30ms' },
      {
        sessions: { count: 4, lifetime: '6 calls', end: 'abandon' },
        phases: [{ name: 'main', load: { model: 'count', calls: 120, inFlight: 3 } }],
      },
    );
    expect(counts['aborted']).toBeGreaterThan(0);
    expect(counts['ok']! + counts['aborted']! + (counts['notSent'] ?? 0)).toBe(120);
    expect(result.sessions.abandoned).toBeGreaterThan(0);
    expect(stats.lateWrites, 'what the mock could not deliver').toBeGreaterThan(0);
  });
});

test('sessions cut by the server come back as new ones, with several calls in flight', async () => {
  const played = await againstMock(
    { dialect: 'classic', faults: { cut: 0.02 }, latency: 'uniform(0ms,5ms)' },
    {
      sessions: 4,
      phases: [{ name: 'main', load: { model: 'count', calls: 400, inFlight: 4 } }, settle],
    },
  );
  const { counts, stats, result } = played;
  const { cut } = stats.injected;
  expect(cut).toBeGreaterThan(0);
  // A POST that is on its way when its stream is cut is refused: 500 in this dialect.
  const { ok, disconnected, reconnect, 'httpError:500': refused = 0, ...others } = counts;
  expect(others).toEqual({});
  expect(ok! + disconnected! + refused).toBe(401);
  expect(reconnect).toBe(cut);
  expect(counts['disconnected']).toBeGreaterThanOrEqual(cut);
  expect(result.sessions).toMatchObject({ opened: 4 + cut, dropped: cut, reconnects: cut });
  expectAllSeen(played);
});

test('without reconnecting the others carry on', async () => {
  const { counts, result, stats } = await againstMock(
    { dialect: 'classic', faults: { cut: 0.01 } },
    {
      sessions: { count: 8, reconnect: false },
      phases: [{ name: 'main', duration: '600ms', load: { model: 'rate', perSecond: 400 } }],
    },
  );
  const { cut } = stats.injected;
  expect(cut).toBeGreaterThan(0);
  expect(result.sessions).toMatchObject({ opened: 8, dropped: cut, reconnects: 0 });
  expect(counts['reconnect']).toBeUndefined();
});

test('idle sessions hold their stream and make no call', async () => {
  const log = join(folder, 'idle.log');
  const { counts, stats } = await againstMock(
    { dialect: 'classic', log },
    {
      sessions: { count: 10, idle: 7 },
      phases: [
        { name: 'closed', load: { model: 'count', calls: 60, inFlight: 2 } },
        { name: 'open', duration: '300ms', load: { model: 'rate', perSecond: 200 } },
        { name: 'burst', duration: '200ms', load: { model: 'burst', calls: 4, every: '100ms' } },
      ],
    },
  );
  expect(counts).toEqual({ ok: 60 + 60 + 2 * 3 * 4 });
  expect(stats.sessions.opened).toBe(10);
  expect(callsPerSession(log)).toHaveLength(3);
});

test('opened at a rate, or at once: all are ready, each handshake is measured once', async () => {
  for (const open of ['200/s', 'at-once'] as const) {
    const { result } = await againstMock(
      { dialect: 'classic' },
      { sessions: { count: 60, open }, phases: [{ name: 'main', load: { model: 'count', calls: 60 } }] },
    );
    expect(result.sessions).toMatchObject({ opened: 60, ready: 60, failed: 0, peakReady: 60 });
    for (const name of ['connect', 'headers', 'endpoint', 'initialize', 'initialized', 'total'])
      expect(result.metrics[`handshake.${name}`]?.count, name).toBe(60);
  }
});

test('cancelAfter: the server is told, and the call is cancelled', async () => {
  const { counts, stats } = await againstMock(
    { dialect: 'classic' },
    {
      sessions: 2,
      phases: [{ name: 'main', load: { model: 'count', calls: 20, inFlight: 5 } }, settle],
      calls: [{ tool: 'sleep', arguments: { ms: 5000 }, cancelAfter: '100ms' }],
    },
  );
  expect(counts).toEqual({ cancelled: 21 });
  expect(stats.calls.cancelled).toBeGreaterThanOrEqual(20);
  expect(stats.messages.byMethod['notifications/cancelled']).toBeGreaterThanOrEqual(20);
});

test('stopped in an overload: what was waiting is never sent', async () => {
  const { counts, result } = await againstMock(
    { dialect: 'classic', latency: '50ms' },
    {
      sessions: 2,
      phases: [{ name: 'main', duration: '60s', load: { model: 'rate', perSecond: 500 } }],
      openLoop: { inFlight: 1 },
    },
    { onStarted: (runner) => setTimeout(() => runner.stop(), 300) },
  );
  expect(counts).toEqual({ ok: result.totals.sent, notSent: result.totals.started - result.totals.sent });
  expect(counts['notSent']).toBeGreaterThan(counts['ok']!);
});

test('stopped in mid-run: calls in flight are drained; aborted: they are aborted, and nothing is lost', async () => {
  const scenario = {
    sessions: 3,
    phases: [{ name: 'main', duration: '60s', load: { model: 'closed' as const, inFlight: 4 } }],
  };
  const stopped = await againstMock({ dialect: 'classic', latency: '20ms' }, scenario, {
    onStarted: (runner) => setTimeout(() => runner.stop(), 200),
  });
  expect(stopped.counts).toEqual({ ok: stopped.result.totals.started });
  expectAllSeen(stopped);
  const aborted = await againstMock({ dialect: 'classic', latency: '300ms' }, scenario, {
    onStarted: (runner) => setTimeout(() => runner.abort(), 200),
  });
  expect(aborted.counts).toEqual({ aborted: 12 });
});
