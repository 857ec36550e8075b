import { expect, test } from 'vitest';
import { metricOf, sampleAvailability, sampleResult, spread } from '../../result/result.fixture.js';
import type { PercentileKey, RunResult, ThresholdResult } from '../../result/result.js';
import { disturbedWanted } from '../../result/wanted-figures.js';
import { rerunDisturbed } from './rerun-disturbed.js';

function disturbed(...keys: PercentileKey[]): RunResult {
  const response = metricOf(spread(12_000, 5e6, 0.4));
  const low = { p50: 0, p90: 0, p95: 0, p99: 0, p999: 0 };
  return sampleResult({ metrics: { 'call.response': { ...response, low, disturbed: keys } } });
}

/** Runs that come out like this one after the other, of which so many may be thrown away. */
async function rerun(times: number, results: RunResult[], gates: string[] | null = null) {
  const said: string[] = [];
  let runs = 0;
  const kept = await rerunDisturbed(
    times,
    async () => ({ result: results[runs++]! }),
    (result) => disturbedWanted(result, gates),
    (text) => said.push(text),
  );
  return { runs, said, result: kept.result, notes: kept.result.validity.warnings.map(({ code }) => code) };
}

test('a sound run is made once', async () => {
  expect(await rerun(3, [disturbed()])).toMatchObject({ runs: 1, said: [], notes: [] });
});

test('a disturbed one is made again until one is sound, and that one says so', async () => {
  const { runs, said, notes, result } = await rerun(3, [
    disturbed('p50', 'p99'),
    disturbed('p90'),
    disturbed(),
  ]);
  expect({ runs, notes }).toEqual({ runs: 3, notes: ['rerun-disturbed'] });
  expect(said).toEqual([
    'disturbed, again (1 of 3): p50, p99 of call.response are disturbed',
    'disturbed, again (2 of 3): p90 of call.response is disturbed',
  ]);
  expect(result.validity.warnings[0]!.message).toMatch(/^2 runs before this one were thrown away/);
});

test('but no more often than allowed: the last is kept, and says that it is disturbed, too', async () => {
  const { runs, result } = await rerun(2, [
    disturbed('p50'),
    disturbed('p50'),
    disturbed('p50'),
    disturbed(),
  ]);
  expect(runs).toBe(3);
  expect(result.validity.warnings[0]!.message).toMatch(/This one is disturbed, too\.$/);
});

test('what nobody asked for is no reason: only undecided thresholds are, or gated percentiles', async () => {
  const threshold = (state: ThresholdResult['state']): ThresholdResult => ({
    metric: 'call.response',
    rule: 'p(50) < 9ms',
    value: 12e6,
    low: 5e6,
    high: 12e6,
    limit: 9e6,
    state,
    abortOnFail: false,
    detail: '5 ms',
  });
  const decided = { ...disturbed('p50', 'p99'), thresholds: [threshold('pass')] };
  expect(await rerun(3, [decided])).toMatchObject({ runs: 1 });
  const undecided = { ...disturbed('p50'), thresholds: [threshold('undecided')] };
  expect(await rerun(3, [undecided, decided])).toMatchObject({ runs: 2 });
  expect(await rerun(3, [disturbed('p99')], ['p50'])).toMatchObject({ runs: 1 });
  expect(await rerun(3, [disturbed('p99'), disturbed()], ['p50', 'p99'])).toMatchObject({ runs: 2 });
});

test('a gate on one tool is asked for like any other', async () => {
  const { metrics } = disturbed('p50');
  const search = { 'call.response{tool:search}': metrics['call.response']! };
  const run = { ...disturbed(), metrics: { ...disturbed().metrics, ...search } };
  expect(await rerun(3, [run], ['p50', 'search p99'])).toMatchObject({ runs: 1 });
  expect(await rerun(3, [run, disturbed()], ['p50', 'search p50'])).toMatchObject({
    runs: 2,
    said: ['disturbed, again (1 of 3): search p50 of call.response is disturbed'],
  });
});

test('what the server did is no reason: that it went, or took too few of the calls to decide anything', async () => {
  const { totals } = sampleResult();
  const gone = sampleAvailability({ downSinceMs: 4_100, gone: 'connection refused' });
  expect(await rerun(3, [{ ...disturbed('p50'), totals: { ...totals, availability: gone } }])).toMatchObject({
    runs: 1,
    notes: [],
  });
  const tooLittleSent: ThresholdResult = {
    metric: 'call.response',
    rule: 'p(50) < 9ms',
    value: 5e6,
    low: 4e6,
    high: 5e6,
    limit: 9e6,
    state: 'undecided',
    abortOnFail: false,
    detail: '5 ms, but only 98 % of the calls that were due were sent (99 % are needed)',
  };
  expect(await rerun(3, [{ ...disturbed(), thresholds: [tooLittleSent] }])).toMatchObject({ runs: 1 });
});

test('an interrupted run is not made again', async () => {
  expect(await rerun(3, [{ ...disturbed('p50'), ended: 'interrupted' }])).toMatchObject({
    runs: 1,
    notes: [],
  });
});
