import { burstSpread } from './burst-spread.js';
import { phaseGenerator } from './phase-generator.js';
import type { ShardFinal, ShardPhase, ShardTotals } from '../load/shard-report.js';
import { offeredPerSec } from '../load/pacer.js';
import { countOutcomes, addCounts, addOutcomes, noOutcomes } from '../stats/outcomes.js';
import type { Tally } from '../stats/recorder.js';
import { pausesIn, pausesOver } from '../result/pauses.js';
import { evaluateThresholds } from '../result/evaluate-thresholds.js';
import { generatorFacts, targetFacts } from '../result/facts.js';
import { findFindings } from '../result/findings.js';
import type {
  Environment,
  GeneratorHealth,
  Oddities,
  OperationResult,
  PhaseResult,
  Pipes,
  Replies,
  RunResult,
  SessionTotals,
  TargetInfo,
} from '../result/result.js';
import { resultSchema } from '../result/result.js';
import { finishedRun } from '../result/threshold-subject.js';
import { judgeValidity, type ResourceLimit } from '../result/validity.js';
import type { OperationPlan, Plan } from '../scenario/plan.js';
import type { Collector } from './collector.js';
import type { CpuShares } from '../machine/machine-cpu.js';
import { printableTargetInfo } from '../result/printable-target-info.js';
import { printablePlan } from '../scenario/printable-plan.js';
import { redactAll, redactGiven } from '../text/secrets.js';

/** What a result holds beside what the workers recorded. */
export interface RunFacts {
  readonly plan: Plan;
  readonly toolVersion: string;
  readonly startedAt: Date;
  readonly target: TargetInfo;
  readonly environment: Environment;
  readonly ended: RunResult['ended'];
  /** Why an attempt to connect after the run failed; null where it did not, or none was made. */
  readonly connectFailure: string | null;
  readonly maxRssBytes: number;
  /** Files that this process may have open; null where unknown. */
  readonly openFilesLimit: number | null;
  /** Whose the machine's CPU was between two moments of the measurement. */
  cpuWithin(fromMs: number, toMs: number): CpuShares;
}

/** Puts a run's result together: totals, phases, metrics, and what is to be thought of them. */
export function assembleResult(collector: Collector, facts: RunFacts): RunResult {
  const { plan } = facts;
  const { finals, totals: shards } = collector;
  const width = plan.operations.length;
  const tallies = sumTallies(shards, (plan.phases.length + 1) * width);
  const warmup = sumOver(tallies.slice(0, width));
  const measured = sumOver(tallies.slice(width));
  const phases = plan.phases
    .map((_, index) =>
      assemblePhase(collector, facts, index, tallies.slice((index + 1) * width, (index + 2) * width)),
    )
    .filter((phase) => phase !== null);
  const pauses = pausesOver(phases);
  const durationMs = phases.reduce((sum, phase) => sum + phase.durationMs, 0);
  const { intervals, availability } = collector.measured();
  const okWithin = sumWithin(
    shards.flatMap(({ phases }) => phases),
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
    scenario: printablePlan(plan, 0),
    scenarioHash: plan.scenarioHash,
    target: printableTargetInfo({ ...facts.target, bodies: bodiesOf(shards) }),
    environment: { ...facts.environment, tags: redactAll(facts.environment.tags) },
    ended: facts.ended,
    sessions: sumSessions(shards),
    totals: {
      started: measured.started,
      sent: measured.started - measured.outcomes.notSent,
      callsPerSec: perSec(sum(okWithin, Number), durationMs),
      offeredPerSec: offered,
      bytesIn: sum(shards, (shard) => shard.bytesIn),
      bytesOut: sum(shards, (shard) => shard.bytesOut),
      outcomes: measured.outcomes,
      ...cutOffOf(measured),
      oddities: sumOddities(shards, facts.target.transport),
      ...(facts.target.transport === 'streamable' ? { replies: sumReplies(shards) } : {}),
      ...(facts.target.transport === 'stdio' ? { pipes: sumPipes(shards) } : {}),
      // Nobody knows what became of the calls that a crashed worker had in flight.
      conserved:
        finals.length === facts.environment.workers &&
        [warmup, measured].every(({ started, outcomes }) => started === countOutcomes(outcomes)),
      availability: {
        ...availability,
        gone: availability.downSinceMs === null ? null : facts.connectFailure,
      },
    },
    warmup: {
      started: warmup.started,
      sent: warmup.started - warmup.outcomes.notSent,
      outcomes: warmup.outcomes,
      bytesIn: sum(shards, (shard) => shard.bytesInBefore),
      bytesOut: sum(shards, (shard) => shard.bytesOutBefore),
    },
    metrics: collector.runMetrics(pauses),
    phases,
    operations: plan.operations.map((operation, index) =>
      operationResult(
        operation,
        tallies.filter((_, at) => at >= width && at % width === index),
        perSec(okWithin[index], durationMs),
      ),
    ),
    intervals,
    generator: {
      ...generatorHealth(finals, facts, durationMs),
      pausedShare: pauses.share,
    },
    examples: redactAll(examplesOf(shards)),
  } satisfies Omit<RunResult, 'validity' | 'findings' | 'thresholds'>;
  const coalesced = {
    coalesced: sum(shards, ({ coalescing }) => coalescing.coalesced),
    all: sum(shards, ({ coalescing }) => coalescing.all),
  };
  return {
    ...run,
    thresholds: evaluateThresholds(plan.thresholds, finishedRun(run)),
    validity: judgeValidity(
      generatorFacts(
        run,
        limitsHit(shards, facts),
        sum(shards, ({ internalErrors }) => internalErrors.count),
      ),
    ),
    findings: findFindings(targetFacts(run, coalesced)),
  };
}

