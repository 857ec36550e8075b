import { noOddities } from '../../src/mcp/oddities.js';
import type { ShardFinal } from '../../src/load/shard-report.js';
import { noPipeCounts, noReplyCounts } from '../../src/transport/traffic.js';
import { seededRandom } from '../../src/compare/seeded-random.js';
import type { RunResult } from '../../src/result/result.js';
import { assembleResult } from '../../src/run/assemble.js';
import { Collector } from '../../src/run/collector.js';
import { planScenario } from '../../src/scenario/load-scenario.js';
import { countOutcomes } from '../../src/stats/outcomes.js';
import { Recorder } from '../../src/stats/recorder.js';
import { handshakeMetricsOf, transportKinds } from '../../src/transport/transport-kinds.js';

/** A run that was never made: what its workers would have recorded, put together as a real one is. */
export interface LongRun {
  readonly seconds: number;
  readonly tools: number;
  readonly callsPerSec: number;
  readonly seed: number;
  /** Medians are so many times the usual. */
  readonly slower?: number;
}

const workers = 2;
const sessions = 200;
const ms = 1e6;

/**
 * Draws the calls of a run, records them in recorders as workers have them, and lets the real collector and assembler make the result: latencies are
 * log-normal, a different one for each tool, two calls in a hundred ten times as slow, one in a thousand failed, and seconds differ from each other.
 */
export function longRun(given: LongRun): RunResult {
  const { seconds, callsPerSec, seed } = given;
  const random = seededRandom(seed);
  const tools = Array.from({ length: given.tools }, (_, at) => `tool_${at + 1}`);
  const plan = planScenario({
    name: 'long',
    workers,
    sessions,
    duration: `${seconds}s`,
    load: { model: 'rate', perSecond: callsPerSec },
    calls: tools.map((tool) => ({ tool })),
  });
  const collector = new Collector(workers, 1, tools);
  const recorders = Array.from({ length: workers }, () => new Recorder(1, tools.length));
  for (const recorder of recorders) openSessions(recorder, random);
  const slower = given.slower ?? 1;
  for (let index = 0; index < seconds; index++) {
    const level = slower * Math.exp(0.15 * normal(random));
    for (const recorder of recorders) {
      const before = countsOf(recorder);
      for (let call = 0; call < callsPerSec / workers; call++) oneCall(recorder, tools.length, level, random);
      const now = countsOf(recorder);
      collector.add({
        index,
        startNs: index * 1e9,
        durationNs: 1e9,
        recorded: recorder.takeInterval(),
        started: now.started - before.started,
        ok: now.ok - before.ok,
        failed: now.started - before.started - (now.ok - before.ok),
        notSent: 0,
        answered: now.ok - before.ok,
        cancelled: 0,
        bytesIn: 180 * callsPerSec,
        bytesOut: 120 * callsPerSec,
        slots: Int32Array.of(),
        settledNs: (index + 1) * 1e9,
        sessionsReady: sessions / workers,
        inFlight: Math.floor(20 * random()),
      });
    }
  }
  for (const recorder of recorders) collector.finals.push(finalOf(recorder, seconds));
  return assembleResult(collector, {
    plan,
    toolVersion: '0.0.0',
    startedAt: new Date(Date.UTC(2026, 0, 1) + seed * 3600_000),
    target: {
      url: 'http://127.0.0.1:8765/sse',
      transport: 'sse',
      era: 'sessions',
      protocolVersion: '2025-11-25',
      bodies: [],
      dialect: 'classic',
      server: { name: 'imaginary', version: '1.0.0' },
      builtIn: false,
    },
    environment: {
      node: process.version,
      cpu: 'imaginary',
      cores: 4,
      memoryBytes: 8e9,
      os: 'imaginary',
      git: null,
      hostname: 'imaginary',
      workers,
      pacing: 'spin',
      tags: {},
    },
    ended: 'complete',
    connectFailure: null,
    maxRssBytes: 150e6,
    openFilesLimit: null,
    cpuWithin: () => ({ othersShare: 0.01, targetShare: 0.4, stolenShare: 0 }),
  });
}

function openSessions(recorder: Recorder, random: () => number): void {
  for (let session = 0; session < sessions / workers; session++)
    for (const metric of handshakeMetricsOf(transportKinds.sse))
      recorder.handshake(metric, Math.round(2 * ms * Math.exp(0.5 * normal(random))), 10_000);
}

function oneCall(recorder: Recorder, tools: number, level: number, random: () => number): void {
  const tool = Math.floor(random() * tools);
  recorder.started(0, tool);
  const slow = random() < 0.02 ? 10 : 1;
  const serviceNs = Math.round((tool + 1) * 4 * ms * level * slow * Math.exp(0.35 * normal(random)));
  if (random() < 0.001) return recorder.failed(0, tool, 'toolError', serviceNs, 20_000);
  const lagNs = Math.round(20_000 * Math.exp(0.8 * normal(random)));
  const sentNs = lagNs + Math.round(15_000 * Math.exp(0.6 * normal(random)));
  const eventNs = sentNs + serviceNs;
  recorder.ok(0, tool, 0, lagNs, 0, sentNs, eventNs, 20_000);
  const ackNs = sentNs + Math.round(300_000 * Math.exp(0.4 * normal(random)));
  recorder.accepted(0, tool, ackNs - sentNs, 20_000);
  recorder.answered(0, tool, ackNs, eventNs, 20_000, 20_000);
}

function finalOf(recorder: Recorder, seconds: number): ShardFinal {
  const own = sessions / workers;
  return {
    tallies: recorder.allTallies(),
    phases: [
      {
        startNs: 0,
        endNs: seconds * 1e9,
        okWithin: recorder.okByOperation(),
        bursts: null,
        health: {
          busyNs: 0.3e9 * seconds,
          elapsedNs: 1e9 * seconds,
          cpuNs: 0.4e9 * seconds,
          longestTurnNs: 2 * ms,
          heldUpNs: 0.001e9 * seconds,
        },
      },
    ],
    sessions: {
      opened: own,
      ready: own,
      failed: 0,
      dropped: 0,
      reconnects: 0,
      closed: own,
      abandoned: 0,
      failures: {},
      peakReady: own,
    },
    oddities: noOddities(),
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
    coalescing: { coalesced: 0, all: 1 },
    examples: {},
    health: {
      busyNs: 0.3e9 * seconds,
      elapsedNs: 1e9 * seconds,
      longestTurnNs: 2 * ms,
      longestGcNs: 2 * ms,
      gcNs: 100 * ms,
      cpuNs: 0.4e9 * seconds,
      loopDelayP99Ns: ms,
      spinning: true,
    },
    server: null,
    dialect: 'classic',
  };
}

function countsOf(recorder: Recorder): { started: number; ok: number } {
  let [started, ok] = [0, 0];
  for (const { outcomes } of recorder.measuredTallies()) {
    started += countOutcomes(outcomes);
    ok += outcomes.ok;
  }
  return { started, ok };
}

// Box and Muller: one of the two is enough here.
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
