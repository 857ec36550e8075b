import type { PhasePlan } from '../scenario/plan.js';
import { failedCalls } from './conservation.js';
import type { TargetFacts, TargetPhaseFacts } from './findings.js';
import { isDisturbed, noPauses, percentileEnds } from './disturbance.js';
import { busiest } from './less-load.js';
import { timesOf } from './measured-metric.js';
import { hasEnoughSamples } from './percentile-needs.js';
import type { Interval, Metric, PhaseResult, RunResult } from './result.js';
import { longestSilenceMs } from './silence.js';
import { transportOf } from './transport-of.js';
import type { GeneratorFacts, GeneratorPhaseFacts, ResourceLimit, ResponseEnds } from './validity.js';

type Measured = Pick<
  RunResult,
  | 'startedAt'
  | 'scenario'
  | 'durationMs'
  | 'target'
  | 'environment'
  | 'sessions'
  | 'totals'
  | 'metrics'
  | 'phases'
  | 'intervals'
  | 'generator'
  | 'examples'
>;

/** The facts about the generator that a measured run holds, plus the limits it ran into and the bugs that came up. */
export function generatorFacts(
  run: Measured,
  limitsHit: readonly ResourceLimit[] = [],
  internalErrors = 0,
): GeneratorFacts {
  return {
    cores: run.environment.cores,
    conserved: run.totals.conserved,
    workersLost: run.environment.workers - run.generator.loopUtilisation.length,
    phases: run.phases.map((phase) => generatorPhase(run, phase, planOf(run, phase))),
    targetOnThisMachine: run.target.builtIn || isLocal(run),
    targetGuessed: run.target.resources?.found === 'port',
    limitsHit,
    internalErrors,
  };
}

/** The facts about the target that a measured run holds, plus what only a live stream shows. */
export function targetFacts(
  run: Measured,
  coalescedEvents: TargetFacts['coalescedEvents'] = null,
): TargetFacts {
  const before = run.metrics['call.eventToAck']?.count ?? 0;
  return {
    words: transportOf(run.target).words,
    phases: run.phases.map((phase) => targetPhase(run, phase)),
    outcomes: run.totals.outcomes,
    oddities: run.totals.oddities,
    sessions: run.sessions,
    replies: run.totals.replies ?? null,
    responsesBeforeAck: { before, all: before + (run.metrics['call.ackToEvent']?.count ?? 0) },
    coalescedEvents,
    silentMs: silenceOf(run),
    availability: run.totals.availability ?? null,
    startedAt: run.startedAt,
    pipes: run.totals.pipes,
    otherLine: run.examples['standard output'],
  };
}

// Of an open loop, the rate that was not achieved tells as much.
function silenceOf(run: Measured): number {
  const { scenario, sessions, phases, intervals, durationMs } = run;
  const closed = scenario.phases.every(({ load }) => load.model === 'closed' || load.model === 'count');
  if (!closed) return 0;
  const active = Math.min(scenario.sessions.count - scenario.sessions.idle, sessions.peakReady);
  const phaseAt = (atMs: number): PhaseResult | undefined =>
    phases.findLast(({ startMs }) => startMs <= atMs);
  const slotsAt = (atMs: number): number => {
    const phase = phaseAt(atMs);
    const load = phase && planOf(run, phase)?.load;
    if (load === undefined || !('inFlight' in load)) return Infinity;
    if (load.model === 'closed') return active * load.inFlight;
    // With all calls made, none is held back by the server's silence: what is missing then are answers, and those are counted.
    const made = intervals.filter((interval) => interval.atMs < atMs && phaseAt(interval.atMs) === phase);
    const left = load.calls - made.reduce((sum, { totals }) => sum + totals.started, 0);
    return left > 0 ? active * load.inFlight : Infinity;
  };
  return longestSilenceMs(intervals, durationMs, slowestNs(run), slotsAt);
}

// How long the server may take for an answer, as far as calls show that were not waited for in vain.
function slowestNs({ scenario, totals, metrics }: Measured): number {
  const { timeout, acceptedNoResponse, disconnected, aborted, cancelled } = totals.outcomes;
  const inVain = timeout + acceptedNoResponse + disconnected + aborted;
  return Math.max(
    metrics['call.response']?.max ?? 0,
    inVain === 0 ? (metrics['failed.response']?.max ?? 0) : 0,
    ...(cancelled === 0 ? [] : scenario.operations.map(({ cancelAfterNs }) => cancelAfterNs ?? 0)),
  );
}

