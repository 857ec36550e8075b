import { setTimeout as sleep } from 'node:timers/promises';
import { executePlan } from '../../../src/run/run.js';
import { planScenario } from '../../../src/scenario/load-scenario.js';
import type { ScenarioInput } from '../../../src/scenario/schema.js';
import { countOutcomes } from '../../../src/stats/outcomes.js';
import { clientTask, sayAt, sayDone } from './client-lines.js';

// A client: mcp-bench as `run` uses it, worker threads and all.

const told = clientTask();
const targets = {
  sse: { transport: 'sse' },
  sessions: { transport: 'streamable', protocol: '2025-11-25' },
  stateless: { transport: 'streamable', protocol: '2026-07-28' },
} as const;
const { sessions, inFlight, perSecond, tool, warmupSeconds, seconds } = told;
const scenario: ScenarioInput = {
  name: 'peers',
  target: targets[told.transport],
  sessions,
  workers: 1,
  warmup: `${warmupSeconds * 1000}ms`,
  duration: `${seconds * 1000}ms`,
  load: perSecond === undefined ? { model: 'closed', inFlight } : { model: 'rate', perSecond },
  calls: [{ tool, arguments: told.arguments as ScenarioInput['calls'][number]['arguments'] }],
};
const { result, failure } = await executePlan(planScenario(scenario, { target: told.url }), {
  onState: (state) => {
    if (state === 'running') void sayWhen();
  },
});
if (failure !== null) throw failure;
const { totals, metrics } = result;
const { p50, p95, p99, max } = metrics['call.response'] ?? { p50: NaN, p95: NaN, p99: NaN, max: NaN };
sayDone({
  sessions: result.sessions.ready,
  calls: totals.outcomes.ok,
  errors: countOutcomes(totals.outcomes) - totals.outcomes.ok - totals.outcomes.notSent,
  seconds: result.durationMs / 1000,
  p50Ms: p50 / 1e6,
  p95Ms: p95 / 1e6,
  p99Ms: p99 / 1e6,
  maxMs: max / 1e6,
  notStarted: totals.outcomes.notSent,
  firstError: Object.values(result.examples)[0] ?? null,
});

async function sayWhen(): Promise<void> {
  sayAt('ready', { sessions, failed: 0 });
  await sleep(warmupSeconds * 1000);
  sayAt('measuring');
  await sleep(seconds * 1000);
  sayAt('measured');
}
