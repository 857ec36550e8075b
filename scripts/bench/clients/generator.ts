import { setTimeout as sleep } from 'node:timers/promises';
import { planScenario } from '../../../src/scenario/load-scenario.js';
import type { ScenarioInput } from '../../../src/scenario/schema.js';
import { executePlan } from '../../../src/run/run.js';
import { programOptions, say } from '../child-program.js';

// A program: our own generator as `mcp-bench run` uses it, worker threads and all, with its CPU and memory.

export interface GeneratorOptions {
  /** None where the scenario names its target. */
  readonly url?: string;
  readonly scenario: ScenarioInput;
}

export interface GeneratorFigures {
  readonly callsPerSec: number;
  /** Warm-up and measurement. */
  readonly sent: number;
  readonly ok: number;
  /** CPU of the whole process per call, within the measured time. */
  readonly cpuUsEach: number;
  readonly serviceP50Ns: number;
  readonly sessionsReady: number;
  readonly sessionsFailed: number;
  readonly sessionsDropped: number;
  readonly connectRetries: number;
  readonly openedMs: number;
  /** Before the first session, with all of them open and idle, and at its highest. */
  readonly residentBytes: { readonly before: number; readonly open: number; readonly most: number };
  /** From a burst's due moment to its last write: the mean of each phase of bursts. */
  readonly burstWriteMs: readonly number[];
  /** The longest that a call of the run waited for a connection. */
  readonly queueWaitMs: number;
  readonly validity: string;
  /** One per kind of error. */
  readonly examples: Readonly<Record<string, string>>;
}

const { url, scenario } = programOptions<GeneratorOptions>();
const plan = planScenario(scenario, url === undefined ? {} : { target: url });
const resident = { before: process.memoryUsage.rss(), open: 0, most: 0 };
let cpuUs = 0;
let openedMs = 0;
const startMs = performance.now();
const sampler = setInterval(() => (resident.most = Math.max(resident.most, process.memoryUsage.rss())), 200);
const { result, failure } = await executePlan(plan, {
  onState: (state) => {
    if (state !== 'running') return;
    openedMs = performance.now() - startMs;
    resident.open = process.memoryUsage.rss();
    void measureCpu();
  },
});
clearInterval(sampler);
if (failure !== null) throw failure;
const { totals, warmup, sessions, metrics, validity } = result;
if (!totals.conserved) throw new Error('the run lost calls');
say({
  callsPerSec: totals.callsPerSec,
  sent: totals.sent + warmup.sent,
  ok: totals.outcomes.ok + warmup.outcomes.ok,
  cpuUsEach: (cpuUs * 1000) / (totals.callsPerSec * result.durationMs),
  serviceP50Ns: metrics['call.service']?.p50 ?? 0,
  sessionsReady: sessions.ready,
  sessionsFailed: sessions.failed,
  sessionsDropped: sessions.dropped,
  connectRetries: sessions.connectRetries,
  openedMs,
  residentBytes: resident,
  burstWriteMs: result.phases.flatMap(({ bursts }) => bursts?.meanMs ?? []),
  queueWaitMs: (metrics['queue.wait']?.max ?? 0) / 1e6,
  validity: [validity.state, ...validity.reasons.map(({ code }) => code)].join(' '),
  examples: result.examples,
} satisfies GeneratorFigures);

// This thread has little else to do than to wait, so its timers are good enough.
async function measureCpu(): Promise<void> {
  await sleep(plan.warmupNs / 1e6);
  const startCpu = process.cpuUsage();
  await sleep(plan.phases[0]!.durationNs! / 1e6);
  const { user, system } = process.cpuUsage(startCpu);
  cpuUs = user + system;
}
