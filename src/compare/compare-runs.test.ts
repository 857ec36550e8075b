import { sampleAvailability } from '../result/result.fixture.js';
import { describe, expect, it, test } from 'vitest';
import { sampleOutcomes, sampleResult } from '../result/result.fixture.js';
import type { RunResult } from '../result/result.js';
import { compareRuns } from './compare-runs.js';
import { comparisons, madeUpRun, madeUpSide, type MadeUp } from './comparison.fixture.js';
import type { Comparison, ComparisonRow } from './comparison.js';

const later: MadeUp = { minute: 1 };

function row(comparison: Comparison, metric: string): ComparisonRow {
  const found = comparison.rows.find((row) => row.metric === metric);
  if (found === undefined) throw new Error(`no row ${metric}`);
  return found;
}

function codes(comparison: Comparison): string[] {
  return [...comparison.refusals, ...comparison.notes].map(({ code }) => code);
}

test.each([2, 3])('%s noisy runs a side are inconclusive, and say how many would settle it', (runs) => {
  const noisy = [0.9, 1.12, 1.02].slice(0, runs);
  const comparison = compareRuns(madeUpSide({}, noisy), madeUpSide({ ...later, medianMs: 21 }, noisy));
  expect(comparison).toMatchObject({ method: 'few runs', outcome: 'inconclusive' });
  expect(row(comparison, 'p50').runsNeeded).toBeGreaterThan(4);
});

describe('a tool that got slower while all calls together did not', () => {
  const [base, head] = [madeUpSide({}), madeUpSide({ ...later, sleepSlower: 1.8 })];

  it('is told, with the gate that would have failed it', () => {
    const comparison = compareRuns(base, head);
    expect(comparison.outcome).toBe('passed');
    const note = comparison.notes.find(({ code }) => code === 'tools-slower')!;
    expect(note.state).toBe('doubt');
    expect(note.message).toContain('judged by no gate: sleep p50, sleep p99.');
    expect(note.message).toContain('--gates "errors,p50,p99,throughput,sleep p50,sleep p99"');
    expect(codes(compareRuns(madeUpSide({}), madeUpSide(later)))).not.toContain('tools-slower');
  });

  it('fails where it is asked for, in its place of the sequence, by its own margin', () => {
    const asked = compareRuns(base, head, { gates: ['errors', 'p99', 'sleep p50', 'p50'] });
    expect(asked.outcome).toBe('regression');
    expect(asked.gates.steps.map(({ gate, verdict }) => [gate, verdict])).toEqual([
      ['errors', 'no change'],
      ['p50', 'no change'],
      ['sleep p50', 'regression'],
      ['p99', 'no change'],
    ]);
    expect(asked.rows.slice(0, 4).map(({ metric }) => metric)).toEqual(['errors', 'p50', 'sleep p50', 'p99']);
    const allowed = compareRuns(base, head, { gates: ['sleep p50'], margins: { 'sleep p50': 1 } });
    expect(allowed.outcome).toBe('passed');
    expect(row(allowed, 'sleep p50').verdict).toBe('slower, size uncertain');
    // The margin of p50 is that of its tools, where they have none of their own.
    expect(compareRuns(base, head, { gates: ['sleep p50'], margins: { p50: 1 } }).outcome).toBe('passed');
  });

  it('must be one that the runs have', () => {
    expect(() => compareRuns(base, head, { gates: ['slep p50'] })).toThrow(
      '--gates: "slep p50": there is no such tool in these runs: they have echo, sleep.',
    );
    const single = [...base, ...head].map((run) => ({ ...run, operations: run.operations.slice(0, 1) }));
    expect(() => compareRuns(single.slice(0, 5), single.slice(5), { gates: ['echo p50'] })).toThrow(
      'one kind of call only',
    );
  });
});

