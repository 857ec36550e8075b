import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { calibrationEntry, calibrationSchema } from '../../compare/calibration.js';
import { calibrationPath, writeCalibration } from '../../compare/calibration-file.js';
import { madeUpRun, madeUpSide } from '../../compare/comparison.fixture.js';
import { parseXml } from '../../report/formats/xml.fixture.js';
import type { RunResult } from '../../result/result.js';
import { writeResult } from '../../result/write-result.js';
import { mcpBench, type CommandOutcome } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-compare-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const compare = (args: string, env: Record<string, string> = {}): Promise<CommandOutcome> =>
  mcpBench(['compare', ...args.split(' ')], { cwd, env });

function store(folder: string, runs: readonly RunResult[]): void {
  mkdirSync(join(cwd, folder));
  runs.forEach((run, at) => writeResult(run, { path: join(cwd, folder, `run-${at + 1}.json`) }));
}

beforeAll(() => {
  store('base', madeUpSide({}));
  store('same', madeUpSide({ minute: 1 }));
  store('slow', madeUpSide({ minute: 1, medianMs: 23 }));
  store('single', [madeUpRun({ seconds: 60 })]);
  store('slow-single', [madeUpRun({ seconds: 60, medianMs: 24, minute: 1 })]);
  const { scenario } = madeUpRun();
  const posts = { mode: 'pipelined', connections: 2 } as const;
  store('other', [
    madeUpRun({ minute: 20, change: { scenario: { ...scenario, posts }, scenarioHash: 'other' } }),
  ]);
  store('cut', [madeUpRun({ change: { ended: 'interrupted' } })]);
  const whole = madeUpRun({ failed: 6000 });
  const { outcomes } = whole.totals;
  store('failed', [
    {
      ...whole,
      totals: { ...whole.totals, outcomes: { ...outcomes, ok: 0, timeout: outcomes.ok + outcomes.timeout } },
    },
  ]);
  store('long', madeUpSide({ seconds: 60, minute: 10 }));
  const suspect = {
    state: 'suspect',
    reasons: [{ code: 'x', message: 'the generator was late.' }],
    warnings: [],
  };
  store(
    'suspect',
    madeUpSide({ minute: 1, medianMs: 40 }).map((run, at) =>
      at === 2 ? ({ ...run, validity: suspect } as RunResult) : run,
    ),
  );
});

describe('--check', () => {
  it.each([
    ['base', 0, '5 runs can be a baseline\n', ''],
    ['suspect', 3, '', 'mcp-bench: no baseline: 1 of the 5 runs of base is suspect'],
    ['base other', 3, '', 'mcp-bench: no baseline: different POST policy'],
    ['cut', 3, '', 'mcp-bench: no baseline: the run of base did not run to the end (interrupted)'],
    ['failed', 3, '', 'mcp-bench: no baseline: the run started at '],
  ])('says of %s whether it can be a baseline', async (runs, code, stdout, complaint) => {
    const outcome = await compare(`${runs} --check`);
    expect(outcome).toMatchObject({ code, stdout });
    expect(outcome.stderr).toContain(complaint);
  });

  it('looks at one side only, and without it there must be two', async () => {
    expect((await compare('base --check --against same')).code).toBe(2);
    const one = await compare('base');
    expect(one).toMatchObject({ code: 2, stdout: '' });
    expect(one.stderr).toContain('say what to compare with: --against');
  });
});

describe('exit codes', () => {
  it('is 0 where nothing got worse, and 4 for a regression', async () => {
    const same = await compare('base --against same');
    expect(same).toMatchObject({ code: 0, stderr: '' });
    expect(same.stdout).toMatch(/p50 +20\.0 ms +20\.0 ms +~ .*no change/);
    const slow = await compare(
      'base/run-1.json base/run-2.json base/run-3.json base/run-4.json --against slow',
    );
    expect(slow.code).toBe(4);
    expect(slow.stdout).toMatch(/p50 +20\.0 ms +23\.0 ms +\+15\.\d % .*regression/);
  });

  it('is 3 where a run is suspect: the server is not blamed', async () => {
    const outcome = await compare('base --against suspect');
    expect(outcome.code).toBe(3);
    expect(outcome.stdout).toMatch(/the\s+generator was late/);
    expect(outcome.stdout).not.toContain('regression');
  });

  it('is 2 for mistakes, with the way out', async () => {
    for (const [args, message] of [
      ['base', '--against'],
      ['base --against nowhere.json', 'no such file'],
      ['base --against base', 'given twice'],
      ['base --against same --margin p50=five', 'such as p50=5%'],
    ] as const) {
      const { code, stderr } = await compare(args);
      expect({ args, code, says: stderr.includes(message) }).toEqual({ args, code: 2, says: true });
    }
  });
});

it('takes margins, floor and gates from the command line', async () => {
  expect((await compare('base --against slow --margin p50=20% --margin p99=20%')).code).toBe(0);
  expect((await compare('base --against slow --floor 10ms')).code).toBe(0);
  expect((await compare('base --against slow --gates errors,throughput')).code).toBe(0);
});

it('lets a single run fail only what it was calibrated for', async () => {
  expect((await compare('single --against slow-single')).code).toBe(0);
  expect((await compare('single --against slow-single --history long')).code).toBe(4);
  const entry = calibrationEntry(madeUpSide({ seconds: 60 }), '2026-11-18T00:00:00Z');
  writeCalibration(calibrationPath('bench', join(cwd, 'results')), {
    schema: calibrationSchema,
    hostname: 'bench',
    entries: [entry],
    ceiling: [],
  });
  const calibrated = await compare('single --against slow-single');
  expect(calibrated.code).toBe(4);
  expect(calibrated.stdout).toContain('calibration of 2026-11-18 (5 runs)');
});

it('writes the reports that were asked for', async () => {
  const { code, stdout } = await compare(
    'base --against slow --quiet --report md=out/c.md --report junit=out/c.xml --report json=out/c.json --label main --label pr',
  );
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  const read = (name: string): string => readFileSync(join(cwd, 'out', name), 'utf8');
  expect(read('c.md')).toContain('| metric | main | pr |');
  expect(parseXml(read('c.xml')).children[0]!.attributes.failures).toBe('2');
  const json = JSON.parse(read('c.json')) as { outcome: string; base: { runs: { path: string }[] } };
  expect(json.outcome).toBe('regression');
  expect(json.base.runs[0]!.path).toBe(join('base', 'run-1.json'));
});

it('speaks to GitHub Actions where that is where it runs', async () => {
  const summary = join(cwd, 'summary.md');
  writeFileSync(summary, 'before\n');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const { code, stdout } = await compare('base --against slow', env);
  expect(code).toBe(4);
  const token = /^::stop-commands::([0-9a-f]{32})\n/.exec(stdout)?.[1];
  expect(stdout).toContain(`\n::${token}::\n::error title=mcp-bench steady%3A regression of p50::`);
  expect(readFileSync(summary, 'utf8')).toMatch(/^before\n### mcp-bench/);
  // A summary that cannot be written is no reason to fail.
  const without = await compare('base --against same', { ...env, GITHUB_STEP_SUMMARY: cwd });
  expect(without.code).toBe(0);
});
