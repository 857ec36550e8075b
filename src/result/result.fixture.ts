import type { Plan } from '../scenario/plan.js';
import { encodeV2, summarise } from '../stats/hdr.js';
import { Histogram } from '../stats/histogram.js';
import { noOutcomes, type Outcomes } from '../stats/outcomes.js';
import type { Availability, Metric, Oddities, PhaseGenerator, PhaseResult, RunResult } from './result.js';
import { resultSchema } from './result.js';

/** A result of a made-up run of one phase in which all went well, with the same figures every time: tests change what they are about. */
export function sampleResult(change: Partial<RunResult> = {}): RunResult {
  const metrics = sampleMetrics();
  const outcomes = sampleOutcomes({ ok: 12_000 });
  const totals = { started: 12_000, sent: 12_000, callsPerSec: 800, offeredPerSec: 800, outcomes };
  return {
    schema: resultSchema,
    tool: { name: 'mcp-bench', version: '0.1.0' },
    name: 'steady',
    startedAt: '2026-11-18T07:03:12.345Z',
    durationMs: 15_000,
    seed: 1,
    scenario: samplePlan(),
    scenarioHash: '5ca1ab1e',
    target: {
      url: 'http://127.0.0.1:8765/sse',
      transport: 'sse',
      era: 'sessions',
      protocolVersion: '2025-11-25',
      bodies: [],
      dialect: 'classic',
      server: { name: 'mcp-bench-mock', version: '0.1.0' },
      builtIn: true,
      resources: {
        found: 'port',
        pids: [4711],
        name: 'node',
        cpuMs: 3000,
        peakBytes: 81_000_000,
        processes: 2,
      },
    },
    environment: {
      node: 'v22.11.0',
      cpu: 'Imaginary 9000',
      cores: 2,
      memoryBytes: 8e9,
      os: 'Linux 6.1.0 x64',
      git: 'abc1234',
      hostname: 'bench',
      workers: 1,
      pacing: 'spin',
      tags: {},
    },
    validity: { state: 'valid', reasons: [], warnings: [] },
    findings: [],
    ended: 'complete',
    sessions: {
      opened: 100,
      ready: 100,
      failed: 0,
      dropped: 0,
      reconnects: 0,
      closed: 100,
      abandoned: 0,
      connectRetries: 0,
      failures: {},
      peakReady: 100,
    },
    totals: {
      ...totals,
      bytesIn: 4_321_000,
      bytesOut: 3_210_000,
      oddities: sampleOddities(),
      conserved: true,
      availability: sampleAvailability(),
    },
    warmup: { started: 0, sent: 0, outcomes: sampleOutcomes() },
    metrics,
    phases: [samplePhase({ totals, metrics })],
    operations: [
      {
        name: 'echo',
        method: 'tools/call',
        started: 9_000,
        callsPerSec: 600,
        outcomes: sampleOutcomes({ ok: 9_000 }),
      },
      {
        name: 'sleep',
        method: 'tools/call',
        started: 3_000,
        callsPerSec: 200,
        outcomes: sampleOutcomes({ ok: 3_000 }),
      },
    ],
    intervals: sampleIntervals(15),
    generator: {
      cpuMsPerWorker: [3_000],
      loopUtilisation: [0.21],
      loopDelayP99Ms: [0.4],
      longestTurnMs: [2.5],
      longestGcMs: [1.5],
      gcMs: [40],
      maxRssBytes: 98e6,
      othersCpuShare: 0.02,
      targetCpuShare: 0.2,
      stolenCpuShare: 0,
    },
    examples: {},
    thresholds: [],
    ...change,
  };
}

/** No calls, but for those given. */
/** A target that answered for all of the sample's fifteen seconds. */
export function sampleAvailability(change: Partial<Availability> = {}): Availability {
  return {
    upMs: 15_000,
    downMs: 0,
    unobservedMs: 0,
    share: 1,
    sessionsReady: 1,
    outages: 0,
    longestDown: null,
    downSinceMs: null,
    gone: null,
    ...change,
  };
}

export function sampleOutcomes(change: Partial<Outcomes> = {}): Outcomes {
  return { ...noOutcomes(), ...change };
}

/** No oddities, but for those given. */
export function sampleOddities(change: Partial<Oddities> = {}): Oddities {
  return {
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
    extraConnection: 0,
    ...change,
  };
}

/** A phase of 15 s under a constant rate. */
export function samplePhase(change: Partial<PhaseResult> = {}): PhaseResult {
  return {
    name: 'steady',
    startMs: 0,
    durationMs: 15_000,
    totals: {
      started: 12_000,
      sent: 12_000,
      callsPerSec: 800,
      offeredPerSec: 800,
      outcomes: sampleOutcomes({ ok: 12_000 }),
    },
    metrics: sampleMetrics(),
    operations: [],
    generator: samplePhaseGenerator(),
    ...change,
  };
}