describe('five runs a side', () => {
  test.each([
    ['passed', 'passed'],
    ['regression', 'regression'],
    ['improvement', 'passed'],
    ['slower', 'passed'],
    ['inconclusive', 'inconclusive'],
    ['errors', 'regression'],
    ['refused', 'refused'],
  ])('%s: %s', (name, outcome) => {
    expect(comparisons[name]!()).toMatchObject({ method: 'ranks', outcome });
  });

  it('gives the gates first, in their order, then what is only shown', () => {
    const { rows, gates } = comparisons.passed!();
    expect(rows.map(({ metric }) => metric)).toEqual([
      'errors',
      'p50',
      'p99',
      'throughput',
      'p90',
      'handshake.total p50',
      'echo p50',
      'echo p99',
      'sleep p50',
      'sleep p99',
    ]);
    expect(gates.steps.map(({ gate }) => gate)).toEqual(['errors', 'p50', 'p99', 'throughput']);
    expect(rows.filter(({ gate }) => gate === null).every(({ verdict }) => verdict === null)).toBe(true);
  });

  it('is mirrored by swapping the sides', () => {
    const base = madeUpSide({});
    const head = madeUpSide({ ...later, medianMs: 22.3 });
    const there = row(compareRuns(base, head), 'p50');
    const back = row(compareRuns(head, base), 'p50');
    expect(there.verdict).toBe('regression');
    expect(back.verdict).toBe('improvement');
    expect(there.effect * back.effect).toBeCloseTo(1, 9);
    expect(there.interval!.low * back.interval!.high).toBeCloseTo(1, 9);
  });

  it('lets nothing behind an inconclusive gate decide, and says what would settle it', () => {
    const comparison = comparisons.inconclusive!();
    expect(comparison.gates.stoppedAt).toBe('p50');
    expect(row(comparison, 'p50')).toMatchObject({ verdict: 'inconclusive', decides: true });
    expect(row(comparison, 'p50').runsNeeded).toBeGreaterThan(5);
    expect(row(comparison, 'p99').decides).toBe(false);
    expect(codes(comparison)).toEqual(['variation', 'may-miss', 'inconclusive']);
  });

  it('counts failed calls as slower than any other', () => {
    const comparison = compareRuns(madeUpSide({}), madeUpSide({ ...later, medianMs: 15, failed: 90 }));
    expect(row(comparison, 'p99')).toMatchObject({ head: Infinity, effect: Infinity, verdict: 'regression' });
    expect(row(comparison, 'p50').verdict).toBe('improvement');
    expect(row(comparison, 'errors')).toMatchObject({ head: 0.015, verdict: 'regression' });
  });

  it('does not count calls that we cut off ourselves among the errors', () => {
    const run = madeUpRun(later);
    const outcomes = sampleOutcomes({ ok: 3000, toolError: 1000, aborted: 2000 });
    const cut = { ...run, totals: { ...run.totals, outcomes } };
    expect(row(compareRuns([madeUpRun()], [cut]), 'errors').head).toBe(0.25);
  });

  it('takes margins, the floor and the gates from the user', () => {
    const base = madeUpSide({});
    const head = madeUpSide({ ...later, medianMs: 22.3 });
    const verdict = (options: Parameters<typeof compareRuns>[2]): string | null =>
      row(compareRuns(base, head, options), 'p50').verdict;
    expect(verdict({})).toBe('regression');
    expect(verdict({ margins: { p50: 0.2 } })).toBe('slower, size uncertain');
    expect(verdict({ floorNs: 5e6 })).toBe('slower, size uncertain');
    const fewer = compareRuns(base, head, { gates: ['errors', 'throughput'] });
    expect(fewer.outcome).toBe('passed');
    expect(row(fewer, 'p50')).toMatchObject({ gate: null, verdict: null, direction: 'worse' });
    expect(fewer.rows.map(({ metric }) => metric).slice(0, 2)).toEqual(['errors', 'throughput']);
  });

  it('leaves a tool out that a run has no call of', () => {
    const base = madeUpSide({});
    const head = madeUpSide(later);
    const { 'call.response{tool:sleep}': _, ...metrics } = head[0]!.metrics;
    const operations = head[0]!.operations.map((operation) =>
      operation.name === 'sleep' ? { ...operation, started: 0, outcomes: sampleOutcomes() } : operation,
    );
    const { rows } = compareRuns(base, [{ ...head[0]!, metrics, operations }, ...head.slice(1)]);
    expect(rows.map(({ metric }) => metric)).toContain('echo p50');
    expect(rows.map(({ metric }) => metric)).not.toContain('sleep p50');
  });

  it('decides on sides of unequal size, from four runs on', () => {
    const base = madeUpSide({}, [1, 1.01, 0.99, 1.005, 0.995, 1.002]);
    const head = madeUpSide({ ...later, medianMs: 22.3 }, [1, 1.01, 0.99, 1.004]);
    expect(compareRuns(base, head)).toMatchObject({ method: 'ranks', outcome: 'regression' });
    expect(compareRuns(base, head.slice(1))).toMatchObject({ method: 'few runs', outcome: 'passed' });
  });
});

