import os from 'node:os';
import { packageVersion } from '../version.js';
import { describeEnvironment } from '../result/environment.js';
import type { RunResult } from '../result/result.js';
import type { Plan, ResolvedPlan } from '../scenario/plan.js';
import { startMockProcess, type MockProcess } from '../target/built-in-mock.js';
import { parseTarget } from '../transport/http/address.js';
import { resolveTarget } from '../transport/http/resolve.js';
import { tryConnect } from '../transport/http/try-connect.js';
import { transportKinds } from '../transport/transport-kinds.js';
import { ExitCode, Failure } from '../failure.js';
import type { ShardTotals } from '../load/shard-report.js';
import { eraOf } from '../mcp/era.js';
import type { ServerInfo } from '../mcp/server-info.js';
import { assembleResult } from './assemble.js';
import { Controller } from './controller.js';
import type { ExecuteOptions } from './execute-options.js';
import { checkMemory } from './check-memory.js';
import { checkLimits } from './limits.js';
import { learnMirrored } from './learn-mirrored.js';
import { learnServer } from './learn-server.js';
import { resolveTransport, withAdvice } from './resolve-transport.js';
import { readLimits } from '../machine/machine-limits.js';
import { MachineCpu } from '../machine/machine-cpu.js';
import { SessionServersUsage } from '../target/session-servers-usage.js';
import { startTarget } from '../target/start-target.js';
import { TargetUsage } from '../target/target-usage.js';
import { speaking } from '../detect/spoken.js';
import { redact } from '../text/secrets.js';
import { PeakMemory } from '../machine/peak-memory.js';

const serverReadyMs = 30_000;

/** What came of a run: the result, and why it ended early where a fault of ours made it. */
export interface Executed {
  readonly result: RunResult;
  readonly failure: Failure | null;
}

