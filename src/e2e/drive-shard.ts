import { nowNs } from '../clock.js';
import type { ShardFinal } from '../load/shard-report.js';
import { ShardRunner } from '../load/shard-runner.js';
import { describeEnvironment } from '../result/environment.js';
import type { RunResult } from '../result/result.js';
import { assembleResult } from '../run/assemble.js';
import { Collector } from '../run/collector.js';
import type { Plan } from '../scenario/plan.js';
import { parseTarget } from '../transport/http/address.js';
import { createTransport } from '../transport/sse/create-transport.js';
import type { Transport } from '../transport/transport.js';
import type { Turn } from '../transport/turn.js';

export interface Driven {
  readonly result: RunResult;
  readonly final: ShardFinal;
}

export interface DriveOptions {
  /** Another transport than the one that ships. */
  readonly createTransport?: (plan: Plan, turn: Turn) => Transport;
  /** Called once the measurement runs. */
  readonly onStarted?: (runner: ShardRunner) => void;
}

/**
 * Runs a plan on one shard in this very thread, with the real engine and sockets, and puts the result together as a run
 * does. Where no session becomes ready it ends without a call.
 */
export async function driveShard(plan: Plan, options: DriveOptions = {}): Promise<Driven> {
  const { address } = parseTarget(plan.target.url, plan.target.unixSocket);
  const ip = address.host === 'localhost' ? '127.0.0.1' : address.host;
  const collector = new Collector(
    1,
    plan.phases.length,
    plan.operations.map(({ name }) => name),
  );
  let opened = (): void => {};
  const opening = new Promise<void>((resolve) => (opened = resolve));
  let drained = (): void => {};
  const drain = new Promise<void>((resolve) => (drained = resolve));
  const runner = new ShardRunner(
    {
      plan,
      shard: { index: 0, of: 1 },
      spin: false,
      clientVersion: '0.0.0-test',
      createTransport: (turn) => options.createTransport?.(plan, turn) ?? createTransport(plan, ip, turn),
    },
    {
      onOpened: () => opened(),
      onInterval: (interval) => void collector.add(interval),
      onDrained: () => drained(),
    },
  );
  const startedAt = new Date();
  runner.openAll(nowNs());
  await opening;
  if (runner.sessionsReady > 0) {
    runner.start(nowNs());
    options.onStarted?.(runner);
  } else {
    runner.stop();
  }
  await drain;
  const final = runner.finish();
  collector.finals.push(final);
  collector.closeAll();
  const result = assembleResult(collector, {
    plan,
    toolVersion: '0.0.0-test',
    startedAt,
    ended: 'complete',
    connectFailure: null,
    target: {
      url: plan.target.url,
      transport: 'sse',
      dialect: final.dialect ?? plan.target.dialect,
      server: final.server,
      protocolVersion: final.server?.protocolVersion ?? null,
      builtIn: false,
    },
    environment: describeEnvironment({ workers: 1, pacing: 'timer', tags: {} }),
    maxRssBytes: 0,
    openFilesLimit: null,
    cpuWithin: () => ({ othersShare: null, targetShare: null, stolenShare: null }),
  });
  return { result, final };
}