describe('fewer than four runs on a side', () => {
  it('says that there is a change, and never that it fails anybody', () => {
    for (const [baseRuns, headRuns] of [
      [2, 2],
      [3, 3],
      [1, 3],
      [5, 1],
    ]) {
      const factors = [1, 1.004, 0.997, 1.002, 0.999];
      const comparison = compareRuns(
        madeUpSide({}, factors.slice(0, baseRuns)),
        madeUpSide({ ...later, medianMs: 60 }, factors.slice(0, headRuns)),
      );
      expect(comparison).toMatchObject({ method: 'few runs', outcome: 'passed' });
      expect(row(comparison, 'p50')).toMatchObject({
        verdict: 'slower, size uncertain',
        direction: 'worse',
      });
      expect(codes(comparison)).toContain('held-back');
    }
  });

  it('decides where this machine was calibrated for just this', () => {
    const known = {
      source: 'calibration',
      exact: true,
      metrics: { p50: { sdLog: 0.01, degreesOfFreedom: 9 } },
    };
    const base = madeUpSide({}, [1, 1.01]);
    const head = madeUpSide({ ...later, medianMs: 23 }, [1, 1.01]);
    expect(compareRuns(base, head, { known }).outcome).toBe('regression');
    expect(compareRuns(base, head, { known: { ...known, exact: false } }).outcome).toBe('passed');
  });
});

describe('one run a side', () => {
  it('shows the change and its interval within the runs, and no verdict', () => {
    const comparison = comparisons.oneRun!();
    expect(comparison).toMatchObject({ method: 'one run', outcome: 'inconclusive' });
    const p50 = row(comparison, 'p50');
    expect(p50).toMatchObject({ verdict: null, direction: null });
    expect(p50.effect).toBeCloseTo(1.115, 2);
    expect(p50.interval!.low).toBeGreaterThan(1.05);
    expect(codes(comparison)).toEqual(['undecided']);
  });

  it('decides where this machine was calibrated for just this', () => {
    const comparison = comparisons.calibrated!();
    expect(comparison.outcome).toBe('regression');
    const narrow = row(comparisons.oneRun!(), 'p50').interval!;
    const wide = row(comparison, 'p50').interval!;
    expect(wide.high / wide.low).toBeGreaterThan(narrow.high / narrow.low);
  });

  it('says so where the runs are too short to be resampled', () => {
    const comparison = compareRuns([madeUpRun()], [madeUpRun({ ...later, medianMs: 30 })]);
    expect(row(comparison, 'p50')).toMatchObject({ verdict: null, interval: null });
    expect(row(comparison, 'p50').doubt).toMatch('needs 30 whole seconds');
  });

  it('never blames errors of a single run', () => {
    const comparison = compareRuns([madeUpRun()], [madeUpRun({ ...later, failed: 3000 })]);
    expect(row(comparison, 'errors').verdict).toBe('slower, size uncertain');
    expect(comparison.gates.regression).toBe(false);
  });
});

