import { expect, test } from 'vitest';
import { contests } from './versus-result.fixture.js';
import { rankContest } from './rank-contest.js';
import type { VersusResult, VersusRun, VersusTarget } from './versus-result.js';

function rank(
  name: string,
  change: (targets: VersusTarget[]) => VersusTarget[] = (same) => same,
): VersusResult {
  const result = contests[name]!();
  const targets = change([...result.targets]);
  return { ...result, targets, ...rankContest(targets, result.rounds, result.scenario) };
}
const placesOf = (result: VersusResult, metric: string): [string, number][] =>
  result.rankings
    .find((ranking) => ranking.metric === metric)!
    .places.map(({ target, place }) => [target, place]);

test('under a pace that all kept up with they are ranked by latency, and calls/s tells nobody apart', () => {
  const paced = rank('paced');
  expect(paced.rankings[0]!.metric).toBe('p50');
  expect(placesOf(paced, 'p50')).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  expect(placesOf(paced, 'callsPerSec').map(([, place]) => place)).toEqual([1, 1]);
});

const slowed = (run: VersusRun): VersusRun => ({
  ...run,
  achieved: false,
  figures: { ...run.figures, callsPerSec: 60 },
});

test('one that did not keep up is behind in calls/s, too', () => {
  const fallen = rank('paced', ([a, b]) => [a!, { ...b!, runs: b!.runs.map(slowed) }]);
  expect(placesOf(fallen, 'callsPerSec').map(([, place]) => place)).toEqual([1, 2]);
});

test('a closed loop with think time is paced by us', () => {
  const result = contests['ranked']!();
  const [phase] = result.scenario.phases;
  const load = { model: 'closed', inFlight: 1, thinkNs: 1e9 } as const;
  const main = (scenario: VersusResult['scenario']): string =>
    rankContest(result.targets, result.rounds, scenario).rankings[0]!.metric;
  expect(main(result.scenario)).toBe('callsPerSec');
  expect(main({ ...result.scenario, phases: [{ ...phase!, load }] })).toBe('p50');
});

test('tools are ranked by themselves, at the level of all their tables together', () => {
  const { rankings, toolRankings } = rank('tools');
  const main = Object.fromEntries(rankings[0]!.places.map(({ target, ties }) => [target, ties]));
  expect(main['slow-search']).toBe(main['even']);
  expect(toolRankings.map(({ tool, metric }) => `${tool} ${metric}`)).toEqual([
    'search p50',
    'search p99',
    'echo p50',
    'echo p99',
  ]);
  const [search] = toolRankings;
  expect(search!.confidence).toBeCloseTo(0.9875);
  expect(search!.places.map(({ target, place }) => [target, place])).toEqual([
    ['even', 1],
    ['slow-search', 2],
    ['slow', 3],
  ]);
});

test('a suspect run ranks nobody: the one made in its place does', () => {
  const { rankings, targets } = rank('suspect');
  const b = targets.find(({ name }) => name === 'b')!;
  expect(b.runs.map(({ round, state }) => `${round} ${state}`)).toEqual([
    '1 ok',
    '2 suspect',
    '2 ok',
    '3 ok',
    '4 ok',
    '5 ok',
  ]);
  expect(rankings[0]!.places.map(({ target, values }) => [target, values.length])).toEqual([
    ['a', 5],
    ['b', 5],
  ]);
});

test('a figure that the generator may have moved tells apart only whom that could not have moved', () => {
  const places = (low: number): [string, number][] =>
    placesOf(
      rank('paced', ([a, b]) => [
        a!,
        {
          ...b!,
          runs: b!.runs.map((run) => ({
            ...run,
            disturbed: { p50: { low: run.figures.p50! * low, high: run.figures.p50! } },
          })),
        },
      ]),
      'p50',
    );
  // b is twice as slow as a: that half of it is the generator's would make them level.
  expect(places(0.9).map(([, place]) => place)).toEqual([1, 2]);
  expect(places(0.5).map(([, place]) => place)).toEqual([1, 1]);
  expect(places(0).map(([, place]) => place)).toEqual([1, 1]);
});
