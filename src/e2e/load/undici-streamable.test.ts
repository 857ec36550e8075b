import { describe, expect, test } from 'vitest';
import type { ServeMockOptions } from '../../../mock-server/serve-mock.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { type AgainstMock, expectAllSeen, settle } from '../fixtures/against-mock.js';
import { both as bothOver, byTool, counted, expectInjected, mixedCalls as mixed } from './twin.fixture.js';
import { createUndiciStreamable } from './undici-streamable.js';

type Both = { ours: AgainstMock; twin: AgainstMock };

function both(
  mock: ServeMockOptions,
  scenario: Partial<ScenarioInput>,
  target: { protocol: '2025-11-25' | '2026-07-28'; listen?: boolean },
): Promise<Both> {
  return bothOver(mock, scenario, createUndiciStreamable, ({ urls }) => ({
    url: urls.streamable,
    transport: 'streamable',
    ...target,
  }));
}

/** All that either side counted, what only Streamable HTTP has among it. */
function everything(played: AgainstMock): Record<string, unknown> {
  const { metrics, totals } = played.result;
  const timed = ['call.ackToEvent', 'call.firstEvent', 'call.release'].map((name) => metrics[name]?.count);
  return { ...counted(played), replies: totals.replies, timed };
}

const sessions = { protocol: '2025-11-25' } as const;
const stateless = { protocol: '2026-07-28' } as const;

describe.each([
  ['with sessions', sessions],
  ['without', stateless],
])('a server without faults, %s', (_, target) => {
  test.each([
    ['JSON', { body: 'json' }, 5],
    ['events', { body: 'sse', headers: 'with-message', contentLength: true }, 5],
    ['events with CRLF that end late', { body: 'sse', lineEnding: 'crlf', releaseDelay: '3ms' }, 5],
    // Which calls are answered how is a matter of their order: one at a time it is the same for both.
    ['now JSON, now events', { sseShare: 0.5 }, 1],
  ] as const)('%s', async (_, streamable, concurrency) => {
    const { ours, twin } = await both(
      { streamable },
      {
        sessions: concurrency,
        calls: mixed,
        phases: [{ name: 'main', load: { model: 'count', calls: 200, inFlight: concurrency } }],
      },
      target,
    );
    expect(ours.result.totals.started).toBe(200);
    expect(everything(twin)).toEqual(everything(ours));
    expect(byTool(twin)).toEqual(byTool(ours));
    expect(twin.stats.bytes.in, 'the same messages, to the byte').toBe(ours.stats.bytes.in);
    expectAllSeen(ours);
    expectAllSeen(twin);
  });

  test('shared connections', async () => {
    const { ours, twin } = await both(
      {},
      {
        sessions: 6,
        posts: { mode: 'shared' },
        phases: [{ name: 'main', load: { model: 'count', calls: 300, inFlight: 5 } }],
      },
      target,
    );
    expect(ours.counts).toEqual({ ok: 300 });
    expect(everything(twin)).toEqual(everything(ours));
  });

  test('the load models of an open loop, warm-up too', async () => {
    const { ours, twin } = await both(
      { latency: 'uniform(0ms,10ms)', streamable: { body: 'sse' } },
      {
        sessions: 5,
        calls: mixed,
        warmup: '200ms',
        phases: [
          {
            name: 'poisson',
            duration: '400ms',
            load: { model: 'rate', perSecond: 300, arrivals: 'poisson' },
          },
          { name: 'bursts', duration: '300ms', load: { model: 'burst', calls: 5, every: '100ms' } },
        ],
      },
      target,
    );
    expect(everything(twin)).toEqual(everything(ours));
    expect(byTool(twin)).toEqual(byTool(ours));
  });
});

describe('a server with faults, by seed', () => {
  const faults: ServeMockOptions['faults'] = {
    rpcError: 0.05,
    toolError: 0.05,
    httpError: { rate: 0.03, status: 429 },
    lost: 0.02,
    duplicate: 0.1,
    cut: 0.02,
    ackAfterWork: 0.1,
    heldPost: { rate: 0.03, for: '30ms' },
    unansweredPost: 0.02,
    splitEvent: 0.1,
    push: 0.1,
    slowRead: { rate: 0.05, for: '5ms' },
  };

  test('many sessions, each given the same number of calls', async () => {
    const { ours, twin } = await both(
      {
        latency: 'uniform(0ms,8ms)',
        faults: { ...faults, serverRequest: 0.05 },
        streamable: { sseShare: 0.5 },
      },
      {
        sessions: 20,
        // Dealt in turn: what a fault does to the n-th call of a session is then the same, whoever is faster.
        phases: [
          { name: 'bursts', duration: '900ms', load: { model: 'burst', calls: 6, every: '300ms' } },
          settle,
        ],
        openLoop: { inFlight: 64 },
        timeouts: { call: '1s' },
      },
      sessions,
    );
    expect(ours.result.totals.started).toBe(20 * 6 * 3 + 1);
    expectInjected(ours.stats, ['eventBefore202', 'misrouted']);
    expect(everything(twin)).toEqual(everything(ours));
  });

  test('without sessions, one call at a time', async () => {
    const { ours, twin } = await both(
      { faults: { ...faults, cut: 0.06 }, streamable: { sseShare: 0.5 } },
      {
        sessions: 1,
        calls: mixed,
        phases: [{ name: 'main', load: { model: 'count', calls: 120, inFlight: 1 } }, settle],
        timeouts: { call: '600ms' },
      },
      stateless,
    );
    expectInjected(ours.stats, ['eventBefore202', 'misrouted', 'serverRequest']);
    expect(everything(twin)).toEqual(everything(ours));
    expect(byTool(twin)).toEqual(byTool(ours));
  });

  test('sessions that are forgotten, replies that break off and go on', async () => {
    const { ours, twin } = await both(
      {
        streamable: {
          body: 'sse',
          prime: 'empty',
          retry: '10ms',
          storedEvents: 100,
          disconnect: 0.2,
          sessionLost: 0.03,
        },
      },
      {
        sessions: 1,
        phases: [{ name: 'main', load: { model: 'count', calls: 150, inFlight: 1 } }],
      },
      sessions,
    );
    const { streamable } = ours.stats;
    expect(streamable.sessionsLost).toBeGreaterThan(0);
    expect(ours.counts['sessionLost']).toBe(streamable.sessionsLost);
    expect(streamable.resumes).toBeGreaterThan(0);
    expect(ours.result.totals.replies?.resumed).toBe(streamable.resumes);
    expect(everything(twin)).toEqual(everything(ours));
  });

  test('the server’s own messages, on the stream of each session', async () => {
    const { ours, twin } = await both(
      { faults: { push: 0.2, serverRequest: 0.2, unansweredPost: 0.1 }, streamable: { body: 'json' } },
      {
        sessions: 3,
        phases: [
          { name: 'bursts', duration: '400ms', load: { model: 'burst', calls: 5, every: '100ms' } },
          settle,
        ],
        openLoop: { inFlight: 64 },
        timeouts: { call: '1s' },
      },
      { ...sessions, listen: true },
    );
    expect(ours.counts['ok']).toBe(3 * 5 * 4 + 1);
    expect(ours.counts['serverRequest:ping']).toBeGreaterThan(0);
    expect(ours.stats.streamable.getStreams).toBe(3);
    expect(everything(twin)).toEqual(everything(ours));
  });
});
