import { noPipeCounts, noReplyCounts } from '../transport/traffic.js';
import type {
  PhaseHealth,
  ShardFinal,
  ShardInterval,
  ShardPhase,
  ShardTotals,
} from '../load/shard-report.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { Plan } from '../scenario/plan.js';
import type { ScenarioInput } from '../scenario/schema.js';
import { noOutcomes } from '../stats/outcomes.js';

/** What a worker says of a second in which nothing happened, but for the changes. */
export function shardSecond(index: number, change: Partial<ShardInterval> = {}): ShardInterval {
  return {
    index,
    startNs: index * 1e9,
    durationNs: 1e9,
    recorded: { calls: [], handshakes: [] },
    slots: Int32Array.of(),
    settledNs: (index + 1) * 1e9,
    started: 0,
    ok: 0,
    failed: 0,
    notSent: 0,
    answered: 0,
    cancelled: 0,
    bytesIn: 0,
    bytesOut: 0,
    sessionsReady: 0,
    inFlight: 0,
    ...change,
  };
}

/** What a worker has counted that did nothing but be there for one phase with one operation, but for the changes. */
export function shardTotals(change: Partial<ShardTotals> = {}): ShardTotals {
  return {
    tallies: Array.from({ length: 2 }, () => ({ started: 0, outcomes: noOutcomes(), cutOff: 0 })),
    phases: [shardPhase()],
    sessions: {
      opened: 0,
      ready: 0,
      failed: 0,
      dropped: 0,
      reconnects: 0,
      closed: 0,
      abandoned: 0,
      failures: {},
      peakReady: 0,
    },
    oddities: {
      duplicate: 0,
      late: 0,
      foreign: 0,
      coercedId: 0,
      malformedEvent: 0,
      truncatedEvent: 0,
      nullIdError: 0,
      serverRequest: {},
      notification: {},
      reconnect: 0,
      sessionLost: 0,
    },
    connectRetries: 0,
    extraConnections: 0,
    reconnected: 0,
    strayAnswers: 0,
    replies: noReplyCounts(),
    bodies: { json: 0, events: 0 },
    inputRounds: 0,
    limitsHit: {},
    pipes: noPipeCounts(),
    internalErrors: { count: 0, example: '' },
    bytesIn: 0,
    bytesOut: 0,
    bytesInBefore: 0,
    bytesOutBefore: 0,
    coalescing: { coalesced: 0, all: 0 },
    examples: {},
    server: null,
    dialect: null,
    ...change,
  };
}

export function shardFinal(change: Partial<ShardTotals> = {}): ShardFinal {
  return {
    ...shardTotals(change),
    health: {
      busyNs: 0.2e9,
      elapsedNs: 1e9,
      longestTurnNs: 1e6,
      longestGcNs: 2e6,
      gcNs: 3e6,
      cpuNs: 0.3e9,
      loopDelayP99Ns: 0.5e6,
      spinning: false,
    },
  };
}

/** A second's phase of a worker that had little to do, but for the changes. */
export function shardPhase(change: Partial<ShardPhase> = {}, health: Partial<PhaseHealth> = {}): ShardPhase {
  return {
    startNs: 0,
    endNs: 1e9,
    okWithin: [0],
    bursts: null,
    health: {
      busyNs: 0.2e9,
      elapsedNs: 1e9,
      cpuNs: 0.3e9,
      longestTurnNs: 1e6,
      heldUpNs: 0,
      ...health,
    },
    ...change,
  };
}

/** A plan for workers that are no more than their words. */
export function planFor(change: Partial<ScenarioInput> = {}): Plan {
  return planScenario({
    name: 'words',
    target: { url: 'http://127.0.0.1:1/sse' },
    sessions: 10,
    duration: '1s',
    load: { model: 'rate', perSecond: 100 },
    calls: [{ tool: 'echo' }],
    ...change,
  } as ScenarioInput);
}
