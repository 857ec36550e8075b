import { describe, expect, test } from 'vitest';
import { nowNs } from '../../clock.js';
import { createPacer, type OpenLoad } from '../../load/pacer.js';
import { planScenario } from '../../scenario/load-scenario.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { createSseTransport } from '../../transport/sse/create-sse-transport.js';
import type { Transport } from '../../transport/transport.js';
import { againstMock, expectAllSeen } from '../fixtures/against-mock.js';
import { plainScenario } from '../fixtures/play.js';

type Phase = NonNullable<ScenarioInput['phases']>[number];

/** The calls that the pacer of the plan's only phase makes due, by the pacer itself. */
function promised(phase: Phase, sessions: number): number {
  const { load: _load, ...rest } = plainScenario;
  const { phases, seed } = planScenario({ ...rest, sessions, phases: [phase] });
  const { load, durationNs } = phases[0]!;
  const share = { shard: { index: 0, of: 1 }, firstSession: 0, sessions, seed: seed + 1 };
  const pacer = createPacer(load as OpenLoad, durationNs!, share);
  let calls = 0;
  for (; pacer.nextNs !== Infinity; pacer.advance()) calls++;
  return calls;
}

/** Lets the handshake through and no call. */
function refusing(transport: Transport): Transport {
  const open = transport.open.bind(transport);
  transport.open = (ordinal, handler) => {
    const channel = open(ordinal, handler);
    const send = channel.send.bind(channel);
    channel.send = (text, ascii, by, kind) => {
      if (text.includes('tools/call')) by.onFailed(true, 'refused', nowNs());
      else send(text, ascii, by, kind);
    };
    return channel;
  };
  return transport;
}

describe('open loops start exactly the calls that their pacer promises', () => {
  const phases: [string, Phase, number | null][] = [
    ['rate', { duration: '500ms', load: { model: 'rate', perSecond: 300 } }, 150],
    ['a slow rate', { duration: '1s', load: { model: 'rate', perSecond: 3.5 } }, 4],
    ['poisson', { duration: '500ms', load: { model: 'rate', perSecond: 300, arrivals: 'poisson' } }, null],
    ['ramp', { duration: '1s', load: { model: 'ramp', from: 10, to: 400 } }, null],
    ['ramp down to nothing', { duration: '500ms', load: { model: 'ramp', from: 400, to: 0 } }, 100],
    [
      'steps',
      {
        load: {
          model: 'steps',
          steps: [
            { perSecond: 100, duration: '300ms' },
            { perSecond: 0, duration: '100ms' },
            { perSecond: 400, duration: '200ms' },
          ],
        },
      },
      110,
    ],
    ['burst', { duration: '500ms', load: { model: 'burst', calls: 6, every: '200ms' } }, 3 * 6 * 4],
  ];
  test.each(phases)('%s', async (_, phase, known) => {
    const calls = promised(phase, 4);
    if (known !== null) expect(calls).toBe(known);
    const played = await againstMock({ dialect: 'classic' }, { sessions: 4, phases: [phase] });
    expect(played.counts).toEqual({ ok: calls });
    expectAllSeen(played);
  });

  test('whatever the sessions do: slow answers change nothing about what is due', async () => {
    const phase: Phase = { duration: '500ms', load: { model: 'rate', perSecond: 200 } };
    const { counts } = await againstMock(
      { dialect: 'classic', latency: '300ms' },
      { sessions: 2, phases: [phase] },
    );
    expect(counts).toEqual({ ok: 100 });
  });

  test('over the cap of the queue: notSent, and not received', async () => {
    const { counts, result, stats } = await againstMock(
      { dialect: 'classic', latency: '100ms' },
      {
        sessions: 2,
        phases: [{ duration: '500ms', load: { model: 'rate', perSecond: 400 } }],
        openLoop: { inFlight: 1, queue: 5 },
      },
    );
    expect(counts['ok']! + counts['notSent']!).toBe(200);
    expect(counts['notSent']).toBeGreaterThan(100);
    expect(result.examples['notSent']).toBe('the queue was full');
    expect(stats.calls.received).toBe(result.totals.sent);
    expect(result.findings.map(({ code }) => code)).toContain('rate-not-achieved');
  });

  test('within the cap, but at the end nobody had answered: notSent as well, for another reason', async () => {
    const { counts, result } = await againstMock(
      { dialect: 'classic', latency: '30s' },
      {
        sessions: 1,
        phases: [{ duration: '100ms', load: { model: 'rate', perSecond: 100 } }],
        openLoop: { inFlight: 1 },
        timeouts: { call: '200ms' },
      },
    );
    expect(counts['notSent']).toBeGreaterThan(0);
    expect(result.examples['notSent']).toBe('it still waited for a session with room at the end');
  });
});

