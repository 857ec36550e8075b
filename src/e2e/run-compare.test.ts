import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { readResult } from '../result/read-result.js';
import { writeResult } from '../result/write-result.js';
import { mcpBench } from './command.fixture.js';

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

/** A shared machine makes runs suspect; what these tests are about does not depend on it. */
function trusted(path: string): void {
  writeResult({ ...readResult(path), validity: { state: 'valid', reasons: [], warnings: [] } }, { path });
}

test('runs are repeated, kept one by one, and compared with a baseline', async () => {
  const first = await mcpBench(['run', 'tiny.yaml', '--repeat', '4', '--out', 'base/run.json'], { cwd });
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(/^tiny, 4 runs\n/);
  expect(first.stderr).toContain('run 4 of 4');
  const files = readdirSync(join(cwd, 'base'));
  expect(files).toEqual(['run-1.json', 'run-2.json', 'run-3.json', 'run-4.json']);
  for (const file of files) trusted(join(cwd, 'base', file));

  const args = ['run', 'tiny.yaml', '--repeat', '4', '--baseline', 'base', '--mock', 'latency=60ms'];
  const second = await mcpBench(args, { cwd });
  const results = readdirSync(join(cwd, 'results')).map((file) => readResult(join(cwd, 'results', file)));
  expect(results).toHaveLength(4);
  const suspect = results.some(({ validity }) => validity.state === 'suspect');
  expect(second.code).toBe(suspect ? 3 : 4);
  expect(second.stdout).toContain(suspect ? 'refused' : 'regression');

  // The verdict on the figures themselves, whatever the machine made of them.
  for (const file of readdirSync(join(cwd, 'results'))) trusted(join(cwd, 'results', file));
  const compared = await mcpBench(['compare', 'base', '--against', 'results'], { cwd });
  expect(compared.stdout).toMatch(/p50\*? .* regression/);
  expect(compared.code).toBe(4);
});

test('a generator starved of CPU makes the run suspect, and nobody blames the server', async () => {
  // As many as leave the generator and the mock a fraction of a core, and for a limited time, whatever happens.
  const burners = Array.from({ length: 3 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (const end = Date.now() + 40000; Date.now() < end; );'], {
      stdio: 'ignore',
    }),
  );
  const args = 'run tiny.yaml --duration 2s --out starved.json --quiet'.split(' ');
  const { code } = await mcpBench(args, { cwd }).finally(() => burners.forEach((burner) => burner.kill()));
  expect(code).toBe(0);
  const starved = readResult(join(cwd, 'starved.json'));
  expect(starved.validity.state).toBe('suspect');
  expect(starved.validity.reasons.map(({ code }) => code)).toContain('cpu-taken');

  const before = join(cwd, 'before.json');
  writeResult({ ...starved, startedAt: '2026-01-01T00:00:00.000Z' }, { path: before });
  trusted(before);
  const compared = await mcpBench(['compare', 'before.json', '--against', 'starved.json'], { cwd });
  expect(compared.code).toBe(3);
  expect(compared.stdout).toContain('the run of head is suspect');
  const swapped = await mcpBench(['compare', 'starved.json', '--against', 'before.json'], { cwd });
  expect(swapped.code).toBe(3);
});