function generatorPhase(
  { environment }: Measured,
  phase: PhaseResult,
  plan: PhasePlan | undefined,
): GeneratorPhaseFacts {
  const model = plan?.load.model;
  const { generator } = phase;
  return {
    name: phase.name,
    loop: model === 'burst' ? 'burst' : model === 'closed' || model === 'count' ? 'closed' : 'open',
    utilisation: busiest(phase),
    spinning: environment.pacing === 'spin',
    longestTurnNs: (generator?.longestTurnMs ?? 0) * 1e6,
    heldUpShare: generator?.heldUpShare ?? 0,
    pausedShare: generator?.pausedShare ?? 0,
    ownCpuShare: generator?.ownCpuShare ?? null,
    othersCpuShare: generator?.othersCpuShare ?? null,
    targetCpuShare: generator?.targetCpuShare ?? null,
    stolenCpuShare: generator?.stolenCpuShare ?? null,
    response: responseEnds(phase.metrics['call.response']),
  };
}

// p95 is in the result alone; a percentile of too few samples is marked as that.
const judged = [
  { title: 'p50', key: 'p50', percentile: 50 },
  { title: 'p90', key: 'p90', percentile: 90 },
  { title: 'p99', key: 'p99', percentile: 99 },
  { title: 'p99.9', key: 'p999', percentile: 99.9 },
] as const;

/** The percentiles of a metric of calls that have enough samples (the median in any case), with what the generator did to them. */
export function responseEnds(metric: Metric | undefined): ResponseEnds[] {
  if (metric === undefined || metric.count === 0) return [];
  const { low, disturbed } = metric;
  const times = disturbed === undefined || disturbed.length === 0 ? null : timesOf(metric);
  return judged
    .filter(({ key, percentile }) => key === 'p50' || hasEnoughSamples(percentile, metric.count))
    .map(({ title, key, percentile }) => ({
      title,
      seen: metric[key],
      low: low?.[key] ?? metric[key],
      disturbed: disturbed?.includes(key) ?? false,
      ownPart: times !== null && isDisturbed(percentileEnds(times, 0, percentile, noPauses)),
    }));
}

function targetPhase(run: Measured, phase: PhaseResult): TargetPhaseFacts {
  const { offeredPerSec, started } = phase.totals;
  // A Poisson process offers what it happens to offer: what was started counts, not what was meant.
  const startedPerSec = (started * 1000) / Math.max(1, phase.durationMs);
  return {
    name: phase.name,
    durationMs: phase.durationMs,
    achievedPerSec: phase.totals.callsPerSec,
    offeredPerSec: offeredPerSec === null ? null : Math.min(offeredPerSec, startedPerSec),
    failed: failedCalls(phase.totals.outcomes),
    notSent: phase.totals.outcomes.notSent,
    responseP50Ns: figure(phase, 'call.response', 'p50'),
    serviceP50Ns: figure(phase, 'call.service', 'p50'),
    queueWaitP99Ns: figure(phase, 'queue.wait', 'p99'),
    mediansNs: isLevel(planOf(run, phase)) ? mediansWithin(run.intervals, phase) : [],
  };
}

function mediansWithin(intervals: readonly Interval[], phase: PhaseResult): number[] {
  const endMs = phase.startMs + phase.durationMs;
  return intervals
    .filter(
      ({ atMs, durationMs }) => atMs >= phase.startMs && atMs + durationMs <= endMs + 1 && durationMs >= 500,
    )
    .flatMap(({ metrics }) => {
      const response = metrics['call.response'];
      return response && response.count > 0 ? [response.p50] : [];
    });
}

function isLevel(plan: PhasePlan | undefined): boolean {
  return plan !== undefined && plan.load.model !== 'ramp' && plan.load.model !== 'steps';
}

function planOf(run: Measured, phase: PhaseResult): PhasePlan | undefined {
  return run.scenario.phases[run.phases.indexOf(phase)];
}

function figure(phase: PhaseResult, name: string, percentile: 'p50' | 'p99'): number | null {
  const metric = phase.metrics[name];
  return metric && metric.count > 0 ? metric[percentile] : null;
}

function isLocal(run: Measured): boolean {
  if (run.scenario.target.unixSocket !== null || run.target.command !== undefined) return true;
  const host = /^[a-z]+:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(run.target.url ?? '')?.[1] ?? '';
  return (
    host === 'localhost' || host === '[::1]' || host.startsWith('127.') || host === run.environment.hostname
  );
}
