import { describe, expect, test } from 'vitest';
import { generatorFacts, targetFacts } from './facts.js';
import { findFindings } from './findings.js';
import {
  metricOf,
  sampleOutcomes,
  samplePhase,
  samplePhaseGenerator,
  sampleResult,
} from './result.fixture.js';
import type { RunResult } from './result.js';
import { judgeValidity } from './validity.js';

type Load = RunResult['scenario']['phases'][number]['load'];

test('a good run is valid and without findings', () => {
  const result = sampleResult();
  expect(judgeValidity(generatorFacts(result))).toEqual({ state: 'valid', reasons: [], warnings: [] });
  expect(findFindings(targetFacts(result))).toEqual([]);
});

test('the phases carry their own figures, and their load model says how to read them', () => {
  const result = withLoad({ model: 'burst', calls: 8, everyNs: 1e9 });
  const generator = samplePhaseGenerator({ loopUtilisation: [0.1, 0.4], pausedShare: 0.02 });
  const facts = generatorFacts({ ...result, phases: [samplePhase({ generator })] });
  expect(facts.phases[0]).toMatchObject({
    name: 'steady',
    loop: 'burst',
    utilisation: 0.4,
    pausedShare: 0.02,
  });
  expect(facts.phases[0]!.response.map(({ title, disturbed }) => [title, disturbed])).toEqual([
    ['p50', false],
    ['p90', false],
    ['p99', false],
  ]);
  expect(generatorFacts(withLoad({ model: 'count', calls: 8, inFlight: 1 })).phases[0]?.loop).toBe('closed');
  expect(
    generatorFacts(withLoad({ model: 'ramp', fromPerSecond: 1, toPerSecond: 9, arrivals: 'uniform' }))
      .phases[0]?.loop,
  ).toBe('open');
});

test('only whole intervals of a phase with a level load are judged for steadiness', () => {
  expect(targetFacts(sampleResult()).phases[0]?.mediansNs).toHaveLength(15);
  const part = samplePhase({ startMs: 5_000, durationMs: 4_500 });
  expect(targetFacts(sampleResult({ phases: [part] })).phases[0]?.mediansNs).toHaveLength(4);
  const ramp = withLoad({ model: 'ramp', fromPerSecond: 1, toPerSecond: 9, arrivals: 'uniform' });
  expect(targetFacts(ramp).phases[0]?.mediansNs).toEqual([]);
});

test('what was offered is what was started, where chance decides it', () => {
  const phase = samplePhase();
  phase.totals.started = 11_400;
  expect(targetFacts(sampleResult({ phases: [phase] })).phases[0]?.offeredPerSec).toBe(760);
});

describe('a closed loop in which nothing was answered', () => {
  const twoEach: Load = { model: 'closed', inFlight: 2, thinkNs: 0 };

  // The first 10 of 15 seconds, with so many calls in flight of 100 sessions.
  function silent(inFlight: number, change: Partial<RunResult> = {}): RunResult {
    const result = withLoad(twoEach);
    const intervals = result.intervals.map((each) => ({
      ...each,
      totals: { ...each.totals, inFlight, ok: 0, answered: each.atMs < 10_000 ? 0 : 8, cancelled: 0 },
    }));
    return { ...result, intervals, ...change };
  }

  test('is silence where most slots of the plan are taken', () => {
    expect(targetFacts(silent(101)).silentMs).toBe(10_000);
    expect(targetFacts(silent(100)).silentMs).toBe(0);
  });

  test('slots are those of sessions that are given calls, and of the phase', () => {
    const { scenario, sessions } = silent(0);
    const idle = { ...scenario, sessions: { ...scenario.sessions, idle: 80 } };
    expect(targetFacts(silent(21, { scenario: idle })).silentMs).toBe(10_000);
    expect(targetFacts(silent(20, { scenario: idle })).silentMs).toBe(0);
    expect(targetFacts(silent(21, { sessions: { ...sessions, peakReady: 20 } })).silentMs).toBe(10_000);
    const phases = [samplePhase({ durationMs: 6000 }), samplePhase({ startMs: 6000, durationMs: 9000 })];
    const [first] = scenario.phases;
    const more = {
      ...scenario,
      phases: [first!, { ...first!, load: { ...twoEach, inFlight: 4 } }],
    };
    expect(targetFacts(silent(101, { scenario: more, phases })).silentMs).toBe(6000);
  });

  test('is none once all calls of a count were made: none is held back any more', () => {
    const { intervals } = silent(0);
    // Half of them in the first second, the rest in the third.
    const counted = (calls: number, change: Partial<RunResult> = {}): number => {
      const result = withLoad({ model: 'count', calls, inFlight: 2 });
      const made = intervals.map((each) => ({
        ...each,
        totals: {
          ...each.totals,
          started: each.atMs === 0 || each.atMs === 2000 ? 150 : 0,
          inFlight: 150,
          ok: 0,
          answered: 0,
          cancelled: 0,
        },
      }));
      return targetFacts({ ...result, intervals: made, ...change }).silentMs;
    };
    expect(counted(301)).toBe(15_000);
    expect(counted(300)).toBe(3000);
    // Of two phases with as many each, neither has made all of its own.
    const { scenario } = withLoad({ model: 'count', calls: 300, inFlight: 2 });
    const two = {
      scenario: { ...scenario, phases: [scenario.phases[0]!, scenario.phases[0]!] },
      phases: [samplePhase({ durationMs: 2000 }), samplePhase({ startMs: 2000, durationMs: 13_000 })],
    };
    expect(counted(300, two)).toBe(15_000);
  });

  test('is none where errors take as long, unless calls were waited for in vain', () => {
    const { metrics, totals } = silent(0);
    const slow = { metrics: { ...metrics, 'failed.response': metricOf([6e9]) } };
    const outcomes = sampleOutcomes({ ok: 9, httpError: { 504: 8 } });
    expect(targetFacts(silent(200, { ...slow, totals: { ...totals, outcomes } })).silentMs).toBe(0);
    const lost = { ...totals, outcomes: { ...outcomes, timeout: 1 } };
    expect(targetFacts(silent(200, { ...slow, totals: lost })).silentMs).toBe(10_000);
  });

  test('is none where the scenario cancels only after so long', () => {
    const { scenario, totals } = silent(0);
    const patient = {
      ...scenario,
      operations: scenario.operations.map((o) => ({ ...o, cancelAfterNs: 6e9 })),
    };
    const cancelled = { ...totals, outcomes: sampleOutcomes({ ok: 9, cancelled: 8, disconnected: 1 }) };
    expect(targetFacts(silent(200, { scenario: patient, totals: cancelled })).silentMs).toBe(0);
    expect(targetFacts(silent(200, { scenario: patient })).silentMs).toBe(10_000);
  });
});

test.each([
  ['http://127.0.0.1:1/sse', true],
  ['http://[::1]:1/sse', true],
  ['https://user:pass@localhost/sse', true],
  ['http://bench:8080/sse', true],
  ['https://example.org/sse', false],
  ['https://localhost.example.org/sse', false],
])('%s is on this machine: %s', (url, local) => {
  const { target } = sampleResult();
  expect(
    generatorFacts(sampleResult({ target: { ...target, url, builtIn: false } })).targetOnThisMachine,
  ).toBe(local);
});

function withLoad(load: Load): RunResult {
  const { scenario } = sampleResult();
  return sampleResult({ scenario: { ...scenario, phases: [{ name: 'steady', durationNs: 15e9, load }] } });
}