function assemblePhase(
  collector: Collector,
  { plan, cpuWithin, environment }: RunFacts,
  index: number,
  tallies: readonly Tally[],
): PhaseResult | null {
  const parts = collector.totals.map(({ phases }) => phases[index]).filter((part) => part !== undefined);
  if (parts.length === 0) return null;
  const startMs = Math.min(...parts.map(({ startNs }) => startNs)) / 1e6;
  const endMs = Math.max(...parts.map(({ endNs }) => endNs)) / 1e6;
  const okWithin = sumWithin(parts, plan.operations.length);
  const { started, outcomes, cutOff } = sumOver(tallies);
  const { name, load, durationNs } = plan.phases[index];
  const open = load.model !== 'closed' && load.model !== 'count';
  const bursts = burstSpread(parts.map((part) => part.bursts));
  const generator = phaseGenerator(parts, cpuWithin(startMs, endMs), environment.cores);
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
      ...cutOffOf({ cutOff }),
    },
    metrics: collector.phaseMetrics(index, pausesIn(generator)),
    operations: plan.operations.map((operation, at) =>
      operationResult(operation, [tallies[at]], perSec(okWithin[at], endMs - startMs)),
    ),
    ...(bursts === undefined ? {} : { bursts }),
    generator,
  };
}

function operationResult(
  { name, method }: OperationPlan,
  tallies: readonly Tally[],
  callsPerSec: number,
): OperationResult {
  const { started, outcomes, cutOff } = sumOver(tallies);
  return { name, method, started, callsPerSec, outcomes, ...cutOffOf({ cutOff }) };
}

