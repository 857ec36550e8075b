import { describe, expect, test } from 'vitest';
import { encodeV2 } from '../stats/hdr.js';
import { Histogram, type HistogramSnapshot } from '../stats/histogram.js';
import { noOutcomes } from '../stats/outcomes.js';
import { evaluateThresholds } from './evaluate-thresholds.js';
import { noPauses } from './disturbance.js';
import { measuredMetric } from './measured-metric.js';
import {
  metricOf,
  sampleOutcomes,
  samplePhase,
  samplePhaseGenerator,
  sampleResult,
} from './result.fixture.js';
import type { Interval, PhaseGenerator, PhaseResult, RunResult } from './result.js';
import { finishedRun } from './threshold-subject.js';

const ms = 1e6;
const hundred = Array.from({ length: 100 }, (_, i) => (i + 1) * ms);

function run(change: Partial<RunResult> = {}): RunResult {
  const base = sampleResult({});
  const totals = {
    ...base.totals,
    started: 100,
    sent: 100,
    callsPerSec: 50,
    outcomes: { ...noOutcomes(), ok: 100 },
  };
  return {
    ...base,
    durationMs: 2000,
    metrics: { 'call.response': metricOf(hundred) },
    totals,
    phases: [],
    operations: [],
    intervals: [],
    ...change,
  };
}

function judge(rule: string, metric = 'call.response', change: Partial<RunResult> = {}) {
  return evaluateThresholds([{ metric, rule, abortOnFail: false }], finishedRun(run(change)))[0];
}

describe('a rule over the whole run', () => {
  test.each([
    ['p(99) < 100ms', true],
    ['p(99) < 99ms', false],
    ['p(50) <= 50.1ms', true],
    ['mean < 51ms', true],
    ['mean < 50ms', false],
    ['max < 101ms', true],
    ['min > 0.9ms', true],
    ['count >= 100', true],
    ['count > 100', false],
  ])('%s', (rule, pass) => expect(judge(rule).state).toBe(pass ? 'pass' : 'fail'));

  test('says by how much it was missed', () => {
    expect(judge('max < 80ms').detail).toBe('100 ms: missed by 20.0 ms, 25 %');
  });

  test('without samples it fails', () => {
    expect(
      judge('p(99) < 1s', 'handshake.total', { sessions: { ...run().sessions, failed: 0 } }),
    ).toMatchObject({
      state: 'fail',
      value: null,
      detail: 'no samples to judge by',
    });
    // Nothing but failures: slower than any limit.
    const failed = { sessions: { ...run().sessions, failed: 3 } };
    expect(judge('p(99) < 1s', 'handshake.total', failed).state).toBe('fail');
  });
});

describe('failed calls', () => {
  const totals = (failed: number): Partial<RunResult> => {
    const base = run().totals;
    return {
      totals: { ...base, started: 100 + failed, outcomes: { ...noOutcomes(), ok: 100, timeout: failed } },
    };
  };

  test('count as slower than any other', () => {
    expect(judge('p(99) < 100ms', 'call.response', totals(0)).state).toBe('pass');
    const verdict = judge('p(99) < 100ms', 'call.response', totals(10));
    expect(verdict).toMatchObject({ state: 'fail', value: null });
    expect(verdict.detail).toMatch(/falls among the failed/);
    expect(judge('p(50) < 60ms', 'call.response', totals(10)).state).toBe('pass');
    expect(judge('max < 1h', 'call.response', totals(1)).state).toBe('fail');
    // A mean of 50.5 ms, and ten as slow as the slowest, 100 ms: 55 ms.
    expect(judge('mean < 54.9ms', 'call.response', totals(10)).state).toBe('fail');
    expect(judge('mean < 55.1ms', 'call.response', totals(10)).state).toBe('pass');
  });

  test('errors as a share and as a count', () => {
    expect(judge('rate < 10%', 'errors', totals(10))).toMatchObject({ state: 'pass' });
    expect(judge('rate < 9%', 'errors', totals(10))).toMatchObject({
      state: 'fail',
      detail: '9.09 %: missed by 0.09 pp',
    });
    expect(judge('count <= 10', 'errors', totals(10)).state).toBe('pass');
    expect(judge('count < 10', 'errors', totals(10)).state).toBe('fail');
  });

  test('calls as a rate and as a count', () => {
    expect(judge('rate >= 50/s', 'calls').state).toBe('pass');
    expect(judge('rate > 50/s', 'calls').state).toBe('fail');
    expect(judge('count == 100', 'calls').state).toBe('pass');
  });
});

