import type { Note, Validity } from './result.js';
import { formatAmount, formatDuration, formatPercent } from './units.js';

/** What was measured about the generator and its machine: all that the verdict on a run's validity is made from. */
export interface GeneratorFacts {
  durationMs: number;
  cores: number;
  /** Every started call has exactly one outcome. */
  conserved: boolean;
  /** Workers that crashed: their calls are among the latencies of whole seconds, and not among the totals. */
  workersLost: number;
  phases: readonly GeneratorPhaseFacts[];
  /** Useful work over elapsed time, per worker; spinning for the pacer is not work. */
  loopUtilisation: readonly number[];
  longestTurnNs: number;
  longestGcNs: number;
  /** All pauses for garbage collection, in the worker that had most. */
  gcNs: number;
  /** CPU of this process over the run, spinning included. */
  ownCpuMs: number;
  /** CPU of the whole machine taken by neither us nor the target we started, as a share of all cores; null where unknown. */
  othersCpuShare: number | null;
  /** CPU of the target as a share of one core; null where this run did not start it. */
  targetCpuShare: number | null;
  /** Time in which a core was wanted and a hypervisor ran somebody else on it, as a share of all cores; null where unknown. */
  stolenCpuShare: number | null;
  /** A target on this machine that we did not start is among "the others", and cannot be told from them. */
  targetOnThisMachine: boolean;
  limitsHit: readonly ResourceLimit[];
}

export interface GeneratorPhaseFacts {
  name: string;
  /** `open`: due by the clock; `burst`: due by the clock, all at once; `closed`: due when a slot is free. */
  loop: 'open' | 'burst' | 'closed';
  /** Of a burst: the interval between two. */
  everyNs: number | null;
  /** null where the phase has no such samples. */
  scheduleLagP99Ns: number | null;
  responseP50Ns: number | null;
  responseP99Ns: number | null;
}

export interface ResourceLimit {
  kind: 'descriptors' | 'ports' | 'memory';
  /** The limit, and what ran into it: `1,024 open files`. */
  detail: string;
}

const busyLimit = 0.9;
const lagFloorNs = 1e6;
const lagShareOfMedian = 0.1;
const burstSpreadShare = 0.1;
const othersLimit = 0.1;
const idleNeeded = 0.1;
const stolenLimit = 0.1;
const topPercent = 0.01;

/** May the figures be believed? Doubts about the generator only: what the target did wrong is in the findings. */
export function judgeValidity(facts: GeneratorFacts): Validity {
  const reasons = [
    ...miscounted(facts),
    ...lostWorkers(facts),
    ...busyGenerator(facts),
    ...facts.phases.flatMap(latePhase),
    ...longPauses(facts, 'suspect'),
    ...takenCpu(facts, 'suspect'),
    ...stolenCpu(facts, 'suspect'),
    ...facts.limitsHit.map(limitHit),
  ];
  const warnings = [
    ...nearLimit(facts),
    ...longPauses(facts, 'warning'),
    ...takenCpu(facts, 'warning'),
    ...stolenCpu(facts, 'warning'),
  ];
  return { state: reasons.length > 0 ? 'suspect' : 'valid', reasons, warnings };
}

function miscounted(facts: GeneratorFacts): Note[] {
  if (facts.conserved) return [];
  return [
    note(
      'not-conserved',
      'the outcomes do not add up to the calls started: this is a bug in mcp-bench, please report it with the result file.',
    ),
  ];
}

function lostWorkers({ workersLost }: GeneratorFacts): Note[] {
  if (workersLost === 0) return [];
  return [
    note(
      'worker-crashed',
      `${formatAmount(workersLost, 'worker')} crashed: the totals are those of the others, and the load was not what was asked for.`,
    ),
  ];
}

function busyGenerator(facts: GeneratorFacts): Note[] {
  const busiest = Math.max(0, ...facts.loopUtilisation);
  if (busiest < busyLimit) return [];
  if (isOpen(facts))
    return [
      note(
        'generator-busy',
        `a worker was at work for ${formatPercent(busiest)} of the time (limit ${formatPercent(busyLimit)}), so calls waited for the generator and not for the server: offer less, or raise --workers.`,
      ),
    ];
  if (facts.targetCpuShare === null || facts.targetCpuShare >= busyLimit) return [];
  return [
    note(
      'generator-was-the-limit',
      `the generator was at work for ${formatPercent(busiest)} of the time while the server used only ${formatPercent(facts.targetCpuShare)} of a core, so the throughput is the generator's: raise --workers, or ask for fewer calls in flight.`,
    ),
  ];
}

/** Flat out in a closed loop one side is always busy; without the target's CPU it stays open which side held up which. */
function nearLimit(facts: GeneratorFacts): Note[] {
  const busiest = Math.max(0, ...facts.loopUtilisation);
  if (busiest < busyLimit || isOpen(facts) || facts.targetCpuShare !== null) return [];
  return [
    note(
      'generator-near-limit',
      `generator near its limit: a worker was at work for ${formatPercent(busiest)} of the time, so the server may be faster than these figures say. Raise --workers and see whether the calls/s rise.`,
    ),
  ];
}

