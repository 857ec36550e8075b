import type { MockConfigInput } from '../../mock-server/config/config.js';
import type { FaultName } from '../../mock-server/stats.js';
import type { ScenarioInput } from '../../src/scenario/schema.js';

/** How much of a storm there is. */
export interface StormSize {
  readonly sessions: number;
  readonly seconds: number;
  readonly callsPerSec: number;
}

/** Every fault that the mock knows, all at once, and what it sends unasked. */
export const stormFaults: NonNullable<MockConfigInput['faults']> = {
  rpcError: '3%',
  toolError: '3%',
  httpError: '2%',
  lost: '1%',
  duplicate: '3%',
  misrouted: '1%',
  cut: '0.5%',
  eventBefore202: { rate: '10%', gap: '2ms' },
  ackAfterWork: '5%',
  heldPost: { rate: '2%', for: '200ms' },
  unansweredPost: '0.5%',
  splitEvent: '5%',
  serverRequest: '3%',
  push: '3%',
  slowRead: { rate: '2%', for: '20ms' },
};

/** What is spoken in a storm. */
export type StormSpeech = 'sse' | 'streamable' | 'stateless';

const streamable: Record<StormSpeech, NonNullable<MockConfigInput['streamable']>> = {
  sse: {},
  streamable: {
    sseShare: '50%',
    releaseDelay: '1ms',
    prime: 'empty',
    retry: '20ms',
    storedEvents: 1000,
    disconnect: '3%',
    sessionLost: '0.3%',
    listChanges: '500ms',
  },
  stateless: { sseShare: '50%', releaseDelay: '1ms', inputRequired: '3%' },
};

/** Faults that a transport cannot have: an acceptance apart from the reply, requests of a server without sessions, streams for strays. */
export const impossible: Record<StormSpeech, readonly FaultName[]> = {
  sse: [],
  streamable: ['eventBefore202'],
  stateless: ['eventBefore202', 'serverRequest'],
};

/** A mock at its worst; it also stands still now and then. */
export function stormMock(freezeMs: number, speech: StormSpeech = 'sse'): MockConfigInput {
  return {
    streamable: streamable[speech],
    dialect: 'classic',
    seed: 3,
    latency: 'uniform(0ms,30ms)',
    faults: stormFaults,
    freeze: { at: '1s', every: '10s', for: `${freezeMs}ms` },
    pushes: { every: '3s', bytes: 200 },
    wire: { keepAlive: '2s', serverPing: '5s' },
  };
}

const targets: Record<StormSpeech, Exclude<ScenarioInput['target'], string>> = {
  sse: { transport: 'sse' },
  streamable: { transport: 'streamable', protocol: '2025-11-25', listen: true },
  stateless: { transport: 'streamable', protocol: '2026-07-28' },
};

/** Many sessions and all kinds of calls, paced, so that nobody's trouble slows the others down. */
export function stormScenario(
  { sessions, seconds, callsPerSec }: StormSize,
  speech: StormSpeech = 'sse',
): ScenarioInput {
  const inputResponses = speech === 'stateless' ? { inputResponses: { roots: { roots: [] } } } : {};
  return {
    name: 'storm',
    target: targets[speech],
    seed: 5,
    sessions: { count: sessions, open: '500/s' },
    warmup: '1s',
    phases: [
      {
        name: 'storm',
        duration: `${seconds}s`,
        load: { model: 'rate', perSecond: callsPerSec, arrivals: 'poisson' },
      },
      // What is still on its way when the last call has been answered is read meanwhile.
      { name: 'settle', duration: '500ms', load: { model: 'rate', perSecond: 2 } },
    ],
    calls: [
      {
        tool: 'echo',
        weight: 4,
        arguments: { message: '{{seq}} {{hex 16}}' },
        expect: 'echo',
        ...inputResponses,
      },
      { tool: 'sleep', weight: 1, arguments: { ms: '{{int 1 20}}' }, ...inputResponses },
      {
        tool: 'payload',
        weight: 1,
        arguments: { bytes: 5000 },
        expect: { size: { min: 5000 } },
        ...inputResponses,
      },
      { tool: 'counter', weight: 1, ...inputResponses },
      { method: 'tools/list', weight: 1 },
    ],
    openLoop: { inFlight: 4 },
    timeouts: { connect: '5s', handshake: '10s', call: '4s' },
    workers: 1,
  };
}