describe('a rule over windows', () => {
  const second = (at: number, latencyMs: number, failed = 0): Interval => {
    const times = new Histogram();
    for (let i = 0; i < 50; i++) times.record(latencyMs * ms);
    return {
      atMs: at * 1000,
      durationMs: 1000,
      totals: {
        started: 50,
        ok: 50,
        failed,
        notSent: 0,
        sessionsReady: 1,
        inFlight: 0,
        bytesIn: 0,
        bytesOut: 0,
      },
      metrics: {
        'call.response': {
          count: 50,
          p50: latencyMs * ms,
          p99: latencyMs * ms,
          max: latencyMs * ms,
          hdr: encodeV2(times, 2),
        },
      },
    };
  };
  const change = {
    durationMs: 6000,
    intervals: [10, 10, 100, 10, 10, 10].map((latency, at) => second(at, latency, at === 2 ? 50 : 0)),
  };

  test('holds only if it holds in every stretch', () => {
    expect(
      judge('p(40) < 50ms for 1s', 'call.response', { ...change, intervals: change.intervals.slice(0, 2) })
        .state,
    ).toBe('pass');
    expect(judge('p(40) < 50ms for 1s', 'call.response', change).state).toBe('fail');
    expect(judge('p(40) < 50ms for 3s', 'call.response', change).state).toBe('pass');
  });

  test('errors and calls too', () => {
    expect(judge('rate < 50% for 2s', 'errors', change).state).toBe('pass');
    expect(judge('rate < 30% for 2s', 'errors', change).state).toBe('fail');
    expect(judge('rate < 30% for 6s', 'errors', change).state).toBe('pass');
    expect(judge('rate >= 50/s for 2s', 'calls', change).state).toBe('pass');
  });

  test('availability is judged over the stretches in which somebody looked; where nobody ever did it fails', () => {
    const observed = (...seconds: [upMs: number, downMs: number][]): Partial<RunResult> => ({
      durationMs: seconds.length * 1000,
      intervals: seconds.map(([upMs, downMs], at) => {
        const interval = second(at, 10);
        return { ...interval, totals: { ...interval.totals, upMs, downMs } };
      }),
    });
    const state = (...seconds: [number, number][]): string =>
      judge('rate > 99% for 1s', 'availability', observed(...seconds)).state;
    expect(state([1000, 0], [0, 0], [1000, 0])).toBe('pass');
    expect(state([1000, 0], [0, 0], [900, 100])).toBe('fail');
    expect(state([0, 0], [0, 0])).toBe('fail');
  });

  test('a run shorter than the window fails', () => {
    expect(judge('rate < 50% for 10s', 'errors', change)).toMatchObject({
      state: 'fail',
      detail: 'no samples to judge by',
    });
  });
});

describe('between the two ends of a figure nothing is decided', () => {
  /** Of every call half may have been the generator's: p(99) lies between 49.5 ms and 99 ms. */
  const halfOwn = measuredMetric(
    { seen: recorded(hundred), least: recorded(hundred.map((ns) => ns / 2)), most: null },
    noPauses,
  );
  const disturbed = { metrics: { 'call.response': halfOwn } };

  test.each([
    ['p(99) < 100ms', 'pass'],
    ['p(99) < 60ms', 'undecided'],
    ['p(99) < 49ms', 'fail'],
    ['p(99) > 40ms', 'pass'],
    ['p(99) > 60ms', 'undecided'],
    ['p(99) > 110ms', 'fail'],
    ['p(99) != 70ms', 'undecided'],
    ['mean < 30ms', 'undecided'],
    ['max < 60ms', 'undecided'],
    ['min < 0.7ms', 'undecided'],
  ])('%s: %s', (rule, state) => expect(judge(rule, 'call.response', disturbed).state).toBe(state));

  test('both ends are in the result, and in words', () => {
    const result = judge('p(99) < 60ms', 'call.response', disturbed);
    expect(result).toMatchObject({ value: expect.closeTo(99e6, -5), low: expect.closeTo(49.5e6, -5) });
    expect(result.detail).toMatch(
      /^99\.0 ms, and without the generator's own part anything from 49\.5 ms to 99\.0 ms/,
    );
  });

  test('pauses count by the share of the phase that they took', () => {
    const metric = measuredMetric(
      { seen: recorded(hundred), least: recorded(hundred), most: null },
      noPauses,
    );
    const inPhase = (pausedShare: number) =>
      judge('p(50) < 40ms', 'call.response{phase:steady}', {
        phases: [phaseWith({ pausedShare }, { 'call.response': metric })],
      }).state;
    expect(inPhase(0)).toBe('fail');
    expect(inPhase(0.2)).toBe('undecided');
  });

  test('in windows, too', () => {
    const second = {
      ...sampleResult().intervals[0]!,
      totals: { ...sampleResult().intervals[0]!.totals, failed: 0, notSent: 0, ok: 100 },
      metrics: {
        'call.response': {
          count: 100,
          p50: 50e6,
          p99: 99e6,
          max: 100e6,
          hdr: encodeV2(recorded(hundred), 2),
          leastHdr: encodeV2(recorded(hundred.map((ns) => ns / 2)), 2),
        },
      },
    };
    const intervals = [0, 1].map((at) => ({ ...second, atMs: 1000 * at }));
    expect(judge('p(50) < 40ms for 1s', 'call.response', { intervals }).state).toBe('undecided');
    expect(judge('p(50) < 20ms for 1s', 'call.response', { intervals }).state).toBe('fail');
  });
});

