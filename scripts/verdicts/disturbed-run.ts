import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readResult } from '../../src/result/read-result.js';
import type { RunResult } from '../../src/result/result.js';
import { startMockProcess } from '../../src/target/built-in-mock.js';
import { readMockLog } from '../accuracy/logged-calls.js';
import { readCapture, startCapture } from '../accuracy/capture.js';
import { servedNs } from '../accuracy/truth.js';
import { wireCalls, wireServedNs } from '../accuracy/wire-truth.js';

/** What is done to a generator while it measures. */
export type Disturbance = 'none' | 'stopped' | 'starved' | 'blocked' | 'busy machine';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** A run of five seconds with something done to its generator. */
export interface DisturbedRun {
  readonly result: RunResult;
  /**
   * What each call took without the generator, in ns: from its POST's passing on the wire to that of its event, by the kernel's timestamps, or,
   * where nothing can be captured, by the mock's log, which leaves out what the mock itself was late.
   */
  readonly truth: number[];
  readonly witness: 'wire' | 'log';
}

/** Makes one. */
export async function disturbedRun(
  disturbance: Disturbance,
  perSecond: number,
  latency: string,
): Promise<DisturbedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-verdicts-'));
  const log = join(folder, 'calls.jsonl');
  const mock = await startMockProcess(['--latency', latency, '--log', log]);
  const capturePath = join(folder, 'wire.pcap');
  const capture = await startCapture(capturePath);
  const helpers: ChildProcess[] = [];
  try {
    const scenario = join(folder, 'run.yaml');
    writeFileSync(
      scenario,
      `name: disturbed
sessions: { count: 10 }
warmup: 1s
load: { model: rate, perSecond: ${perSecond} }
duration: 5s
calls: [{ tool: echo, arguments: { message: hello }, expect: echo }]
`,
    );
    const blocker = join(folder, 'blocked.cjs');
    writeFileSync(
      blocker,
      `if (!require('node:worker_threads').isMainThread)
  setInterval(() => { for (const end = Date.now() + 40; Date.now() < end; ); }, 400).unref();`,
    );
    // Generator and burners share one core, so that the mock, whose log is the truth, has the other.
    if (disturbance === 'starved') pin(mock.pid, 1);
    const args = [main, 'run', scenario, '--target', mock.url.replace(/\/mcp\/bench$/, '/mcp/{session}')];
    const options = ['--workers', '1', '--quiet', '--out', join(folder, 'result.json')];
    const pinned = disturbance === 'starved' ? ['taskset', '-c', '0'] : [];
    const [program = '', ...words] = [...pinned, process.execPath, ...args, ...options];
    const env =
      disturbance === 'blocked'
        ? { ...process.env, NODE_OPTIONS: `--require ${blocker}` }
        : { ...process.env };
    const generator = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'], env });
    const ended = new Promise<void>((resolve) => generator.once('exit', () => resolve()));
    const burn = (...prefix: string[]): void => {
      const [first = '', ...rest] = [...prefix, process.execPath, '-e', burner];
      helpers.push(spawn(first, rest, { stdio: 'ignore' }));
    };
    if (disturbance === 'starved') for (let i = 0; i < 2; i++) burn('taskset', '-c', '0');
    if (disturbance === 'busy machine') for (let i = 1; i < availableParallelism(); i++) burn();
    const stopper = disturbance === 'stopped' ? setInterval(() => stopFor(generator, 120), 1000) : null;
    await ended;
    if (stopper !== null) clearInterval(stopper);
    const result = readResult(join(folder, 'result.json'));
    await capture?.stop();
    const warmup = result.warmup.started;
    if (capture === null)
      return { result, truth: servedNs(readMockLog(log).calls.slice(warmup)), witness: 'log' };
    const passed = wireCalls(readCapture(capturePath), Number(new URL(mock.url).port));
    return { result, truth: wireServedNs(passed.slice(warmup)), witness: 'wire' };
  } finally {
    for (const helper of helpers) helper.kill('SIGKILL');
    await mock.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

// Ends by itself, whatever becomes of us.
const burner = 'for (const end = Date.now() + 15000; Date.now() < end; );';

function stopFor(child: ChildProcess, ms: number): void {
  child.kill('SIGSTOP');
  setTimeout(() => child.kill('SIGCONT'), ms);
}

function pin(pid: number, core: number): void {
  spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
}
