import { expect, test } from 'vitest';
import { generatorFacts, targetFacts } from './facts.js';
import { findFindings } from './findings.js';
import { metricOf, samplePhase, sampleResult } from './result.fixture.js';
import type { RunResult } from './result.js';
import { judgeValidity } from './validity.js';

test('a good run is valid and without findings', () => {
  const result = sampleResult();
  expect(judgeValidity(generatorFacts(result))).toEqual({ state: 'valid', reasons: [], warnings: [] });
  expect(findFindings(targetFacts(result))).toEqual([]);
});

test('the phases carry their own figures, and their load model says how to read them', () => {
  const result = withLoad({ model: 'burst', calls: 8, everyNs: 1e9 });
  const lag = { 'schedule.lag': metricOf([1e6, 2e6]) };
  const facts = generatorFacts({ ...result, phases: [samplePhase({ metrics: lag })] });
  expect(facts.phases).toEqual([
    {
      name: 'steady',
      loop: 'burst',
      everyNs: 1e9,
      scheduleLagP99Ns: lag['schedule.lag'].p99,
      responseP50Ns: null,
      responseP99Ns: null,
    },
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

function withLoad(load: RunResult['scenario']['phases'][number]['load']): RunResult {
  const { scenario } = sampleResult();
  return sampleResult({ scenario: { ...scenario, phases: [{ name: 'steady', durationNs: 15e9, load }] } });
}
