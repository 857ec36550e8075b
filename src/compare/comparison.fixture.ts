import { metricOf, sampleOutcomes, sampleResult, spread } from '../result/result.fixture.js';
import type { Metric, PercentileKey, RunResult } from '../result/result.js';
import { encodeV2 } from '../stats/hdr.js';
import { Histogram } from '../stats/histogram.js';
import { compareRuns, type CompareOptions } from './compare-runs.js';
import type { Comparison } from './comparison.js';

/** What tests say about a made-up run; the rest is the same in all of them. */
export interface MadeUp {
  medianMs?: number;
  /** Spread of the calls: a larger one lengthens the tail. */
  sigma?: number;
  callsPerSec?: number;
  failed?: number;
  /** How much slower than usual its second tool is, which a third of the calls ask for. */
  sleepSlower?: number;
  /** Minutes after the first run. */
  minute?: number;
  seconds?: number;
  change?: Partial<RunResult>;
}

const calls = 6000;

/** A run of made-up figures. */
export function madeUpRun(made: MadeUp = {}): RunResult {
  const { medianMs = 20, sigma = 0.2, callsPerSec = 400, failed = 0, minute = 0, seconds = 15 } = made;
  const { sleepSlower = 1 } = made;
  const base = sampleResult();
  const outcomes = sampleOutcomes({ ok: calls - failed, toolError: failed });
  const durationMs = seconds * 1000;
  const response = metric(calls - failed, medianMs, sigma);
  return {
    ...base,
    startedAt: new Date(Date.parse('2026-11-18T08:00:00Z') + minute * 60_000).toISOString(),
    durationMs,
    scenario: {
      ...base.scenario,
      phases: [{ ...base.scenario.phases[0]!, durationNs: durationMs * 1e6 }],
    },
    totals: { ...base.totals, started: calls, callsPerSec, outcomes },
    metrics: {
      'call.response': response,
      'call.response{tool:echo}': metric(4000, medianMs * 0.9, sigma),
      'call.response{tool:sleep}': metric(2000, medianMs * 1.2 * sleepSlower, sigma),
      'handshake.total': base.metrics['handshake.total']!,
    },
    intervals: seconds < 30 ? [] : intervals(seconds, medianMs, sigma, callsPerSec),
    ...made.change,
  };
}

/** Several runs around a level: each deviates from it by the given factors, two minutes apart. */
export function madeUpSide(
  made: MadeUp,
  factors: readonly number[] = [0.99, 1.004, 1, 1.011, 0.995],
): RunResult[] {
  const { medianMs = 20, callsPerSec = 400, minute = 0 } = made;
  return factors.map((factor, at) =>
    madeUpRun({
      ...made,
      medianMs: medianMs * factor,
      callsPerSec: callsPerSec / factor,
      minute: minute + 2 * at,
    }),
  );
}

const head: MadeUp = { minute: 1 };
const noisy = [0.9, 1.12, 1, 1.07, 0.85];

/** Comparisons, one for each way they can come out: the golden files of every format are made from these. */
export const comparisons: Record<string, () => Comparison> = Object.fromEntries(
  Object.entries({
    passed: () => compare(madeUpSide({}), madeUpSide({ ...head, medianMs: 20.1 })),
    regression: () => compare(madeUpSide({}), madeUpSide({ ...head, medianMs: 22.3, callsPerSec: 360 })),
    improvement: () => compare(madeUpSide({}), madeUpSide({ ...head, medianMs: 17 })),
    slower: () => compare(madeUpSide({}), madeUpSide({ ...head, medianMs: 20.7 })),
    inconclusive: () => compare(madeUpSide({}, noisy), madeUpSide({ ...head, medianMs: 21 }, noisy)),
    tool: () => compare(madeUpSide({}), madeUpSide({ ...head, sleepSlower: 1.8 })),
    errors: () => compare(madeUpSide({}), madeUpSide({ ...head, failed: 90 })),
    fewRuns: () => compare(madeUpSide({}, [0.99, 1.01]), madeUpSide({ ...head, medianMs: 23 }, [1, 1.01])),
    oneRun: () =>
      compare([madeUpRun({ seconds: 60 })], [madeUpRun({ ...head, seconds: 60, medianMs: 22.3 })]),
    calibrated: () =>
      compare([madeUpRun({ seconds: 60 })], [madeUpRun({ ...head, seconds: 60, medianMs: 23 })], {
        known: {
          source: 'calibration of 2026-11-17 (10 runs)',
          exact: true,
          metrics: Object.fromEntries(
            ['p50', 'p99', 'throughput'].map((name) => [name, { sdLog: 0.01, degreesOfFreedom: 9 }]),
          ),
        },
      }),
    refused: () => compare(madeUpSide({}), [...madeUpSide(head).slice(1), otherWork()]),
    hostile: () =>
      compare(madeUpSide({ change: hostile() }), madeUpSide({ ...head, failed: 3000, change: hostile() })),
  }).map(([name, make]) => [name, remembered(make)]),
);

