import { hostname, tmpdir } from 'node:os';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { calibrationPath, readCalibration } from '../compare/calibration-file.js';
import { mcpBench } from './command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-calibrate-'));
afterAll(() => rmSync(cwd, { recursive: true }));

test('it runs the same thing several times, and keeps how much the runs differ', async () => {
  writeFileSync(
    join(cwd, 'tiny.yaml'),
    `name: tiny
sessions: { count: 2 }
load: { model: closed, inFlight: 1, think: 5ms }
duration: 300ms
calls: [{ tool: echo, arguments: { message: hello } }]
`,
  );
  const outcome = await mcpBench(['calibrate', 'tiny.yaml', '--runs', '5', '--no-ceiling'], { cwd });
  const kept = readCalibration(calibrationPath(hostname(), join(cwd, 'results')))!;
  expect(kept.ceiling).toEqual([]);
  expect(outcome.stderr).toContain('run 5 of 5');
  const suspect = outcome.stderr.includes('suspect');
  // A shared machine makes runs suspect; then too few are left, and nothing is kept.
  expect(outcome.code).toBe(suspect ? 3 : 0);
  expect(kept.entries).toHaveLength(suspect ? 0 : 1);
  if (!suspect) expect(kept.entries[0]!.metrics).toHaveProperty('p50.sdLog');
});

test('mistakes are found before anything runs', async () => {
  const few = await mcpBench(['calibrate', '--runs', '3'], { cwd });
  expect(few).toMatchObject({ code: 2, stdout: '' });
  expect(few.stderr).toContain('--runs: expected a whole number from 5');
  expect((await mcpBench(['calibrate', 'nowhere.yaml'], { cwd })).code).toBe(2);
});
