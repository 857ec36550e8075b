import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { readResult } from '../../result/read-result.js';
import type { RunResult } from '../../result/result.js';
import { judgeRun } from '../../result/run-verdict.js';
import { type CommandOutcome, mcpBench } from '../fixtures/command.fixture.js';
import { play } from '../fixtures/play.js';
import { accepted } from '../fixtures/scripted-mcp.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-dead-'));
afterAll(() => rmSync(cwd, { recursive: true }));

async function startMock(): Promise<{ child: ChildProcess; url: string }> {
  const main = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'serve-mock', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, url: (JSON.parse(line) as { url: string }).url };
}

/** Runs a scenario, and kills its server as soon as the progress shown says so. */
async function killedAt(
  moment: RegExp,
  name: string,
  scenario: string,
): Promise<CommandOutcome & { result: RunResult }> {
  const { child, url } = await startMock();
  writeFileSync(
    join(cwd, `${name}.yaml`),
    `name: ${name}\ncalls: [{ tool: echo, arguments: { message: hi } }]\n${scenario}`,
  );
  try {
    const args = ['run', `${name}.yaml`, '--target', url, '--out', `${name}.json`];
    const outcome = await mcpBench(args, {
      cwd,
      onStderr: (text) => {
        if (moment.test(text)) child.kill('SIGKILL');
      },
    });
    return { ...outcome, result: readResult(join(cwd, `${name}.json`)) };
  } finally {
    child.kill('SIGKILL');
  }
}

test('a server that dies while warming up: no call was made, and the exit code says so too', async () => {
  const { code, stdout, result } = await killedAt(
    /warm-up/,
    'warm-up',
    'sessions: 2\nload: { model: closed }\nwarmup: 5s\nduration: 1s\n',
  );
  expect(result.totals.started).toBe(0);
  expect(stdout).toMatch(
    /✗ failed +the target was gone from 0.0 s of 1.0 s on \(connection refused\); no call/,
  );
  expect(code).toBe(1);
});

test.each([1, 2])(
  'a server that dies in mid-run fails it, whatever the other figures say: %i workers',
  async (workers) => {
    const { code, stdout, result } = await killedAt(
      / second: /,
      `mid-run-${workers}`,
      `sessions: 4
workers: ${workers}
phases:
  - { name: first, duration: 1s, load: { model: closed, inFlight: 2 } }
  - { name: second, duration: 3s, load: { model: closed, inFlight: 2 } }
thresholds:
  errors: ["rate < 10%"]
  call.response: ["p(90) < 5s"]
  availability: ["rate > 99.9%"]
`,
    );
    const { availability, outcomes } = result.totals;
    // Few calls fail, eight at the most: nobody asks any more.
    expect(result.thresholds.map(({ metric, state }) => `${metric} ${state}`)).toEqual([
      'errors pass',
      'call.response pass',
      'availability fail',
    ]);
    expect(outcomes.ok).toBeGreaterThan(100);
    expect(availability!.upMs).toBeGreaterThanOrEqual(1000);
    expect(availability!.upMs + availability!.downMs + availability!.unobservedMs).toBeCloseTo(4000, 6);
    expect(availability!.downSinceMs, 'not before it was killed').toBeGreaterThanOrEqual(1000);
    expect(availability!.gone).toBe('connection refused');
    // From then on nothing was up, second by second.
    const after = result.intervals.filter(({ atMs }) => atMs >= availability!.downSinceMs! && atMs < 4000);
    for (const { totals } of after) expect(totals.upMs).toBe(0);
    expect(result.findings.map((finding) => finding.code)).toContain('target-gone');
    expect(stdout).toMatch(/✗ failed +the target was gone from \d\.\d s of 4\.0 s on \(connection refused\)/);
    expect(stdout).not.toContain('open them more slowly');
    expect(code).toBe(1);
  },
);

test('a server that only falls silent for a while is not gone: for how long is in the result, a finding and a threshold', async () => {
  // Two calls, one after the other, wait for their time limit: a second in which nothing is answered.
  const { result } = await play(
    {
      onCall: (post, server) =>
        post.n === 20 || post.n === 21 ? post.connection.write(accepted) : server.serve(post),
    },
    {
      load: { model: 'count', calls: 40, inFlight: 1 },
      calls: [{ tool: 'echo', arguments: { message: 'hi' }, timeout: '500ms' }],
      thresholds: { availability: ['rate > 99.9%', 'rate > 1%'] },
    },
  );
  const { availability, outcomes } = result.totals;
  expect(outcomes).toMatchObject({ ok: 38, acceptedNoResponse: 2 });
  // Where this thread did not read, nothing is known.
  expect(availability!.downMs + availability!.unobservedMs).toBeGreaterThanOrEqual(800);
  expect(availability).toMatchObject({ outages: 1, downSinceMs: null, gone: null, sessionsReady: 1 });
  expect(result.findings.map(({ code }) => code)).toContain('unavailable');
  expect(result.thresholds.map(({ state }) => state)).toEqual(['fail', 'pass']);
  expect(judgeRun(result)).toBe('missed');
});