describe('closed loops', () => {
  test.each([1, 7, 1000])('count: exactly %i calls', async (calls) => {
    const phases: Phase[] = [{ load: { model: 'count', calls, inFlight: 3 } }];
    const { counts } = await againstMock({ dialect: 'classic' }, { sessions: 4, phases });
    expect(counts).toEqual({ ok: calls });
  });

  test('never more in flight per session than asked for', async () => {
    const { counts } = await againstMock(
      // A queue that holds more calls than a session may have would block the rest of them.
      { dialect: 'classic', latency: '10ms', wire: { queueLimit: 3, queueFull: 'drop' } },
      { sessions: 2, phases: [{ load: { model: 'count', calls: 120, inFlight: 3 } }] },
    );
    expect(counts).toEqual({ ok: 120 });
  });

  test('calls that fail while they are being posted end the run like any others', async () => {
    const { counts } = await againstMock(
      { dialect: 'classic' },
      { phases: [{ load: { model: 'count', calls: 3, inFlight: 1 } }] },
      { createTransport: (plan, turn) => refusing(createSseTransport(plan, '127.0.0.1', turn)) },
    );
    expect(counts).toEqual({ notSent: 3 });
  });

  test('think time: no slot calls more often than it may', async () => {
    const phases: Phase[] = [{ duration: '500ms', load: { model: 'closed', inFlight: 2, think: '50ms' } }];
    const { counts } = await againstMock({ dialect: 'classic' }, { sessions: 3, phases });
    expect(counts['ok']).toBeGreaterThanOrEqual(3 * 2);
    expect(counts['ok']).toBeLessThanOrEqual(3 * 2 * 10);
  });
});

describe('phases', () => {
  test('a call belongs to the phase of its intended start; all together are what was received', async () => {
    const { result, stats } = await againstMock(
      { dialect: 'classic', latency: '30ms' },
      {
        sessions: 3,
        warmup: '200ms',
        phases: [
          { name: 'slow', duration: '300ms', load: { model: 'rate', perSecond: 100 } },
          { name: 'counted', load: { model: 'count', calls: 50, inFlight: 2 } },
          { name: 'fast', duration: '300ms', load: { model: 'rate', perSecond: 300 } },
          { name: 'bursts', duration: '200ms', load: { model: 'burst', calls: 2, every: '100ms' } },
        ],
      },
    );
    expect(result.warmup.started).toBe(20);
    expect(result.phases.map(({ name, totals }) => [name, totals.started, totals.outcomes.ok])).toEqual([
      ['slow', 30, 30],
      ['counted', 50, 50],
      ['fast', 90, 90],
      ['bursts', 12, 12],
    ]);
    expect(stats.calls.received).toBe(20 + 30 + 50 + 90 + 12);
    expect(result.metrics['call.response']!.count, 'warm-up is not measured').toBe(182);
  });

  test('what an overloaded open phase leaves waiting is sent in the closed one that follows', async () => {
    const { result, counts } = await againstMock(
      { dialect: 'classic', latency: '20ms' },
      {
        sessions: 2,
        phases: [
          { name: 'open', duration: '200ms', load: { model: 'rate', perSecond: 300 } },
          { name: 'closed', load: { model: 'count', calls: 20, inFlight: 1 } },
        ],
        openLoop: { inFlight: 1 },
      },
    );
    expect(counts).toEqual({ ok: 80 });
    const [open] = result.phases;
    // Sixty calls one after the other on two sessions, at 20 ms each: done long before any time limit.
    expect(open!.metrics['call.response']!.max).toBeLessThan(9e9);
  });

  test('warm-up of a closed loop hands over without draining, and is counted apart', async () => {
    const played = await againstMock(
      { dialect: 'classic', latency: '20ms' },
      {
        sessions: 2,
        warmup: '200ms',
        phases: [{ name: 'main', duration: '300ms', load: { model: 'closed', inFlight: 3 } }],
      },
    );
    const { result } = played;
    expect(result.warmup.started).toBeGreaterThan(0);
    expect(result.warmup.outcomes.ok).toBe(result.warmup.started);
    expect(played.counts).toEqual({ ok: result.totals.started });
    expectAllSeen(played);
  });

  test('warm-up hands over slots that think: they do not all call at once when the measurement begins', async () => {
    const { result } = await againstMock(
      { dialect: 'classic' },
      {
        sessions: 5,
        warmup: '600ms',
        phases: [{ duration: '150ms', load: { model: 'closed', inFlight: 2, think: '400ms' } }],
      },
    );
    // In 750 ms a slot that thinks for 400 ms between two calls makes two of them at the most.
    expect(result.warmup.started + result.totals.started).toBeLessThanOrEqual(5 * 2 * 2);
  });

  test('so does a phase to the next', async () => {
    const load = { model: 'closed', inFlight: 2, think: '400ms' } as const;
    const { result } = await againstMock(
      { dialect: 'classic' },
      {
        sessions: 5,
        phases: [
          { duration: '600ms', load },
          { duration: '150ms', load },
        ],
      },
    );
    expect(result.totals.started).toBeLessThanOrEqual(5 * 2 * 2);
  });

  test('calls that end after the phases are no throughput, neither over all nor of an operation', async () => {
    const { result } = await againstMock(
      { dialect: 'classic' },
      {
        phases: [{ duration: '300ms', load: { model: 'closed', inFlight: 2 } }],
        calls: [
          { tool: 'echo', arguments: { message: 'hi' } },
          { tool: 'sleep', arguments: { ms: 2000 } },
        ],
      },
    );
    const [echo, sleep] = result.operations;
    expect(sleep!.outcomes.ok).toBeGreaterThan(0);
    expect(sleep!.callsPerSec).toBe(0);
    expect(echo!.callsPerSec).toBeCloseTo(result.totals.callsPerSec);
  });

  test('a ramp is warmed up for at the rate it begins with', async () => {
    const { result } = await againstMock(
      { dialect: 'classic' },
      { warmup: '500ms', phases: [{ duration: '500ms', load: { model: 'ramp', from: 20, to: 400 } }] },
    );
    expect(result.warmup.started).toBe(10);
  });
});
