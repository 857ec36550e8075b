import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readResult } from '../../result/read-result.js';
import type { Interval } from '../../result/result.js';
import { type CommandOptions, type CommandOutcome, mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-ends-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** Four sessions that keep calling a tool which takes so long, for longer than any test waits. */
function scenario(name: string, toolMs: number): string {
  const file = `${name}.yaml`;
  writeFileSync(
    join(cwd, file),
    `name: ${name}
sessions: 4
phases:
  - { name: first, duration: 300ms, load: { model: closed, inFlight: 2 } }
  - { name: second, duration: 30s, load: { model: closed, inFlight: 2 } }
calls: [{ tool: sleep, arguments: { ms: ${toolMs} } }]
timeouts: { call: 10m }
`,
  );
  return file;
}

function run(
  file: string,
  args: string[],
  options: Omit<CommandOptions, 'cwd'> = {},
): Promise<CommandOutcome> {
  return mcpBench(['run', file, '--out', file.replace('.yaml', '.json'), ...args], { cwd, ...options });
}

const resultOf = (name: string) => readResult(join(cwd, `${name}.json`));

/** Sends a signal each time when the program has said something new that matches. */
function signalAt(moments: readonly RegExp[], signal: NodeJS.Signals): CommandOptions['onStderr'] {
  const waiting = [...moments];
  return (text, child) => {
    if (waiting.length === 0 || !waiting[0]!.test(text)) return;
    waiting.shift();
    child.kill(signal);
  };
}

/** Progress names each phase when it has begun: by the second one calls have been made. */
const running = / second: /;

describe('interrupted', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s: drains, writes, reports, exits 130', async (signal) => {
    const name = `once-${signal}`;
    const outcome = await run(scenario(name, 100), [], { onStderr: signalAt([running], signal) });
    expect(outcome.code).toBe(130);
    expect(outcome.stdout).toContain('interrupted');
    expect(outcome.stdout).toContain(`${name}.json`);
    const { ended, totals } = resultOf(name);
    expect(ended).toBe('interrupted');
    expect(totals.started).toBeGreaterThan(0);
    expect(totals.outcomes.ok, 'what was in flight was waited for').toBe(totals.started);
  });

  test('twice: at once, calls in flight are cut off, and all the same written and reported', async () => {
    const name = 'twice';
    const onStderr = signalAt([running, /draining/], 'SIGINT');
    const outcome = await run(scenario(name, 500_000), [], { onStderr });
    expect(outcome.code).toBe(130);
    expect(outcome.stdout).toContain('interrupted');
    const { ended, totals } = resultOf(name);
    expect(ended).toBe('interrupted');
    expect(totals.outcomes.aborted, 'two on each of four sessions').toBe(8);
    expect(totals.started).toBe(8);
  });

  test('while sessions are being opened: nothing was measured, and that is what the result says', async () => {
    const name = 'early';
    const file = scenario(name, 10);
    const onStderr = signalAt([/opening sessions/], 'SIGINT');
    const outcome = await run(file, ['--sessions', '2'], { onStderr });
    expect(outcome.code).toBe(130);
    expect(resultOf(name)).toMatchObject({ ended: 'interrupted', totals: { conserved: true } });
  });
});

