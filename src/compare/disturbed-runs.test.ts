import { expect, test } from 'vitest';
import type { RunResult } from '../result/result.js';
import { calibrationEntry } from './calibration.js';
import { compareRuns } from './compare-runs.js';
import { disturbed, madeUpSide } from './comparison.fixture.js';
import { historyOf } from './history.js';

const base = madeUpSide({});
const slower = madeUpSide({ minute: 1, medianMs: 22.3 });

function outcomes(head: readonly RunResult[]): Record<string, string | null> {
  const { rows, outcome } = compareRuns(base, head);
  const verdicts = rows.filter(({ gate }) => gate !== null).map(({ metric, verdict }) => [metric, verdict]);
  return { outcome, ...Object.fromEntries(verdicts) };
}

test('a regression that the generator may have made is none', () => {
  expect(outcomes(slower)).toMatchObject({ outcome: 'regression', p50: 'regression' });
  const head = slower.map((run) => disturbed(run, 'p50', 0.2));
  const comparison = compareRuns(base, head);
  expect(comparison.outcome).toBe('inconclusive');
  const row = comparison.rows.find(({ metric }) => metric === 'p50')!;
  expect(row).toMatchObject({ verdict: 'inconclusive', disturbed: 5 });
  expect(row.doubt).toBe('p50 is disturbed in 5 of the 10 runs, enough to turn the verdict');
  // More of them would be as disturbed; and it is not its size that is in doubt.
  expect(row.runsNeeded).toBeNull();
  const said = comparison.notes.map(({ message }) => message).join('\n');
  expect(said).toContain('enough to turn the verdict: repeat these runs');
  expect(said).toContain('so nothing behind it decides: the generator may have made the difference');
  expect(said).not.toMatch(/runs a side would|verdict on the size/);
});

test('figures that are inconclusive by themselves are no less so for being disturbed: more runs would settle them', () => {
  const noisy = madeUpSide({ minute: 1, medianMs: 21 }, [0.85, 1.12, 1, 1.07, 0.9]);
  const { rows, notes } = compareRuns(
    base,
    noisy.map((run) => disturbed(run, 'p50', 0.2)),
  );
  const p50 = rows.find(({ metric }) => metric === 'p50')!;
  expect(p50).toMatchObject({ verdict: 'inconclusive', disturbed: 5, turned: false, doubt: null });
  expect(notes.map(({ message }) => message).join('\n')).toMatch(/\d+ runs a side would probably settle it/);
});

test('one that remains one whatever the generator did stays, and so does a sound median beside a disturbed tail', () => {
  const much = madeUpSide({ minute: 1, medianMs: 60 }).map((run) => disturbed(run, 'p50', 0.2));
  expect(outcomes(much)).toMatchObject({ outcome: 'regression', p50: 'regression' });
  const tail = slower.map((run) => disturbed(run, 'p99', 0.9));
  expect(outcomes(tail)).toMatchObject({ outcome: 'regression', p50: 'regression', p99: 'inconclusive' });
});

test('no change is not concluded from figures that the generator may have raised on the other side', () => {
  const same = madeUpSide({ minute: 1 });
  expect(outcomes(same)).toMatchObject({ p50: 'no change' });
  expect(outcomes(same.map((run) => disturbed(run, 'p50', 0.3)))).toMatchObject({ p50: 'inconclusive' });
});

test('in a history a disturbed figure is shown, and is no change of the level; a calibration leaves it out', () => {
  const runs = madeUpSide({}, [1, 1.004, 0.996, 1.002, 0.998, 1.001, 3, 3.1, 3, 3.05, 3, 3.02]);
  const stored = (results: readonly RunResult[]) => results.map((result, at) => ({ path: `${at}`, result }));
  const p50 = (results: readonly RunResult[]) =>
    historyOf('steady', stored(results))!.trends.find(({ metric }) => metric === 'p50')!;
  expect(p50(runs).changes).toHaveLength(1);
  const marked = runs.map((run, at) => (at >= 6 ? disturbed(run, 'p50', 0.9) : run));
  const trend = p50(marked);
  expect(trend.changes).toEqual([]);
  expect(trend.values).toHaveLength(12);
  expect(trend.median).toBeLessThan(21e6);
  expect(calibrationEntry(marked, '2026-11-18').metrics.p50!.cv).toBeLessThan(0.01);
  expect(calibrationEntry(runs, '2026-11-18').metrics.p50!.cv).toBeGreaterThan(0.3);
});

test('and where the generator may have moved all of them, none is a change of the level', () => {
  const runs = madeUpSide({}, [1, 1.004, 0.996, 1.002, 0.998, 1.001, 3, 3.1, 3, 3.05, 3, 3.02]);
  const marked = runs.map((run) => disturbed(run, 'p50', 0.9));
  const stored = marked.map((result, at) => ({ path: `${at}`, result }));
  const trend = historyOf('steady', stored)!.trends.find(({ metric }) => metric === 'p50')!;
  expect(trend.changes).toEqual([]);
  expect(trend.level).toBe(trend.median);
});