function compare(
  base: readonly RunResult[],
  head: readonly RunResult[],
  options: CompareOptions = {},
): Comparison {
  return { ...compareRuns(base, head, options), tool: { name: 'mcp-bench', version: '0.1.0' } };
}

// Making runs up is slow, and tests ask for the same comparisons over and over: each gets a copy that it may change.
function remembered(make: () => Comparison): () => Comparison {
  let made: Comparison | undefined;
  return () => structuredClone((made ??= make()));
}

function otherWork(): RunResult {
  const run = madeUpRun({ minute: 9 });
  return {
    ...run,
    scenarioHash: 'other',
    scenario: {
      ...run.scenario,
      posts: { mode: 'pipelined', connections: 1 },
      phases: [{ ...run.scenario.phases[0]!, load: { model: 'rate', perSecond: 900, arrivals: 'uniform' } }],
    },
    validity: {
      state: 'suspect',
      reasons: [{ code: 'cpu-taken', message: "other processes took 61 % of this machine's CPU." }],
      warnings: [],
    },
  };
}

function hostile(): Partial<RunResult> {
  const base = sampleResult();
  const evil =
    '::error::<img src=x onerror=alert(1)>| `rm` @octocat\u001b[31m\u202e\r\n::set-output name=a::b';
  return {
    name: evil,
    operations: base.operations.map((operation, at) => ({ ...operation, name: at === 0 ? evil : 'sleep' })),
    metrics: {
      'call.response': metric(3000, 20, 0.2),
      [`call.response{tool:${evil}}`]: metric(4000, 18, 0.2),
      'call.response{tool:sleep}': metric(2000, 24, 0.2),
    },
    environment: { ...base.environment, hostname: evil, git: evil },
    target: { ...base.target, server: { name: evil, version: evil } },
  };
}

const metrics = new Map<string, Metric>();

// Recording is slow, and tests ask for the same few over and over.
function metric(count: number, medianMs: number, sigma: number): Metric {
  const key = `${count} ${medianMs} ${sigma}`;
  let found = metrics.get(key);
  if (found === undefined) metrics.set(key, (found = metricOf(spread(count, medianMs * 1e6, sigma))));
  return found;
}

function intervals(
  seconds: number,
  medianMs: number,
  sigma: number,
  callsPerSec: number,
): RunResult['intervals'] {
  return Array.from({ length: seconds }, (_, at) => {
    // A little unrest that repeats every seven seconds.
    const histogram = new Histogram();
    const ok = Math.round(callsPerSec * (1 + ((at % 7) - 3) / 200));
    for (const ns of spread(ok, medianMs * 1e6 * (1 + ((at % 7) - 3) / 100), sigma)) histogram.record(ns);
    const { count, p50, p99, max } = metric(ok, medianMs, sigma);
    return {
      atMs: at * 1000,
      durationMs: 1000,
      totals: {
        started: ok,
        ok,
        failed: 0,
        notSent: 0,
        sessionsReady: 100,
        inFlight: 8,
        bytesIn: 0,
        bytesOut: 0,
      },
      metrics: { 'call.response': { count, p50, p99, max, hdr: encodeV2(histogram, 2) } },
    };
  });
}

/** The run, of whose percentile the generator may have made so large a part. */
export function disturbed(run: RunResult, key: PercentileKey, part: number): RunResult {
  const response = run.metrics['call.response']!;
  const low = {
    p50: response.p50,
    p90: response.p90,
    p95: response.p95,
    p99: response.p99,
    p999: response.p999,
  };
  low[key] *= 1 - part;
  return {
    ...run,
    metrics: { ...run.metrics, 'call.response': { ...response, low, disturbed: [key] } },
  };
}