describe('under less load than was asked for', () => {
  const metrics = { 'call.response': metricOf(hundred) };
  const closed = sampleResult().scenario;
  const closedScenario = {
    ...closed,
    phases: closed.phases.map((phase) => ({
      ...phase,
      load: { model: 'closed', inFlight: 1, thinkNs: 0 } as const,
    })),
  };

  test('a pass of an open loop needs 99 % of the calls sent; a failure stands', () => {
    const sent = (count: number) => [phaseWith({}, metrics, { started: 1000, sent: count })];
    expect(judge('p(50) < 1s', 'call.response', { phases: sent(990) }).state).toBe('pass');
    const less = judge('p(50) < 1s', 'call.response', { phases: sent(989) });
    expect(less).toMatchObject({
      state: 'undecided',
      detail: expect.stringMatching(/only 98\.9 % of the calls/),
    });
    expect(judge('p(50) < 1ms', 'call.response', { phases: sent(500) }).state).toBe('fail');
  });

  test('what still waited when the run was cut short is no less load, and has not failed', () => {
    const cut = { started: 200, sent: 100, cutOff: 100 };
    const outcomes = { ...noOutcomes(), ok: 100, notSent: 100 };
    const change = {
      totals: { ...run().totals, ...cut, outcomes },
      phases: [phaseWith({}, metrics, cut)],
    };
    expect(judge('p(50) < 51ms', 'call.response', change)).toMatchObject({
      state: 'pass',
      detail: '50.0 ms',
    });
    expect(judge('rate < 1%', 'errors', change)).toMatchObject({ state: 'pass', value: 0 });
    const over = { ...change.totals, cutOff: 90 };
    expect(judge('count < 10', 'errors', { ...change, totals: over })).toMatchObject({
      state: 'fail',
      value: 10,
    });
  });

  test('a closed loop passes where the generator was not the limit, and no throughput is too low where it was', () => {
    const { target } = sampleResult();
    const busy = (targetCpuShare: number | null, found: 'started' | 'port' = 'started') => ({
      scenario: closedScenario,
      target: { ...target, resources: { ...target.resources!, found } },
      phases: [phaseWith({ loopUtilisation: [0.95], targetCpuShare }, metrics)],
    });
    expect(judge('p(50) < 1s', 'call.response', busy(0.5)).state).toBe('undecided');
    expect(judge('p(50) < 1s', 'call.response', busy(null)).state).toBe('undecided');
    expect(judge('p(50) < 1s', 'call.response', busy(0.95)).state).toBe('pass');
    expect(judge('p(50) < 1s', 'call.response', busy(0.95, 'port')).state, 'of a proxy, maybe').toBe(
      'undecided',
    );
    expect(judge('p(50) < 1ms', 'call.response', busy(0.5)).state).toBe('fail');
    expect(judge('rate > 1000/s', 'calls', busy(0.5)).state).toBe('undecided');
    expect(judge('rate > 10/s', 'calls', busy(0.5)).state).toBe('pass');
  });
});

function recorded(values: readonly number[]): HistogramSnapshot {
  const histogram = new Histogram();
  for (const ns of values) histogram.record(ns);
  return histogram.snapshot();
}

function phaseWith(
  generator: Partial<PhaseGenerator>,
  metrics: PhaseResult['metrics'],
  sent: { started: number; sent: number; cutOff?: number } = { started: 100, sent: 100 },
): PhaseResult {
  const phase = samplePhase({ metrics });
  return {
    ...phase,
    totals: { ...phase.totals, ...sent, outcomes: sampleOutcomes({ ok: 100 }) },
    generator: { ...samplePhaseGenerator(), ...generator },
  };
}
