import { describe, expect, test } from 'vitest';
import { encodeV2 } from '../stats/hdr.js';
import { Histogram } from '../stats/histogram.js';
import { noOutcomes } from '../stats/outcomes.js';
import { evaluateThresholds } from './evaluate-thresholds.js';
import { metricOf, sampleResult } from './result.fixture.js';
import type { Interval, RunResult } from './result.js';
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
  ])('%s', (rule, pass) => expect(judge(rule).pass).toBe(pass));

  test('says by how much it was missed', () => {
    expect(judge('max < 80ms').detail).toBe('100 ms: missed by 20.0 ms, 25 %');
  });

  test('without samples it fails', () => {
    expect(
      judge('p(99) < 1s', 'handshake.total', { sessions: { ...run().sessions, failed: 0 } }),
    ).toMatchObject({
      pass: false,
      value: null,
      detail: 'no samples to judge by',
    });
    // Nothing but failures: slower than any limit.
    expect(judge('p(99) < 1s', 'handshake.total', { sessions: { ...run().sessions, failed: 3 } }).pass).toBe(
      false,
    );
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
    expect(judge('p(99) < 100ms', 'call.response', totals(0)).pass).toBe(true);
    const verdict = judge('p(99) < 100ms', 'call.response', totals(10));
    expect(verdict).toMatchObject({ pass: false, value: null });
    expect(verdict.detail).toMatch(/falls among the failed/);
    expect(judge('p(50) < 60ms', 'call.response', totals(10)).pass).toBe(true);
    expect(judge('max < 1h', 'call.response', totals(1)).pass).toBe(false);
    // A mean of 50.5 ms, and ten as slow as the slowest, 100 ms: 55 ms.
    expect(judge('mean < 54.9ms', 'call.response', totals(10)).pass).toBe(false);
    expect(judge('mean < 55.1ms', 'call.response', totals(10)).pass).toBe(true);
  });

  test('errors as a share and as a count', () => {
    expect(judge('rate < 10%', 'errors', totals(10))).toMatchObject({ pass: true });
    expect(judge('rate < 9%', 'errors', totals(10))).toMatchObject({ pass: false });
    expect(judge('count <= 10', 'errors', totals(10)).pass).toBe(true);
    expect(judge('count < 10', 'errors', totals(10)).pass).toBe(false);
  });

  test('calls as a rate and as a count', () => {
    expect(judge('rate >= 50/s', 'calls').pass).toBe(true);
    expect(judge('rate > 50/s', 'calls').pass).toBe(false);
    expect(judge('count == 100', 'calls').pass).toBe(true);
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
        .pass,
    ).toBe(true);
    expect(judge('p(40) < 50ms for 1s', 'call.response', change).pass).toBe(false);
    expect(judge('p(40) < 50ms for 3s', 'call.response', change).pass).toBe(true);
  });

  test('errors and calls too', () => {
    expect(judge('rate < 50% for 2s', 'errors', change).pass).toBe(true);
    expect(judge('rate < 30% for 2s', 'errors', change).pass).toBe(false);
    expect(judge('rate < 30% for 6s', 'errors', change).pass).toBe(true);
    expect(judge('rate >= 50/s for 2s', 'calls', change).pass).toBe(true);
  });

  test('a run shorter than the window fails', () => {
    expect(judge('rate < 50% for 10s', 'errors', change)).toMatchObject({
      pass: false,
      detail: 'no samples to judge by',
    });
  });
});