/** A generator that had little to do, and its machine to itself. */
export function samplePhaseGenerator(change: Partial<PhaseGenerator> = {}): PhaseGenerator {
  return {
    loopUtilisation: [0.21],
    longestTurnMs: 2.5,
    heldUpShare: 0,
    pausedShare: 0,
    stolenCpuShare: 0,
    ownCpuShare: 0.1,
    othersCpuShare: 0.02,
    targetCpuShare: 0.2,
    ...change,
  };
}

/** The metric that recording these values would give. */
export function metricOf(valuesNs: readonly number[]): Metric {
  const histogram = new Histogram();
  for (const ns of valuesNs) histogram.record(Math.round(ns));
  return { unit: 'ns', ...summarise(histogram), hdr: encodeV2(histogram) };
}

/** So many values of a log-normal distribution around a median, the same every time. */
export function spread(count: number, medianNs: number, sigma: number): number[] {
  // The inverse of the logistic distribution at evenly spaced shares: close to log-normal, and without chance.
  return Array.from({ length: count }, (_, index) => {
    const share = (index + 0.5) / count;
    return Math.round(medianNs * Math.exp((sigma / 1.7) * Math.log(share / (1 - share))));
  });
}

let metrics: Record<string, Metric> | undefined;

// Recording is slow, and the same every time: once per test file is enough.
function sampleMetrics(): Record<string, Metric> {
  metrics ??= {
    'call.response': metricOf(spread(12_000, 5.2e6, 0.4)),
    'call.response{tool:echo}': metricOf(spread(9_000, 4.8e6, 0.3)),
    'call.response{tool:sleep}': metricOf(spread(3_000, 11e6, 0.3)),
    'call.service': metricOf(spread(12_000, 5.1e6, 0.4)),
    'call.ack': metricOf(spread(12_000, 0.4e6, 0.3)),
    'call.ackToEvent': metricOf(spread(11_960, 4.7e6, 0.4)),
    'call.eventToAck': metricOf(spread(40, 0.05e6, 0.3)),
    'queue.wait': metricOf(spread(12_000, 2e3, 0.5)),
    'schedule.lag': metricOf(spread(12_000, 4e3, 0.6)),
    'handshake.connect': metricOf(spread(100, 0.3e6, 0.3)),
    'handshake.headers': metricOf(spread(100, 0.8e6, 0.3)),
    'handshake.endpoint': metricOf(spread(100, 0.9e6, 0.3)),
    'handshake.initialize': metricOf(spread(100, 1.4e6, 0.3)),
    'handshake.initialized': metricOf(spread(100, 0.5e6, 0.3)),
    'handshake.total': metricOf(spread(100, 3.4e6, 0.3)),
  };
  return structuredClone(metrics);
}

let seconds: Metric[] | undefined;

function sampleIntervals(count: number): RunResult['intervals'] {
  seconds ??= [0, 1, 2].map((step) => metricOf(spread(800, 5.2e6 + step * 1e5, 0.4)));
  return Array.from({ length: count }, (_, index) => {
    const response = seconds![index % 3]!;
    return {
      atMs: index * 1000,
      durationMs: 1000,
      totals: {
        started: 800,
        ok: 800,
        failed: 0,
        notSent: 0,
        sessionsReady: 100,
        inFlight: 4,
        bytesIn: 288_000,
        bytesOut: 214_000,
      },
      metrics: {
        'call.response': {
          count: response.count,
          p50: response.p50,
          p99: response.p99,
          max: response.max,
          hdr: response.hdr,
        },
      },
    };
  });
}

function samplePlan(): Plan {
  const operation = {
    method: 'tools/call',
    expect: [],
    timeoutNs: 30e9,
    cancelAfterNs: null,
  };
  return {
    name: 'steady',
    seed: 1,
    scenarioHash: '5ca1ab1e',
    target: {
      url: '',
      transport: 'sse',
      protocol: '2025-06-18',
      listen: false,
      dialect: 'auto',
      headers: {},
      unixSocket: null,
      tls: { ca: null, cert: null, key: null, verify: true },
      allowForeignEndpoint: false,
    },
    sessions: {
      count: 100,
      openPerSec: 500,
      lifetimeCalls: null,
      lifetimeNs: null,
      end: 'close',
      reconnect: false,
      idle: 0,
    },
    posts: { mode: 'serial' },
    warmupNs: 0,
    phases: [
      { name: 'steady', durationNs: 15e9, load: { model: 'rate', perSecond: 800, arrivals: 'uniform' } },
    ],
    operations: [
      { ...operation, name: 'echo', tool: 'echo', weight: 3, arguments: { message: '{{hex 16}}' } },
      { ...operation, name: 'sleep', tool: 'sleep', weight: 1, arguments: { ms: 10 } },
    ],
    data: {},
    timeouts: { connectNs: 5e9, handshakeNs: 10e9, callNs: 30e9, idleNs: null },
    openLoop: { inFlight: 16, queue: null },
    pacing: 'auto',
    thresholds: [],
    workers: 1,
    tags: {},
  };
}
