import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test, vi } from 'vitest';
import { madeUpRun, madeUpSide } from '../../compare/comparison.fixture.js';
import type { RunResult } from '../../result/result.js';
import type { RunVerdict } from '../../result/run-verdict.js';
import { writeResult } from '../../result/write-result.js';
import { planRepetition, repeatRuns } from './repeat.js';
import type { RepeatFlags } from '../flags/repeat-flags.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-repeat-'));
afterAll(() => rmSync(folder, { recursive: true }));

const noisy = [0.9, 1.12, 1, 1.07, 0.85];
const plan = madeUpRun().scenario;
const flags = (change: Partial<RepeatFlags> = {}): RepeatFlags & { quiet: boolean } => ({
  repeat: 1,
  rerunDisturbed: 0,
  untilConclusive: false,
  quiet: true,
  ...change,
});

function stored(name: string, runs: readonly RunResult[]): string[] {
  return runs.map((run, at) => writeResult(run, { path: join(folder, name, `${at}.json`) }));
}

/** Runs that are made up as they are asked for; counts them. */
async function repeat(
  change: Partial<RepeatFlags>,
  make: (number: number) => Partial<Parameters<typeof madeUpRun>[0] & { verdict: RunVerdict }>,
): Promise<{ code: number; runs: number; ofs: number[] }> {
  const given = flags(change);
  const ofs: number[] = [];
  const code = await repeatRuns(planRepetition(given, plan), given, false, async (number, of) => {
    ofs.push(of);
    const { verdict = 'passed', ...made } = make(number);
    return { result: madeUpRun({ minute: 100 + number, ...made }), path: `${number}.json`, verdict };
  });
  return { code, runs: ofs.length, ofs };
}

const quietBase = stored('quiet', madeUpSide({}));
const noisyBase = stored('noisy', madeUpSide({}, noisy));

test('a run is repeated as often as was asked for, and fails if one of them does', async () => {
  expect(await repeat({ repeat: 3 }, () => ({}))).toEqual({ code: 0, runs: 3, ofs: [3, 3, 3] });
  const failing = await repeat({ repeat: 3 }, (number) => ({ verdict: number === 2 ? 'missed' : 'passed' }));
  expect(failing).toMatchObject({ code: 99, runs: 3 });
});

test('the summary says which thresholds were missed, and how many runs were disturbed', async () => {
  const said: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text));
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const given = { ...flags({ repeat: 3 }), quiet: false };
  const missed = {
    metric: 'call.response',
    rule: 'p(99) < 1ms',
    value: 2e6,
    limit: 1e6,
    state: 'fail' as const,
  };
  try {
    await repeatRuns(planRepetition(given, plan), given, false, async (number) => ({
      result: madeUpRun({
        minute: number,
        change: {
          thresholds: number === 1 ? [] : [{ ...missed, abortOnFail: false, detail: '2 ms' }],
          validity:
            number === 3
              ? { state: 'suspect', reasons: [{ code: 'x', message: 'late' }], warnings: [] }
              : { state: 'valid', reasons: [], warnings: [] },
        },
      }),
      path: `${number}.json`,
      verdict: 'missed',
    }));
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
  expect(said.join('\n')).toContain('✗ call.response p(99) < 1ms: missed in all 2 runs: 2 ms, 2 ms');
  expect(said.join('\n')).toContain('! run 3 of 3 was suspect: late');
});

test('an interrupted run is the last', async () => {
  const outcome = await repeat({ repeat: 3, baseline: quietBase }, (number) =>
    number === 2 ? { verdict: 'interrupted', change: { ended: 'interrupted' } } : {},
  );
  expect(outcome).toMatchObject({ code: 130, runs: 2 });
});

