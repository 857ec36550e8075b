import type { ShardFinal, ShardPhase } from '../load/shard-report.js';
import { offeredPerSec } from '../load/pacer.js';
import { countOutcomes, addCounts, addOutcomes, noOutcomes, type Outcomes } from '../stats/outcomes.js';
import type { Tally } from '../stats/recorder.js';
import { evaluateThresholds } from '../result/evaluate-thresholds.js';
import { generatorFacts, targetFacts } from '../result/facts.js';
import { findFindings } from '../result/findings.js';
import type {
  Environment,
  GeneratorHealth,
  Oddities,
  OperationResult,
  PhaseResult,
  RunResult,
  SessionTotals,
  TargetInfo,
} from '../result/result.js';
import { resultSchema } from '../result/result.js';
import { finishedRun } from '../result/threshold-subject.js';
import { judgeValidity, type ResourceLimit } from '../result/validity.js';
import type { OperationPlan, Plan } from '../scenario/plan.js';
import type { Collector } from './collector.js';

/** What a result holds beside what the workers recorded. */
export interface RunFacts {
  readonly plan: Plan;
  readonly toolVersion: string;
  readonly startedAt: Date;
  readonly target: TargetInfo;
  readonly environment: Environment;
  readonly ended: RunResult['ended'];
  readonly maxRssBytes: number;
  readonly othersCpuShare: number | null;
  readonly targetCpuShare: number | null;
  readonly stolenCpuShare: number | null;
}

/** Puts a run's result together: totals, phases, metrics, and what is to be thought of them. */
export function assembleResult(collector: Collector, facts: RunFacts): RunResult {
  const { plan } = facts;
  const { finals } = collector;
  const width = plan.operations.length;
  const tallies = sumTallies(finals, (plan.phases.length + 1) * width);
  const warmup = sumOver(tallies.slice(0, width));
  const measured = sumOver(tallies.slice(width));
  const phases = plan.phases
    .map((_, index) =>
      assemblePhase(collector, plan, index, tallies.slice((index + 1) * width, (index + 2) * width)),
    )
    .filter((phase) => phase !== null);
  const durationMs = phases.reduce((sum, phase) => sum + phase.durationMs, 0);
  const okWithin = sumWithin(
    finals.flatMap((final) => final.phases),
    width,
  );
  const offered = phases.every((phase) => phase.totals.offeredPerSec !== null)
    ? phases.reduce((sum, phase) => sum + phase.totals.offeredPerSec! * phase.durationMs, 0) /
      Math.max(1, durationMs)
    : null;
  const run = {
    schema: resultSchema,
    tool: { name: 'mcp-bench', version: facts.toolVersion },
    name: plan.name,
    startedAt: facts.startedAt.toISOString(),
    durationMs,
    seed: plan.seed,
    scenario: hideSecrets(plan),
    scenarioHash: plan.scenarioHash,
    target: facts.target,
    environment: facts.environment,
    ended: facts.ended,
    sessions: sumSessions(finals),
    totals: {
      started: measured.started,
      sent: measured.started - measured.outcomes.notSent,
      callsPerSec: perSec(sum(okWithin, Number), durationMs),
      offeredPerSec: offered,
      bytesIn: sum(finals, (final) => final.bytesIn),
      bytesOut: sum(finals, (final) => final.bytesOut),
      outcomes: measured.outcomes,
      oddities: sumOddities(finals),
      conserved: [warmup, measured].every(({ started, outcomes }) => started === countOutcomes(outcomes)),
    },
    warmup: {
      started: warmup.started,
      sent: warmup.started - warmup.outcomes.notSent,
      outcomes: warmup.outcomes,
    },
    metrics: collector.runMetrics(),
    phases,
    operations: plan.operations.map((operation, index) =>
      operationResult(
        operation,
        tallies.filter((_, at) => at >= width && at % width === index),
        perSec(okWithin[index], durationMs),
      ),
    ),
    intervals: collector.intervals,
    generator: generatorHealth(finals, facts),
    examples: Object.assign({}, ...finals.map(({ examples }) => examples)) as Record<string, string>,
  } satisfies Omit<RunResult, 'validity' | 'findings' | 'thresholds'>;
  const clumped = {
    clumped: sum(finals, (final) => final.clumped.clumped),
    all: sum(finals, (final) => final.clumped.all),
  };
  return {
    ...run,
    thresholds: evaluateThresholds(plan.thresholds, finishedRun(run)),
    validity: judgeValidity(generatorFacts(run, limitsHit(finals))),
    findings: findFindings(targetFacts(run, clumped)),
  };
}

function assemblePhase(
  collector: Collector,
  plan: Plan,
  index: number,
  tallies: readonly Tally[],
): PhaseResult | null {
  const parts = collector.finals.map(({ phases }) => phases[index]).filter((part) => part !== undefined);
  if (parts.length === 0) return null;
  const startMs = Math.min(...parts.map(({ startNs }) => startNs)) / 1e6;
  const endMs = Math.max(...parts.map(({ endNs }) => endNs)) / 1e6;
  const okWithin = sumWithin(parts, plan.operations.length);
  const { started, outcomes } = sumOver(tallies);
  const { name, load, durationNs } = plan.phases[index];
  const open = load.model !== 'closed' && load.model !== 'count';
  return {
    name,
    startMs,
    durationMs: endMs - startMs,
    totals: {
      started,
      sent: started - outcomes.notSent,
      callsPerSec: perSec(sum(okWithin, Number), endMs - startMs),
      offeredPerSec: open ? offeredPerSec(load, durationNs!, plan.sessions.count - plan.sessions.idle) : null,
      outcomes,
    },
    metrics: collector.phaseMetrics(index),
    operations: plan.operations.map((operation, at) =>
      operationResult(operation, [tallies[at]], perSec(okWithin[at], endMs - startMs)),
    ),
  };
}

