import { describe, expect, test } from 'vitest';
import type { ServeMockOptions } from '../../../mock-server/serve-mock.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { type AgainstMock, expectAllSeen, settle } from '../fixtures/against-mock.js';
import { both as bothOver, byTool, counted, expectInjected, mixedCalls as mixed } from './twin.fixture.js';
import { createUndiciTransport } from './undici-transport.js';

const both = (
  mock: ServeMockOptions,
  scenario: Partial<ScenarioInput>,
): Promise<{ ours: AgainstMock; twin: AgainstMock }> => bothOver(mock, scenario, createUndiciTransport);

describe('a server without faults', () => {
  test.each(['serial', 'pipelined', 'shared'] as const)('%s POSTs', async (mode) => {
    const { ours, twin } = await both(
      { dialect: 'classic' },
      {
        sessions: 6,
        posts: { mode },
        calls: mixed,
        phases: [{ name: 'main', load: { model: 'count', calls: 600, inFlight: 5 } }],
      },
    );
    expect(ours.result.totals.started).toBe(600);
    expect(counted(twin)).toEqual(counted(ours));
    expect(byTool(twin)).toEqual(byTool(ours));
    expect(twin.stats.bytes.in, 'the same messages, to the byte').toBe(ours.stats.bytes.in);
    expectAllSeen(ours);
    expectAllSeen(twin);
  });

  test.each(['pymcp', 'rmcp', 'serena', 'workspace'] as const)('dialect %s', async (dialect) => {
    const { ours, twin } = await both(
      { dialect },
      { sessions: 4, phases: [{ name: 'main', load: { model: 'count', calls: 120, inFlight: 3 } }] },
    );
    expect(ours.counts).toEqual({ ok: 120 });
    expect(counted(twin)).toEqual(counted(ours));
  });

  test('the load models of an open loop, warm-up too', async () => {
    const { ours, twin } = await both(
      { dialect: 'classic', latency: 'uniform(0ms,10ms)' },
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
          { name: 'ramp', duration: '400ms', load: { model: 'ramp', from: 10, to: 400 } },
        ],
      },
    );
    expect(counted(twin)).toEqual(counted(ours));
    expect(byTool(twin)).toEqual(byTool(ours));
  });
});

describe('a server with faults, by seed', () => {
  test('many sessions, each given the same number of calls', async () => {
    const { ours, twin } = await both(
      {
        dialect: 'classic',
        latency: 'uniform(0ms,8ms)',
        faults: {
          rpcError: 0.05,
          toolError: 0.05,
          httpError: { rate: 0.03, status: 429 },
          lost: 0.02,
          duplicate: 0.1,
          misrouted: 0.02,
          eventBefore202: { rate: 0.3, gap: '5ms' },
          ackAfterWork: 0.1,
          heldPost: { rate: 0.03, for: '30ms' },
          splitEvent: 0.1,
          serverRequest: 0.05,
          push: 0.1,
        },
      },
      {
        sessions: 20,
        // Dealt in turn: what a fault does to the n-th call of a session is then the same, whoever is faster.
        phases: [
          { name: 'bursts', duration: '900ms', load: { model: 'burst', calls: 6, every: '300ms' } },
          settle,
        ],
        openLoop: { inFlight: 64 },
        timeouts: { call: '3s' },
      },
    );
    expect(ours.result.totals.started).toBe(20 * 6 * 3 + 1);
    expectInjected(ours.stats, ['unansweredPost', 'slowRead', 'cut']);
    expect(counted(twin)).toEqual(counted(ours));
    expectAllSeen(ours);
    expectAllSeen(twin);
  });

  test('one call at a time, so that even cut streams fall on the same calls', async () => {
    const { ours, twin } = await both(
      {
        dialect: 'classic',
        faults: {
          rpcError: 0.05,
          toolError: 0.05,
          httpError: 0.05,
          lost: 0.02,
          duplicate: 0.1,
          cut: 0.03,
          // None that holds a 202 back behind its event: whether it still comes when the next call cuts the stream is a
          // matter of moments.
          ackAfterWork: 0.1,
          unansweredPost: 0.02,
          splitEvent: 0.1,
          push: 0.1,
          slowRead: { rate: 0.05, for: '5ms' },
        },
      },
      {
        sessions: 1,
        calls: mixed,
        phases: [{ name: 'main', load: { model: 'count', calls: 250, inFlight: 1 } }, settle],
        timeouts: { call: '600ms' },
      },
    );
    expectInjected(ours.stats, ['eventBefore202', 'heldPost', 'misrouted', 'serverRequest']);
    expect(counted(twin)).toEqual(counted(ours));
    expect(byTool(twin)).toEqual(byTool(ours));
  });
});