function latePhase(phase: GeneratorPhaseFacts): Note[] {
  const lagNs = phase.scheduleLagP99Ns;
  if (lagNs === null) return [];
  if (phase.loop === 'burst' && phase.everyNs !== null) {
    if (lagNs <= phase.everyNs * burstSpreadShare) return [];
    return [
      note(
        'burst-spread',
        `phase ${phase.name}: writing out a burst took ${formatDuration(lagNs)}, more than a tenth of the ${formatDuration(phase.everyNs)} between two bursts, so they were no bursts any more: send fewer calls at once, or raise --workers.`,
      ),
    ];
  }
  const limitNs = Math.max(lagFloorNs, lagShareOfMedian * (phase.responseP50Ns ?? 0));
  if (lagNs <= limitNs) return [];
  return [
    note(
      'schedule-lag',
      `phase ${phase.name}: the generator was late itself, schedule.lag p99 ${formatDuration(lagNs)} (limit ${formatDuration(limitNs)}), and that is part of call.response: offer less, raise --workers, or free the machine.`,
    ),
  ];
}

/**
 * A pause delays the calls of its own length of time. Longer than the p99, it would explain it where it reached one
 * call in a hundred; where it reached fewer it can only have made the maximum.
 */
function longPauses(facts: GeneratorFacts, as: 'suspect' | 'warning'): Note[] {
  const p99s = facts.phases.map((phase) => phase.responseP99Ns).filter((p99) => p99 !== null);
  if (p99s.length === 0) return [];
  const p99Ns = Math.min(...p99s);
  const reach = (totalNs: number): boolean => totalNs >= topPercent * facts.durationMs * 1e6;
  const explains = (longestNs: number, totalNs: number): boolean =>
    longestNs > p99Ns && reach(totalNs) === (as === 'suspect');
  const effect =
    as === 'suspect'
      ? 'which may be all there is to the p99: repeat the run, with less load or more --workers.'
      : 'so the longest times of all may be its own, though not the p99.';
  const notes: Note[] = [];
  if (explains(facts.longestTurnNs, facts.longestTurnNs))
    notes.push(
      note(
        'long-turn',
        `the generator was deaf for ${formatDuration(facts.longestTurnNs)} in one turn, ${effect}`,
      ),
    );
  if (explains(facts.longestGcNs, facts.gcNs))
    notes.push(
      note(
        'gc-pause',
        `the generator's garbage collection paused it for up to ${formatDuration(facts.longestGcNs)}, ${effect}`,
      ),
    );
  return notes;
}

function takenCpu(facts: GeneratorFacts, as: 'suspect' | 'warning'): Note[] {
  const others = facts.othersCpuShare;
  if (others === null || others < othersLimit || idleShare(facts, others) > idleNeeded) return [];
  const unknown = facts.targetOnThisMachine && facts.targetCpuShare === null;
  if (unknown !== (as === 'warning')) return [];
  const taken = `took ${formatPercent(others)} of this machine's CPU and left none idle`;
  return [
    unknown
      ? note(
          'cpu-short',
          `the server, or others beside it, ${taken}: generator and server may have slowed each other down. Put them on different machines for firm figures.`,
        )
      : note('cpu-taken', `other processes ${taken}: stop them and repeat the run.`),
  ];
}

// Generator and server both stand still meanwhile, so neither's lateness shows it: from 1 % on it can make a p99.
function stolenCpu({ stolenCpuShare: stolen }: GeneratorFacts, as: 'suspect' | 'warning'): Note[] {
  if (stolen === null || stolen < topPercent || stolen >= stolenLimit !== (as === 'suspect')) return [];
  const taken = `the hypervisor kept this machine's cores from running for ${formatPercent(stolen)} of the time`;
  return [
    as === 'suspect'
      ? note(
          'cpu-stolen',
          `${taken} (limit ${formatPercent(stolenLimit)}): repeat the run on a host with cores to spare.`,
        )
      : note(
          'cpu-stolen',
          `${taken}, which is enough to make the longest times: they may not be the server's.`,
        ),
  ];
}

function idleShare(facts: GeneratorFacts, others: number): number {
  const own = facts.ownCpuMs / Math.max(1, facts.durationMs * facts.cores);
  return 1 - others - own - (facts.targetCpuShare ?? 0) / facts.cores;
}

function limitHit(limit: ResourceLimit): Note {
  const fixes = {
    descriptors: 'raise it with `ulimit -n`, or open fewer sessions.',
    ports:
      'widen net.ipv4.ip_local_port_range, open fewer sessions, or let them share connections (posts: { mode: shared }).',
    memory: 'open fewer sessions, or give the machine more memory.',
  };
  return note(
    `${limit.kind}-limit`,
    `a limit of this machine was hit, ${limit.detail}: ${fixes[limit.kind]}`,
  );
}

function isOpen(facts: GeneratorFacts): boolean {
  return facts.phases.length > 0 && facts.phases.every((phase) => phase.loop !== 'closed');
}

function note(code: string, message: string): Note {
  return { code, message };
}