describe('what cannot be compared', () => {
  const base = madeUpSide({});
  const changed = (change: (run: RunResult) => Partial<RunResult>): RunResult[] =>
    madeUpSide(later).map((run) => ({ ...run, scenarioHash: 'other', ...change(run) }));
  const plan = (run: RunResult, change: Partial<RunResult['scenario']>): Partial<RunResult> => ({
    scenario: { ...run.scenario, ...change },
  });

  test.each<[string, RunResult[]]>([
    ['different-post-policy', changed((run) => plan(run, { posts: { mode: 'shared', connections: 16 } }))],
    [
      'different-offered-load',
      changed((run) => plan(run, { sessions: { ...run.scenario.sessions, count: 101 } })),
    ],
    ['different-offered-load', changed((run) => plan(run, { warmupNs: 1 }))],
    [
      'different-scenario',
      changed((run) =>
        plan(run, { operations: [{ ...run.scenario.operations[0]!, arguments: { message: 'x' } }] }),
      ),
    ],
    ['different-scenario', changed(() => ({}))],
    ['different-transport', changed((run) => ({ target: { ...run.target, transport: 'stdio' } }))],
    ['different-era', changed((run) => ({ target: { ...run.target, era: 'stateless' } }))],
    ['incomplete', changed((run) => ({ ...plan(run, { seed: 2 }), seed: 2, ended: 'interrupted' }))],
    [
      'target-gone',
      changed((run) => ({
        scenarioHash: run.scenarioHash,
        totals: { ...run.totals, availability: sampleAvailability({ downSinceMs: 4000, gone: 'refused' }) },
      })),
    ],
    [
      'suspect',
      changed((run) => ({
        scenarioHash: run.scenarioHash,
        validity: { state: 'suspect', reasons: [{ code: 'schedule-lag', message: 'late' }], warnings: [] },
      })),
    ],
  ])('%s', (code, head) => {
    const comparison = compareRuns(base, head);
    expect(comparison).toMatchObject({ outcome: 'refused', rows: [] });
    expect(comparison.refusals.map((refusal) => refusal.code)).toContain(code);
    // Swapped or mixed into one side, it is as bad.
    expect(compareRuns(head, base).outcome).toBe('refused');
    expect(compareRuns([...base, head[0]!], head.slice(1)).outcome).toBe('refused');
  });

  it('is not what has another seed, another name or another server', () => {
    const head = changed((run) => ({
      ...plan(run, { seed: 7, name: 'other' }),
      seed: 7,
      name: 'other',
      target: { ...run.target, url: 'http://127.0.0.1:1/sse', server: null },
    }));
    const comparison = compareRuns(base, head);
    expect(comparison.outcome).toBe('passed');
    expect(codes(comparison)).toEqual(['different-name', 'different-seeds', 'variation']);
  });

  it('is not another transport or era where that is asked for, and it is marked', () => {
    const head = madeUpSide(later).map((run) => ({
      ...run,
      target: { ...run.target, transport: 'streamable' as const, era: 'stateless' as const },
    }));
    expect(codes(compareRuns(base, head)).filter((code) => code === 'different-transport')).toHaveLength(1);
    const comparison = compareRuns(base, head, { allowTransport: true });
    expect(comparison).toMatchObject({ outcome: 'passed', refusals: [] });
    expect(comparison.notes.slice(0, 2)).toMatchObject([
      { state: 'bad', code: 'different-transport', message: expect.stringContaining('streamable in head') },
      { state: 'bad', code: 'different-era' },
    ]);
    // Other work stays other work.
    const work = head.map((run) => ({ ...run, ...plan(run, { warmupNs: 1 }), scenarioHash: 'other' }));
    expect(compareRuns(base, work, { allowTransport: true }).outcome).toBe('refused');
  });

  it('is not another machine, which is marked all the same', () => {
    const environment = { ...sampleResult().environment, hostname: 'elsewhere', cpu: 'Slower 1' };
    const comparison = compareRuns(
      base,
      madeUpSide(later).map((run) => ({ ...run, environment })),
    );
    expect(comparison.outcome).toBe('passed');
    expect(comparison.notes[0]).toMatchObject({ state: 'bad', code: 'different-machine' });
    expect(comparison.notes[0]!.message).toMatch('Slower 1');
  });

  it('is the same run twice', () => {
    expect(() => compareRuns(base, [...madeUpSide(later), base[0]!])).toThrow('given twice');
    expect(() => compareRuns([base[0]!, base[0]!], madeUpSide(later))).toThrow('given twice');
    expect(() => compareRuns([], base)).toThrow('at least one run');
  });
});

test('runs in two blocks are pointed out', () => {
  expect(codes(compareRuns(madeUpSide({}), madeUpSide({ minute: 60 })))).toContain('not-interleaved');
  expect(codes(compareRuns(madeUpSide({}), madeUpSide(later)))).not.toContain('not-interleaved');
});