/** What a run has started itself to be its target. */
interface Started {
  readonly pid: number | null;
  /** What the built-in mock says it did; absent of anything else. */
  stats?(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Runs a plan to its end and puts the result together; starts what the plan has no URL for, or a command for. */
export async function executePlan(given: Plan, options: ExecuteOptions = {}): Promise<Executed> {
  const ending = new AbortController();
  const { signal } = ending;
  const end = (): void => ending.abort(interrupted());
  // Until there are sessions nothing is worth waiting for, nor keeping.
  options.onControls?.({ stop: end, abort: end });
  const { plan: asked, started } = await startWhatIsWanted(given, options, signal);
  try {
    const resolved = await resolveTransport(asked, signal);
    const server = await learnServer(resolved, signal);
    const plan = await learnMirrored(resolved, packageVersion(), signal);
    signal.throwIfAborted();
    // Of what has been found out just now nothing better is to be said.
    const explain = (failure: unknown): Promise<unknown> => withAdvice(failure, given);
    return await executeAgainst(plan, started, server, endedBy(signal, options), explain);
  } finally {
    await started?.stop();
  }
}

/** The same, where what ended the preparation ends the run as well. */
function endedBy(signal: AbortSignal, options: ExecuteOptions): ExecuteOptions {
  const onControls: ExecuteOptions['onControls'] = (controls) => {
    options.onControls?.(controls);
    if (signal.aborted) controls.stop();
  };
  return { ...options, onControls };
}

function interrupted(): Failure {
  return new Failure('interrupted before the first session: nothing was measured', ExitCode.interrupted);
}

async function startWhatIsWanted(
  given: Plan,
  { mockArgs }: ExecuteOptions,
  signal: AbortSignal,
): Promise<{ plan: Plan; started: Started | null }> {
  const { url, command } = given.target;
  if (url === '' && command === undefined) {
    const mock = await startMockProcess(mockArgs);
    return { plan: againstMock(given, mock), started: mock };
  }
  if (url === '' || command === undefined) return { plan: given, started: null };
  const server = await startTarget({ kind: 'command', inheritEnv: true, ...command }, given.target, {
    readyMs: serverReadyMs,
    givenUp: () => (signal.aborted ? 'interrupted' : null),
  });
  if ('reason' in server) signal.throwIfAborted();
  if ('reason' in server) throw new Failure(redact(server.reason), ExitCode.runFailed);
  return { plan: { ...given, target: speaking(given.target, server.spoken) }, started: server };
}

async function executeAgainst(
  plan: ResolvedPlan,
  started: Started | null,
  /** Who it is, where no session says so. */
  server: ServerInfo | null,
  options: ExecuteOptions,
  explain: (failure: unknown) => Promise<unknown>,
): Promise<Executed> {
  const { target } = plan;
  // Over stdio there is nothing to connect to.
  const address = target.transport === 'stdio' ? null : parseTarget(target.url, target.unixSocket).address;
  const limits = readLimits();
  const { connectionsNeeded } = transportKinds[target.transport];
  const warning = checkLimits(plan, connectionsNeeded(plan), limits);
  if (warning !== null) options.onWarning?.(warning);
  const ip = address === null ? '' : await resolveTarget(address, plan.timeouts.connectNs / 1e6);
  const spin = shouldSpin(plan);
  const clientVersion = packageVersion();
  const assignments = Array.from({ length: plan.workers }, (_, index) => ({
    plan,
    shard: { index, of: plan.workers },
    ip,
    spin,
    clientVersion,
  }));
  const usage =
    options.targetCpuMs !== undefined
      ? null
      : address === null
        ? new SessionServersUsage(() => controller.targetProcesses)
        : TargetUsage.of(
            { started: started?.pid ?? undefined, named: options.targetPid },
            { ip, port: address.unixSocket === null ? address.port : null },
          );
  const cpu = new MachineCpu(options.targetCpuMs ?? (usage === null ? null : () => usage.cpuMs()));
  const controller = new Controller(plan, assignments, options, {
    onFirstOpen: () => checkMemory(plan.sessions.count, controller.targetProcesses),
    onMeasuring: () => cpu.start(),
    onSecond: () => cpu.look(),
    onMeasured: () => cpu.stop(),
    cpuWithin: (fromMs, toMs) => cpu.within(fromMs, toMs),
    targetResources: () => usage?.resources() ?? null,
  });
  options.onControls?.({ stop: () => controller.stop('interrupted'), abort: () => controller.abort() });
  const memory = new PeakMemory();
  const begunAt = new Date();
  const { collector, ended, measuringAt, failure } = await controller
    .run()
    .catch(async (failure: unknown) => {
      throw await explain(failure);
    })
    .finally(() => memory.stop());
  const first = collector.totals.find(({ dialect }) => dialect !== null);
  // Down when last seen: for good, or is somebody there again?
  const downAtEnd = address !== null && collector.measured().availability.downSinceMs !== null;
  const refusal = downAtEnd ? await tryConnect(address, ip, plan.timeouts.connectNs / 1e6) : null;
  const mockStats = await started?.stats?.().catch(() => undefined);
  const result = assembleResult(collector, {
    plan,
    toolVersion: clientVersion,
    startedAt: measuringAt ?? begunAt,
    ended,
    connectFailure: refusal?.what ?? null,
    target: {
      ...(address === null ? { command: target.command!.command } : { url: target.url }),
      transport: target.transport,
      era: eraOf(target.protocol),
      protocolVersion: spokenVersion(plan, first),
      bodies: [],
      dialect: transportKinds[target.transport].hasDialects ? (first?.dialect ?? target.dialect) : '',
      server: first?.server ? { name: first.server.name, version: first.server.version } : server,
      builtIn: started?.stats !== undefined,
      ...(mockStats === undefined ? {} : { mockStats }),
      resources: usage?.resources() ?? null,
    },
    environment: describeEnvironment({
      workers: plan.workers,
      pacing: spin ? 'spin' : 'timer',
      tags: plan.tags,
    }),
    maxRssBytes: memory.stop(),
    openFilesLimit: limits.descriptors,
    cpuWithin: (fromMs, toMs) => cpu.within(fromMs, toMs),
  });
  return { result, failure };
}

// It speaks everything: what the plan leaves open is HTTP+SSE, unless it names a revision that has no sessions.
function againstMock(plan: Plan, { urls }: MockProcess): Plan {
  const { transport: named, protocol } = plan.target;
  const transport =
    named !== 'auto' && named !== 'stdio' ? named : eraOf(protocol) === 'stateless' ? 'streamable' : 'sse';
  return { ...plan, target: { ...plan.target, url: ownWorkspaces(urls[transport]), transport } };
}

// With sessions it is the server that has the last word on it.
function spokenVersion({ target }: ResolvedPlan, first: ShardTotals | undefined): string | null {
  if (first === undefined) return null;
  return eraOf(target.protocol) === 'stateless' ? target.protocol : (first.server?.protocolVersion ?? null);
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