describe('with a baseline', () => {
  const factors = [0.99, 1.004, 1, 1.011, 0.995];
  const level =
    (medianMs: number, verdict: RunVerdict = 'passed') =>
    (number: number): { medianMs: number; callsPerSec: number; verdict: RunVerdict } => ({
      medianMs: medianMs * factors[(number - 1) % 5]!,
      callsPerSec: 400,
      verdict,
    });

  it('has one exit code: failed thresholds before a regression, a regression before all but failures', async () => {
    expect((await repeat({ repeat: 5, baseline: quietBase }, level(20))).code).toBe(0);
    expect((await repeat({ repeat: 5, baseline: quietBase }, level(24))).code).toBe(4);
    expect((await repeat({ repeat: 5, baseline: quietBase }, level(24, 'missed'))).code).toBe(99);
    expect((await repeat({ repeat: 5, baseline: quietBase }, level(24, 'suspect'))).code).toBe(4);
    expect((await repeat({ repeat: 5, baseline: quietBase }, level(24, 'allFailed'))).code).toBe(1);
  });

  it('refuses a suspect run with exit code 3', async () => {
    const reasons = [{ code: 'x', message: 'late' }];
    const suspect = { validity: { state: 'suspect' as const, reasons, warnings: [] } };
    const outcome = await repeat({ repeat: 5, baseline: quietBase }, (number) => ({
      ...level(24)(number),
      ...(number === 4 ? { change: suspect } : {}),
    }));
    expect(outcome.code).toBe(3);
  });

  it('writes the comparison where it is asked to', async () => {
    const path = join(folder, 'c.json');
    await repeat({ repeat: 5, baseline: quietBase, comparisonReport: [`json=${path}`] }, level(24));
    const { base, head, outcome } = JSON.parse(readFileSync(path, 'utf8')) as {
      base: { runs: { path: string }[] };
      head: { runs: { path: string }[] };
      outcome: string;
    };
    expect(outcome).toBe('regression');
    expect(base.runs[0]!.path).toBe(quietBase[0]);
    expect(head.runs.at(-1)!.path).toBe('5.json');
  });

  it('repeats until it is conclusive, and no longer', async () => {
    const change = { repeat: 5, untilConclusive: true };
    expect(await repeat({ ...change, baseline: quietBase }, level(24))).toMatchObject({ code: 4, runs: 5 });
    const open = await repeat({ ...change, baseline: noisyBase }, (number) => ({
      medianMs: 21 * noisy[(number - 1) % 5]!,
    }));
    expect(open).toMatchObject({ code: 0, runs: 15 });
    expect(open.ofs.at(-1)).toBe(15);
    const capped = await repeat({ ...change, baseline: noisyBase, maxRuns: 10 }, (number) => ({
      medianMs: 21 * noisy[(number - 1) % 5]!,
    }));
    expect(capped.runs).toBe(10);
  });
});

describe('mistakes are found before anything runs', () => {
  test.each<[Partial<RepeatFlags>, string]>([
    [{ repeat: 0 }, '--repeat'],
    [{ repeat: 1.5 }, '--repeat'],
    [{ untilConclusive: true }, 'add --baseline'],
    [{ comparisonReport: ['md=x'] }, 'add --baseline'],
    [{ repeat: 5, maxRuns: 4, untilConclusive: true, baseline: quietBase }, '--max-runs'],
    [{ repeat: 5, maxRuns: 10 }, '--until-conclusive'],
    [{ baseline: [join(folder, 'nowhere')] }, 'no such file'],
    [{ baseline: quietBase, margin: ['p50'] }, '--margin'],
    [{ baseline: quietBase, gates: 'serch p50' }, '"serch p50": '],
    [{ baseline: quietBase, comparisonReport: ['pdf=x'] }, '--comparison-report'],
  ])('%j', (change, message) => {
    expect(() => planRepetition(flags(change), plan)).toThrow(message);
  });

  test('a baseline of something else', () => {
    const other = { ...plan, scenarioHash: 'x', posts: { mode: 'pipelined', connections: 2 } as const };
    expect(() => planRepetition(flags({ baseline: quietBase }), other)).toThrow(
      /cannot be compared with this run: different POST policy/,
    );
    // Another seed is another draw of the same.
    const seeded = { ...plan, scenarioHash: 'x', seed: 7 };
    expect(planRepetition(flags({ baseline: quietBase }), seeded).baseline).toHaveLength(5);
  });
});
