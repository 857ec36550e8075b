import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readResult } from '../../result/read-result.js';
import type { RunResult } from '../../result/result.js';
import { resultFile } from '../../result/result-json-schema.js';
import { writeResult } from '../../result/write-result.js';
import { mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-run-'));
afterAll(() => rmSync(cwd, { recursive: true }));

writeFileSync(
  join(cwd, 'tiny.yaml'),
  `name: tiny
sessions: { count: 4 }
load: { model: closed, inFlight: 1, think: 5ms }
duration: 500ms
calls: [{ tool: echo, arguments: { message: hello }, expect: echo }]
`,
);

/** What the machine made of a run is left out: what these tests are about does not depend on it. */
function asIfSound(path: string): void {
  const result = readResult(path);
  const metrics = Object.fromEntries(
    Object.entries(result.metrics).map(([name, metric]) => [
      name,
      { ...metric, low: undefined, disturbed: [] },
    ]),
  );
  const validity: RunResult['validity'] = { state: 'valid', reasons: [], warnings: [] };
  writeResult({ ...result, metrics: metrics as RunResult['metrics'], validity }, { path });
}

test('runs are repeated, kept one by one, and compared with a baseline', async () => {
  const first = await mcpBench(['run', 'tiny.yaml', '--repeat', '4', '--out', 'base/run.json'], { cwd });
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(/^tiny, 4 runs\n/);
  expect(first.stderr).toContain('run 4 of 4');
  const files = readdirSync(join(cwd, 'base'));
  expect(files).toEqual(['run-1.json', 'run-2.json', 'run-3.json', 'run-4.json']);
  for (const file of files) {
    const written = JSON.parse(readFileSync(join(cwd, 'base', file), 'utf8')) as unknown;
    expect(resultFile.parse(written), 'the published schema knows all of it').toEqual(written);
    asIfSound(join(cwd, 'base', file));
  }

  const args = ['run', 'tiny.yaml', '--repeat', '4', '--baseline', 'base', '--mock', 'latency=60ms'];
  const second = await mcpBench(args, { cwd });
  const results = readdirSync(join(cwd, 'results')).map((file) => readResult(join(cwd, 'results', file)));
  expect(results).toHaveLength(4);
  expect(second.stdout).toContain('baseline');

  // The verdict on the figures themselves, whatever the machine made of them.
  for (const file of readdirSync(join(cwd, 'results'))) asIfSound(join(cwd, 'results', file));
  const compared = await mcpBench(['compare', 'base', '--against', 'results'], { cwd });
  expect(compared.stdout).toMatch(/p50\*? .* regression/);
  expect(compared.code).toBe(4);
});

test('a suspect run is compared with nothing, on whichever side, and nobody blames the server', async () => {
  const suspect = join(cwd, 'suspect.json');
  const { code } = await mcpBench('run tiny.yaml --out suspect.json --quiet'.split(' '), { cwd });
  expect(code).toBe(0);
  asIfSound(suspect);
  const sound = readResult(suspect);
  writeResult({ ...sound, startedAt: '2026-01-01T00:00:00.000Z' }, { path: join(cwd, 'before.json') });
  const reasons = [{ code: 'disturbed-median', message: 'p50 and above are disturbed.' }];
  writeResult({ ...sound, validity: { state: 'suspect', reasons, warnings: [] } }, { path: suspect });
  const compared = await mcpBench(['compare', 'before.json', '--against', 'suspect.json'], { cwd });
  expect(compared.code).toBe(3);
  expect(compared.stdout).toContain('the run of head is suspect');
  const swapped = await mcpBench(['compare', 'suspect.json', '--against', 'before.json'], { cwd });
  expect(swapped.code).toBe(3);
});

writeFileSync(
  join(cwd, 'paced.yaml'),
  `name: paced
sessions: { count: 4 }
load: { model: rate, perSecond: 200 }
duration: 4s
calls: [{ tool: echo, arguments: { message: hello }, expect: echo }]
thresholds: { call.response: ["p(90) < 200ms"] }
`,
);

test('a generator that is stopped for a quarter of the run knows that its p90 is its own, and leaves the threshold undecided', async () => {
  let stopped = false;
  const { code } = await mcpBench('run paced.yaml --workers 1 --out stopped.json --strict'.split(' '), {
    cwd,
    onStderr: (text, child) => {
      if (stopped || !text.includes(' main: ')) return;
      stopped = true;
      // The disturbance itself: of the 4 s, one in the middle in which the generator does nothing.
      setTimeout(() => child.kill('SIGSTOP'), 1000);
      setTimeout(() => child.kill('SIGCONT'), 2000);
    },
  });
  const { metrics, thresholds, totals } = readResult(join(cwd, 'stopped.json'));
  const response = metrics['call.response']!;
  expect(totals.outcomes.ok).toBe(800);
  expect(response.disturbed).toContain('p90');
  expect(response.p90, 'a call in four was due while it stood still').toBeGreaterThan(200e6);
  expect(response.low!.p90).toBeLessThan(response.p90);
  expect(thresholds[0]!.state).toBe('undecided');
  expect(code).toBe(3);
});