// Only there where it happened.
function cutOffOf({ cutOff }: { readonly cutOff: number }): { cutOff?: number } {
  return cutOff > 0 ? { cutOff } : {};
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

function sumTallies(shards: readonly ShardTotals[], length: number): Tally[] {
  const tallies = Array.from({ length }, () => ({ started: 0, outcomes: noOutcomes(), cutOff: 0 }));
  for (const { tallies: more } of shards) {
    for (const [at, tally] of more.entries()) {
      tallies[at].started += tally.started;
      tallies[at].cutOff += tally.cutOff;
      addOutcomes(tallies[at].outcomes, tally.outcomes);
    }
  }
  return tallies;
}

function sumOver(tallies: readonly Tally[]): Tally {
  const outcomes = noOutcomes();
  for (const tally of tallies) addOutcomes(outcomes, tally.outcomes);
  return {
    started: sum(tallies, ({ started }) => started),
    outcomes,
    cutOff: sum(tallies, ({ cutOff }) => cutOff),
  };
}

function sumSessions(shards: readonly ShardTotals[]): SessionTotals {
  const failures: Record<string, number> = {};
  for (const { sessions } of shards) addCounts(failures, sessions.failures);
  return {
    opened: sum(shards, ({ sessions }) => sessions.opened),
    ready: sum(shards, ({ sessions }) => sessions.ready),
    failed: sum(shards, ({ sessions }) => sessions.failed),
    dropped: sum(shards, ({ sessions }) => sessions.dropped),
    reconnects: sum(shards, ({ sessions }) => sessions.reconnects),
    closed: sum(shards, ({ sessions }) => sessions.closed),
    abandoned: sum(shards, ({ sessions }) => sessions.abandoned),
    connectRetries: sum(shards, ({ connectRetries }) => connectRetries),
    failures,
    peakReady: sum(shards, ({ sessions }) => sessions.peakReady),
  };
}

function sumOddities(shards: readonly ShardTotals[], transport: TargetInfo['transport']): Oddities {
  const serverRequest: Record<string, number> = {};
  const notification: Record<string, number> = {};
  for (const { oddities } of shards) {
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
      | 'reconnect'
      | 'sessionLost',
  ) => sum(shards, ({ oddities }) => oddities[name]);
  return {
    duplicate: count('duplicate'),
    late: count('late'),
    foreign: count('foreign'),
    coercedId: count('coercedId'),
    malformedEvent: count('malformedEvent'),
    truncatedEvent: count('truncatedEvent'),
    nullIdError: count('nullIdError'),
    serverRequest: redactGiven(serverRequest),
    notification: redactGiven(notification),
    reconnect: count('reconnect'),
    extraConnection: sum(shards, ({ extraConnections }) => extraConnections),
    reconnected: sum(shards, ({ reconnected }) => reconnected),
    strayAnswer: sum(shards, ({ strayAnswers }) => strayAnswers),
    ...(transport === 'streamable' ? { sessionLost: count('sessionLost') } : {}),
  };
}

function sumReplies(shards: readonly ShardTotals[]): Replies {
  const count = (name: keyof ShardTotals['replies']): number => sum(shards, ({ replies }) => replies[name]);
  return {
    json: sum(shards, ({ bodies }) => bodies.json),
    events: sum(shards, ({ bodies }) => bodies.events),
    priming: count('priming'),
    resumed: count('resumed'),
    resumeRefused: count('resumeRefused'),
    jsonAsEvents: count('jsonAsEvents'),
    listenRefused: count('listenRefused'),
    deleted: count('deleted'),
    deleteRefused: count('deleteRefused'),
    left: count('left'),
    inputRounds: sum(shards, ({ inputRounds }) => inputRounds),
  };
}

function sumPipes(shards: readonly ShardTotals[]): Pipes {
  const count = (name: keyof Pipes): number => sum(shards, ({ pipes }) => pipes[name]);
  return {
    otherLines: count('otherLines'),
    stderrBytes: count('stderrBytes'),
    died: count('died'),
    survivedEof: count('survivedEof'),
    killed: count('killed'),
    leftOthers: count('leftOthers'),
  };
}

function bodiesOf(shards: readonly ShardTotals[]): TargetInfo['bodies'] {
  const json = shards.some(({ bodies }) => bodies.json > 0);
  const events = shards.some(({ bodies }) => bodies.events > 0);
  return [...(json ? (['json'] as const) : []), ...(events ? (['sse'] as const) : [])];
}

/** One example per kind of error, whichever worker's; of bugs that the server's bytes brought to light, too. */
function examplesOf(shards: readonly ShardTotals[]): Record<string, string> {
  const examples: Record<string, string> = {};
  for (const shard of shards) {
    Object.assign(examples, shard.examples);
    if (shard.pipes.otherLines > 0) examples['standard output'] = shard.pipes.otherLine;
    if (shard.internalErrors.count > 0) examples['internal error'] = shard.internalErrors.example;
  }
  return examples;
}

function generatorHealth(
  finals: readonly ShardFinal[],
  facts: RunFacts,
  durationMs: number,
): GeneratorHealth {
  const cpu = facts.cpuWithin(0, durationMs);
  const each = (pick: (final: ShardFinal) => number): number[] => finals.map(pick);
  return {
    cpuMsPerWorker: each(({ health }) => (health.cpuNs ?? health.busyNs) / 1e6),
    loopUtilisation: each(({ health }) => (health.elapsedNs > 0 ? health.busyNs / health.elapsedNs : 0)),
    loopDelayP99Ms: each(({ health }) => health.loopDelayP99Ns / 1e6),
    longestTurnMs: each(({ health }) => health.longestTurnNs / 1e6),
    longestGcMs: each(({ health }) => health.longestGcNs / 1e6),
    gcMs: each(({ health }) => health.gcNs / 1e6),
    maxRssBytes: facts.maxRssBytes,
    othersCpuShare: cpu.othersShare,
    targetCpuShare: cpu.targetShare,
    stolenCpuShare: cpu.stolenShare,
  };
}

function limitsHit(
  shards: readonly ShardTotals[],
  { openFilesLimit: openFiles, target }: RunFacts,
): ResourceLimit[] {
  const what = target.transport === 'stdio' ? 'start a server' : 'connect';
  const codes: Record<string, number> = {};
  for (const shard of shards) addCounts(codes, shard.limitsHit);
  return Object.entries(codes).map(([code, count]) => ({
    kind:
      code === 'EADDRNOTAVAIL' ? 'ports' : code === 'EMFILE' || code === 'ENFILE' ? 'descriptors' : 'memory',
    detail: `${count} attempts to ${what} failed with ${code}${code === 'EMFILE' && openFiles !== null ? ` (${openFiles} open files)` : ''}`,
  }));
}