describe('a worker that crashes', () => {
  // The second worker throws in place of what it would say for the n-th time, whenever that is.
  writeFileSync(
    join(cwd, 'crash.mjs'),
    `import { isMainThread, threadId, parentPort } from 'node:worker_threads';
if (!isMainThread && threadId === 2) {
  const say = parentPort.postMessage.bind(parentPort);
  let left = Number(process.env.CRASH_AFTER);
  parentPort.postMessage = (message) => {
    if (message.type === process.env.CRASH_AT && left-- === 0) {
      if (process.env.HANG) for (;;);
      throw new Error('boom');
    }
    say(message);
  };
}
`,
  );
  const crash = (at: string, after: number): Record<string, string> => ({
    NODE_OPTIONS: `--import=${join(cwd, 'crash.mjs')}`,
    CRASH_AT: at,
    CRASH_AFTER: String(after),
  });

  test('in the measurement: one line, exit 1, and the partial result', async () => {
    const name = 'crash';
    const args = ['--workers', '2', '--report', 'md=crash.md'];
    const outcome = await run(scenario(name, 20), args, { env: crash('interval', 2) });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/^mcp-bench: worker 1 crashed: boom$/m);
    expect(outcome.stderr).not.toMatch(/^ +at /m);
    expect(outcome.stdout).toContain('failed');
    expect(readdirSync(cwd)).toContain('crash.md');
    const { ended, totals, intervals, sessions, phases, validity } = resultOf(name);
    expect(ended).toBe('failed');
    const inIntervals = (pick: (of: Interval['totals']) => number): number =>
      intervals.reduce((sum, interval) => sum + pick(interval.totals), 0);
    expect(totals.started, 'of both workers').toBe(inIntervals(({ started }) => started));
    expect(totals.outcomes.ok).toBe(inIntervals(({ ok }) => ok));
    expect(totals.outcomes.ok).toBeGreaterThan(0);
    expect(totals.conserved, 'nobody knows what became of the rest').toBe(false);
    expect(sessions.ready).toBe(4);
    expect(phases[0]!.totals.callsPerSec).toBeGreaterThan(0);
    expect(validity.state).toBe('suspect');
    expect(validity.reasons.map(({ code }) => code)).toContain('worker-crashed');
    expect(validity.reasons.map(({ code }) => code)).not.toContain('not-conserved');
  });

  test('or hangs: the second Ctrl-C ends it too, and keeps what it had counted', async () => {
    const name = 'hang';
    const outcome = await run(scenario(name, 20), ['--workers', '2'], {
      env: { ...crash('done', 0), HANG: '1' },
      onStderr: signalAt([running, /draining/], 'SIGINT'),
    });
    expect(outcome.code).toBe(130);
    const { ended, totals, validity } = resultOf(name);
    expect(ended).toBe('interrupted');
    expect(totals.outcomes.ok).toBeGreaterThan(0);
    expect(totals.conserved).toBe(false);
    expect(validity.reasons.map(({ code }) => code)).toContain('worker-crashed');
  });

  test('while sessions are being opened: one line, exit 1', async () => {
    const outcome = await run(scenario('crash-early', 20), ['--workers', '2'], { env: crash('opened', 0) });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/^mcp-bench: worker 1 crashed: boom$/m);
    expect(outcome.stderr).not.toMatch(/^ +at /m);
  });
});

describe('a rule that ends runs early', () => {
  /** Nine calls of ten are answered at once; the others take so long that more than a second of drain follows. */
  function watched(name: string, duration: string, rule: string): string {
    const file = `${name}.yaml`;
    writeFileSync(
      join(cwd, file),
      `name: ${name}
sessions: 4
duration: ${duration}
load: { model: rate, perSecond: 50 }
calls:
  - { tool: echo, arguments: { message: hi }, weight: 9 }
  - { tool: sleep, arguments: { ms: 2500 }, weight: 1 }
thresholds: { calls: [{ rule: '${rule}', abortOnFail: true }] }
`,
    );
    return file;
  }

  test('ends them with the second in which it fails', async () => {
    const { code } = await run(watched('rule-fails', '30s', 'rate > 500/s'), []);
    expect(code).toBe(99);
    const { ended, totals } = resultOf('rule-fails');
    expect(ended).toBe('aborted');
    expect(totals.started).toBeLessThan(30 * 50);
  });

  test('is not asked while they drain: the seconds without new calls are none of its business', async () => {
    const { code } = await run(watched('rule-holds', '1s', 'rate > 35/s'), []);
    expect(code).toBe(0);
    const { ended, intervals } = resultOf('rule-holds');
    expect(intervals.length, 'a second of drain').toBeGreaterThan(2);
    expect(ended).toBe('complete');
  });
});

test('fewer calls than workers: whoever has none to make ends as well', async () => {
  const file = 'few.yaml';
  writeFileSync(
    join(cwd, file),
    'name: few\nsessions: 2\nload: { model: count, calls: 1 }\ncalls: [{ tool: echo, arguments: { message: hi } }]\n',
  );
  const { code } = await run(file, ['--workers', '2']);
  expect(code).toBe(0);
  expect(resultOf('few').totals.outcomes.ok).toBe(1);
});

test('a report that cannot be written after all: shown, and then said', async () => {
  const file = 'short.yaml';
  writeFileSync(
    join(cwd, file),
    'name: short\nsessions: 1\nload: { model: count, calls: 1 }\ncalls: [{ tool: echo, arguments: { message: hi } }]\n',
  );
  // The name itself is short enough, that of the file that is put in its place is not.
  const { code, stdout, stderr } = await run(file, ['--report', `md=${'x'.repeat(250)}`]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^mcp-bench: cannot write x+: the name is too long/m);
  expect(stdout).toContain('short.json');
  expect(resultOf('short').totals.outcomes.ok).toBe(1);
});

test('a place that cannot be written, and a wrong option for the mock: said before anything runs', async () => {
  const file = scenario('unkept', 1);
  writeFileSync(join(cwd, 'a-file'), '');
  const unkept = await mcpBench(['run', file, '--out', 'a-file/x.json'], { cwd });
  expect(unkept.code).toBe(2);
  expect(unkept.stderr).toMatch(
    /^mcp-bench: cannot write a-file\/x\.json: a part of the path is a file.*\n$/,
  );
  const wrong = await run(file, ['--mock', 'nonsense=1']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(
    /^mcp-bench: the built-in mock did not start: serve-mock has no flag --nonsense.*\n$/,
  );
});