function operationResult(
  { name, method }: OperationPlan,
  tallies: readonly Tally[],
  callsPerSec: number,
): OperationResult {
  const { started, outcomes } = sumOver(tallies);
  return { name, method, started, callsPerSec, outcomes };
}

/** By operation: the calls that ended ok within these phases, whichever worker's. */
function sumWithin(parts: readonly ShardPhase[], operations: number): number[] {
  return Array.from({ length: operations }, (_, at) => sum(parts, ({ okWithin }) => okWithin[at]));
}

function perSec(count: number, durationMs: number): number {
  return durationMs > 0 ? (count * 1000) / durationMs : 0;
}

function sum<T>(items: readonly T[], pick: (item: T) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}

function sumTallies(finals: readonly ShardFinal[], length: number): Tally[] {
  const tallies = Array.from({ length }, () => ({ started: 0, outcomes: noOutcomes() }));
  for (const final of finals) {
    for (const [at, tally] of final.tallies.entries()) {
      tallies[at].started += tally.started;
      addOutcomes(tallies[at].outcomes, tally.outcomes);
    }
  }
  return tallies;
}

function sumOver(tallies: readonly Tally[]): { started: number; outcomes: Outcomes } {
  const outcomes = noOutcomes();
  for (const tally of tallies) addOutcomes(outcomes, tally.outcomes);
  return { started: sum(tallies, ({ started }) => started), outcomes };
}

function sumSessions(finals: readonly ShardFinal[]): SessionTotals {
  const failures: Record<string, number> = {};
  for (const { sessions } of finals) addCounts(failures, sessions.failures);
  return {
    opened: sum(finals, ({ sessions }) => sessions.opened),
    ready: sum(finals, ({ sessions }) => sessions.ready),
    failed: sum(finals, ({ sessions }) => sessions.failed),
    dropped: sum(finals, ({ sessions }) => sessions.dropped),
    reconnects: sum(finals, ({ sessions }) => sessions.reconnects),
    closed: sum(finals, ({ sessions }) => sessions.closed),
    abandoned: sum(finals, ({ sessions }) => sessions.abandoned),
    connectRetries: sum(finals, ({ connectRetries }) => connectRetries),
    failures,
    peakReady: sum(finals, ({ sessions }) => sessions.peakReady),
  };
}

function sumOddities(finals: readonly ShardFinal[]): Oddities {
  const serverRequest: Record<string, number> = {};
  const notification: Record<string, number> = {};
  for (const { oddities } of finals) {
    addCounts(serverRequest, oddities.serverRequest);
    addCounts(notification, oddities.notification);
  }
  const count = (
    name:
      | 'duplicate'
      | 'late'
      | 'foreign'
      | 'coercedId'
      | 'malformedEvent'
      | 'truncatedEvent'
      | 'nullIdError'
      | 'reconnect',
  ) => sum(finals, ({ oddities }) => oddities[name]);
  return {
    duplicate: count('duplicate'),
    late: count('late'),
    foreign: count('foreign'),
    coercedId: count('coercedId'),
    malformedEvent: count('malformedEvent'),
    truncatedEvent: count('truncatedEvent'),
    nullIdError: count('nullIdError'),
    serverRequest,
    notification,
    reconnect: count('reconnect'),
    extraConnection: sum(finals, ({ extraConnections }) => extraConnections),
  };
}

function generatorHealth(finals: readonly ShardFinal[], facts: RunFacts): GeneratorHealth {
  const each = (pick: (final: ShardFinal) => number): number[] => finals.map(pick);
  return {
    cpuMsPerWorker: each(({ health }) => (health.cpuNs ?? health.busyNs) / 1e6),
    loopUtilisation: each(({ health }) => (health.elapsedNs > 0 ? health.busyNs / health.elapsedNs : 0)),
    loopDelayP99Ms: each(({ health }) => health.loopDelayP99Ns / 1e6),
    longestTurnMs: each(({ health }) => health.longestTurnNs / 1e6),
    longestGcMs: each(({ health }) => health.longestGcNs / 1e6),
    gcMs: each(({ health }) => health.gcNs / 1e6),
    maxRssBytes: facts.maxRssBytes,
    othersCpuShare: facts.othersCpuShare,
    targetCpuShare: facts.targetCpuShare,
    stolenCpuShare: facts.stolenCpuShare,
  };
}

function limitsHit(finals: readonly ShardFinal[]): ResourceLimit[] {
  const codes: Record<string, number> = {};
  for (const final of finals) addCounts(codes, final.limitsHit);
  return Object.entries(codes).map(([code, count]) => ({
    kind:
      code === 'EADDRNOTAVAIL' ? 'ports' : code === 'EMFILE' || code === 'ENFILE' ? 'descriptors' : 'memory',
    detail: `${count} connections failed with ${code}`,
  }));
}

function hideSecrets(plan: Plan): Plan {
  const headers = Object.fromEntries(Object.keys(plan.target.headers).map((name) => [name, '***']));
  const { tls } = plan.target;
  return {
    ...plan,
    data: {},
    target: { ...plan.target, headers, tls: { ...tls, key: tls.key === null ? null : '***' } },
  };
}
