import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { disturbed, madeUpRun, madeUpSide } from '../../compare/comparison.fixture.js';
import { type History, historyOf } from '../../compare/history.js';
import { sampleAvailability } from '../../result/result.fixture.js';
import type { RunResult } from '../../result/result.js';
import { displayWidth } from '../formats/display-width.js';
import { htmlHistory } from '../page/history/history-html.js';
import { terminalHistory } from './history-terminal.js';

const factors = [0.99, 1.004, 1, 1.011, 0.995, 1.002, 0.998, 1.006, 1.001, 0.993];

function stored(runs: readonly RunResult[]): { path: string; result: RunResult }[] {
  return runs.map((result, at) => ({ path: `results/${at}.json`, result }));
}

function stepped(): History {
  const before = madeUpSide({}, factors);
  const after = madeUpSide({ medianMs: 22.3, minute: 2000 }, factors).map((run) => ({
    ...run,
    environment: { ...run.environment, git: 'def5678' },
  }));
  const others: RunResult[] = [
    madeUpRun({ minute: 3000, change: { validity: { state: 'suspect', reasons: [], warnings: [] } } }),
    madeUpRun({ minute: 3001, change: { ended: 'interrupted' } }),
    { ...before[0]!, environment: { ...before[0]!.environment, hostname: 'other' } },
    madeUpRun({ minute: 3002, change: { name: 'something else' } }),
  ];
  // In any order: what counts is when they started.
  return historyOf('steady', stored([...others, ...after, ...before]))!;
}

test('a step is found, in the metrics that have it, at the run that began it', () => {
  const history = stepped();
  expect(history.runs).toHaveLength(20);
  expect(history.leftOut).toEqual({ suspect: 1, incomplete: 1, others: 1 });
  const changes = Object.fromEntries(history.trends.map(({ metric, changes }) => [metric, changes]));
  expect(changes.p50).toMatchObject([{ at: 10 }]);
  expect(changes.p50![0]!.ratio).toBeCloseTo(1.115, 2);
  expect(changes.throughput).toEqual([]);
  expect(changes.errors).toEqual([]);
  expect(history.runs[10]!.git).toBe('def5678');
});

test('now is the newest run, also where it left the level a moment ago', () => {
  const latest = madeUpSide({ medianMs: 40, minute: 3000 }, [1]);
  const history = historyOf('steady', stored([...latest, ...madeUpSide({}, factors)]))!;
  const p50 = history.trends.find(({ metric }) => metric === 'p50')!;
  expect(p50.changes).toEqual([]);
  expect(p50.newest).toBe(p50.values.at(-1));
  expect(p50.newest / 1e6).toBeCloseTo(40, 1);
  expect(p50.level / 1e6).toBeCloseTo(20, 1);
  const row = terminalHistory(history, { colour: false, width: 120 }).match(/^ {2}p50 .*$/m)![0];
  expect(row.split(/ {2,}/).slice(1, 6)).toEqual(['p50', '19.8 ms', '40.0 ms', '20.0 ms', '40.0 ms']);
  expect(htmlHistory(history)).toContain('<h2>p50 <small>now 40.0 ms, level 20.0 ms</small></h2>');
});

test('a figure that the generator may have moved is marked wherever it stands', () => {
  const latest = madeUpSide({ medianMs: 40, minute: 3000 }, [1]).map((run) => disturbed(run, 'p50', 0.5));
  const history = historyOf('steady', stored([...madeUpSide({}, factors), ...latest]))!;
  const text = terminalHistory(history, { colour: false, width: 120 });
  expect(
    text
      .match(/^ {2}p50 .*$/m)![0]
      .split(/ {2,}/)
      .slice(1, 6),
  ).toEqual(['p50', '19.8 ms', '40.0 ms~', '20.0 ms', '40.0 ms~']);
  expect(text).toContain('~ disturbed by the generator (p50 in 1 run): no change of a level');
  const html = htmlHistory(history);
  expect(html).toContain('<h2>p50 <small>now 40.0 ms~, level 20.0 ms</small></h2>');
  expect(html.match(/class="run disturbed"/g)).toHaveLength(1);
  expect(html).toContain('<td>40.0 ms~</td>');
  expect(html).toContain('~ disturbed by the generator (p50 in 1 run)');
});

test('there is none without valid runs of that name', () => {
  expect(historyOf('nothing', stored(madeUpSide({})))).toBeUndefined();
  expect(historyOf('steady', stored([madeUpRun({ change: { ended: 'failed' } })]))).toBeUndefined();
  const { totals } = madeUpRun({});
  const gone = sampleAvailability({ downSinceMs: 4_100, gone: 'connection refused' });
  const outlived = madeUpRun({ change: { totals: { ...totals, availability: gone } } });
  expect(historyOf('steady', stored([outlived]))).toBeUndefined();
});

test('errors that begin are a change of level, too', () => {
  const history = historyOf(
    'steady',
    stored([...madeUpSide({}, factors), ...madeUpSide({ failed: 90, minute: 2000 }, factors)]),
  )!;
  const errors = history.trends.find(({ metric }) => metric === 'errors')!;
  expect(errors.changes).toMatchObject([{ at: 10, before: 0, after: 0.015 }]);
  expect(terminalHistory(history, { colour: false, width: 100 })).toContain('errors 0 % → 1.5 % from run 11');
});

test('it looks as it did', async () => {
  const history = stepped();
  await expect(terminalHistory(history, { colour: false, width: 100 })).toMatchFileSnapshot(
    './golden/history.txt',
  );
  await expect(htmlHistory(history)).toMatchFileSnapshot('./golden/history.html');
});

test('long histories show their newest runs, within the width', () => {
  const many = Array.from({ length: 120 }, (_, at) => factors[at % factors.length]!);
  const history = historyOf('steady', stored(madeUpSide({}, many)))!;
  for (const width of [60, 80, 120]) {
    const text = terminalHistory(history, { colour: true, width });
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(stripVTControlCharacters(text)).toContain('…');
  }
});

test('nothing from elsewhere is more than text in the page', () => {
  const evil = '"><script>alert(1)</script>\'&';
  const run = madeUpRun({ change: { name: evil } });
  const hostile = { ...run, environment: { ...run.environment, git: evil, hostname: evil } };
  const html = htmlHistory(historyOf(evil, stored([hostile]))!);
  expect(html).not.toContain('<script');
  expect(html).not.toMatch(/(?:src|href)=|url\(|@import/);
  expect(html).toContain('&lt;script&gt;');
});
