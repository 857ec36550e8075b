import os from 'node:os';
import { packageVersion } from '../version.js';
import { describeEnvironment } from '../result/environment.js';
import type { RunResult } from '../result/result.js';
import type { Plan } from '../scenario/plan.js';
import { startMockProcess, type MockProcess } from '../target/built-in-mock.js';
import { parseTarget } from '../transport/address.js';
import { connectionsPerSession } from '../transport/create-transport.js';
import { resolveTarget } from '../transport/resolve.js';
import type { Failure } from '../failure.js';
import { assembleResult } from './assemble.js';
import { Controller, type RunWatcher } from './controller.js';
import { checkLimits, readLimits } from './limits.js';
import { MachineCpu, processCpuMs } from './machine-cpu.js';

export interface ExecuteOptions extends RunWatcher {
  /** Arguments for the built-in mock, which is started where the plan names no target. */
  readonly mockArgs?: readonly string[];
  /** Reads the CPU so far of a target that the caller started on this machine. */
  targetCpuMs?(): number | null;
  onWarning?(message: string): void;
  /** Hands out the means to end the run early. */
  onControls?(controls: { stop(): void; abort(): void }): void;
}

/** What came of a run: the result, and why it ended early where a fault of ours made it. */
export interface Executed {
  readonly result: RunResult;
  readonly failure: Failure | null;
}

/** Runs a plan to its end and puts the result together; starts the built-in mock where the plan names no target. */
export async function executePlan(given: Plan, options: ExecuteOptions = {}): Promise<Executed> {
  const mock = given.target.url === '' ? await startMockProcess(options.mockArgs) : null;
  try {
    const plan: Plan =
      mock === null ? given : { ...given, target: { ...given.target, url: ownWorkspaces(mock.url) } };
    return await executeAgainst(plan, mock, options);
  } finally {
    await mock?.stop();
  }
}

async function executeAgainst(
  plan: Plan,
  mock: MockProcess | null,
  options: ExecuteOptions,
): Promise<Executed> {
  const { address } = parseTarget(plan.target.url, plan.target.unixSocket);
  const warning = checkLimits(plan, connectionsPerSession(plan), readLimits());
  if (warning !== null) options.onWarning?.(warning);
  const ip = await resolveTarget(address, plan.timeouts.connectNs / 1e6);
  const spin = shouldSpin(plan);
  const clientVersion = packageVersion();
  const assignments = Array.from({ length: plan.workers }, (_, index) => ({
    plan,
    shard: { index, of: plan.workers },
    ip,
    spin,
    clientVersion,
  }));
  const cpu = new MachineCpu(mock === null ? (options.targetCpuMs ?? null) : () => processCpuMs(mock.pid));
  const controller = new Controller(plan, assignments, options);
  controller.onMeasuring = () => cpu.start();
  controller.onMeasured = () => cpu.stop();
  options.onControls?.({ stop: () => controller.stop('interrupted'), abort: () => controller.abort() });
  let maxRssBytes = 0;
  const memory = setInterval(() => (maxRssBytes = Math.max(maxRssBytes, process.memoryUsage.rss())), 200);
  const startedAt = new Date();
  const { collector, ended, failure } = await controller.run().finally(() => clearInterval(memory));
  const { othersShare, targetShare, stolenShare } = cpu.read();
  const first = collector.finals.find(({ dialect }) => dialect !== null);
  const mockStats = await mock?.stats().catch(() => undefined);
  const result = assembleResult(collector, {
    plan,
    toolVersion: clientVersion,
    startedAt,
    ended,
    target: {
      url: plan.target.url,
      transport: 'sse',
      dialect: first?.dialect ?? plan.target.dialect,
      server: first?.server ? { name: first.server.name, version: first.server.version } : null,
      protocolVersion: first?.server?.protocolVersion ?? null,
      builtIn: mock !== null,
      ...(mockStats === undefined ? {} : { mockStats }),
    },
    environment: describeEnvironment({
      workers: plan.workers,
      pacing: spin ? 'spin' : 'timer',
      tags: plan.tags,
    }),
    maxRssBytes: Math.max(maxRssBytes, process.memoryUsage.rss()),
    othersCpuShare: othersShare,
    targetCpuShare: targetShare,
    stolenCpuShare: stolenShare,
  });
  return { result, failure };
}

// All streams of one workspace see all its responses: each session of ours gets its own.
function ownWorkspaces(url: string): string {
  return url.replace(/\/mcp\/bench$/, '/mcp/{session}');
}

/** Spinning takes a core per worker: only where that leaves one for the target and the rest, and only where calls are paced. */
function shouldSpin(plan: Plan): boolean {
  if (plan.pacing !== 'auto') return plan.pacing === 'spin';
  const paced = plan.phases.some(
    ({ load }) => load.model !== 'count' && !(load.model === 'closed' && load.thinkNs === 0),
  );
  return paced && os.availableParallelism() > plan.workers;
}
