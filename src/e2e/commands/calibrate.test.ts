import { hostname, tmpdir } from 'node:os';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { calibrationPath, readCalibration } from '../../compare/calibration-file.js';
import { mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-calibrate-'));
afterAll(() => rmSync(cwd, { recursive: true }));

test('it runs the same thing several times, and keeps how much the valid runs differ', async () => {
  // Slow answers leave the generator much room for being late, so that also a crowded machine gives valid runs.
  writeFileSync(
    join(cwd, 'slow.yaml'),
    `name: slow
sessions: { count: 20 }
load: { model: closed, inFlight: 1 }
duration: 1s
calls: [{ tool: echo, arguments: { message: hello } }]
`,
  );
  const runs = 8;
  const args = `calibrate slow.yaml --runs ${runs} --no-ceiling --mock latency=150ms`.split(' ');
  const { code, stdout, stderr } = await mcpBench(args, { cwd });
  const lines = stderr.split('\n').filter((line) => line.includes(`of ${runs}: p50`));
  expect(lines).toHaveLength(runs);
  // What a suspect run says about the machine is not its noise: left out, and with fewer than five valid ones nothing is kept.
  const validLines = lines.filter((line) => !line.includes('suspect'));
  const valid = validLines.length;
  // Nor is a figure that the machine may have moved, in a run that is valid as a whole.
  const sound = validLines.filter((line) => !/ p50 [^,]*~/.test(line)).length;
  const kept = readCalibration(calibrationPath(hostname(), join(cwd, 'results')))!;
  expect(kept.ceiling).toEqual([]);
  expect(kept.entries.map((entry) => entry.runs)).toEqual(valid >= 5 ? [valid] : []);
  expect(code).toBe(valid >= 5 ? 0 : 3);
  if (valid < runs) expect(stdout).toContain('suspect');
  for (const { scenario, metrics } of kept.entries) {
    expect(scenario).toBe('slow');
    if (sound < 2) expect(metrics).not.toHaveProperty('p50');
    else expect(metrics['p50']).toMatchObject({ degreesOfFreedom: sound - 1 });
  }
});

test('mistakes are found before anything runs', async () => {
  const few = await mcpBench(['calibrate', '--runs', '3'], { cwd });
  expect(few).toMatchObject({ code: 2, stdout: '' });
  expect(few.stderr).toContain('--runs: expected a whole number from 5');
  expect((await mcpBench(['calibrate', 'nowhere.yaml'], { cwd })).code).toBe(2);
});
