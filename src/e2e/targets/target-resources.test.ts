import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RunResult } from '../../result/result.js';
import { mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const hasProc = existsSync('/proc/self/stat');
const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-target-'));
const main = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
const mock = spawn(process.execPath, [main, 'serve-mock', '--port', '0', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let url = '';
beforeAll(async () => {
  writeFileSync(
    join(cwd, 's.yaml'),
    'name: s\nsessions: 2\nload: { model: closed, inFlight: 2 }\nduration: 2s\ncalls: [{ tool: echo, arguments: { message: hi } }]\n',
  );
  const line = await new Promise<string>((resolve) =>
    mock.stdout.once('data', (data: Buffer) => resolve(data.toString())),
  );
  ({ url } = JSON.parse(line) as { url: string });
});
afterAll(async () => {
  const gone = new Promise((resolve) => mock.once('exit', resolve));
  mock.kill();
  await gone;
  rmSync(cwd, { recursive: true });
});

async function run(...more: string[]): Promise<{ result: RunResult; stdout: string }> {
  const outcome = await mcpBench(['run', 's.yaml', '--out', 'r.json', ...more], { cwd });
  expect(outcome.code, outcome.stderr).toBe(0);
  return {
    result: JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as RunResult,
    stdout: outcome.stdout,
  };
}

test.runIf(hasProc)(
  'a server that runs already is found by its port, and its CPU and memory reported',
  async () => {
    const { result, stdout } = await run('--target', url, '--verbose', '--report', 'prom=r.prom');
    expect(result.target.resources).toMatchObject({ found: 'port', pids: [mock.pid], processes: 1 });
    expect(result.target.resources!.cpuMs).toBeGreaterThan(0);
    expect(result.target.resources!.peakBytes).toBeGreaterThan(1e6);
    expect(result.generator.targetCpuShare).toBeGreaterThan(0);
    expect(stdout).toMatch(
      new RegExp(`server +[\\d.]+ cores, .* of CPU for 1,000 calls, .* of memory.*pid ${mock.pid}`),
    );
    expect(readFileSync(join(cwd, 'r.prom'), 'utf8')).toMatch(/_target_cpu_seconds(\{.*\})? [\d.]+/);
  },
);

test.runIf(hasProc)('the built-in mock is ours, and --target-pid says whose process it is', async () => {
  const { result: own } = await run();
  expect(own.target.resources).toMatchObject({ found: 'started' });
  const { result: named } = await run('--target', url, '--target-pid', String(process.pid));
  expect(named.target.resources).toMatchObject({ found: 'named', pids: [process.pid] });
});

test.each([
  ['0', '--target-pid: expected the number of a process, found 0'],
  ['99999999', '--target-pid: there is no process 99999999 here'],
])('--target-pid %s is a mistake', async (pid, message) => {
  const outcome = await mcpBench(['run', 's.yaml', '--target', url, '--target-pid', pid], { cwd });
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toContain(message);
});
