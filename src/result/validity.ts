import type { Note, Validity } from './result.js';
import { busyLimit } from './less-load.js';
import { doubtOf, idleNeeded, idleShare, noneIdle, othersEnough } from './phase-doubt.js';
import { formatAmount, formatPercent } from './units.js';

/** What was measured about the generator and its machine: all that the verdict on a run's validity is made from. */
export interface GeneratorFacts {
  cores: number;
  /** Every started call has exactly one outcome. */
  conserved: boolean;
  /** Workers that crashed: of their calls those are known that ended in whole seconds. */
  workersLost: number;
  phases: readonly GeneratorPhaseFacts[];
  /** A target on this machine that we did not start is among "the others", and cannot be told from them. */
  targetOnThisMachine: boolean;
  /** The target's CPU is that of whoever listens on its port: of a proxy before it, maybe. */
  targetGuessed: boolean;
  limitsHit: readonly ResourceLimit[];
  /** Connections that a bug of ours ended. */
  internalErrors: number;
}

export interface GeneratorPhaseFacts {
  name: string;
  /** `open`: due by the clock; `burst`: due by the clock, all at once; `closed`: due when a slot is free. */
  loop: 'open' | 'burst' | 'closed';
  /** Useful work over elapsed time of the busiest worker; spinning for the pacer is not work. */
  utilisation: number;
  spinning: boolean;
  longestTurnNs: number;
  /** Share of the time in which it was kept from running, as far as its calls know it. */
  heldUpShare: number;
  /** The same, of which they do not know. */
  pausedShare: number;
  /** CPU of our workers, spinning included, and of everybody but us and the target we started, as shares of all cores; null where unknown. */
  ownCpuShare: number | null;
  othersCpuShare: number | null;
  /** CPU of the target as a share of one core; null where this run did not start it. */
  targetCpuShare: number | null;
  /** Time in which a core was wanted and a hypervisor ran somebody else on it, as a share of all cores; null where unknown. */
  stolenCpuShare: number | null;
  /** The percentiles of call.response that have enough samples, from the median up; none where no call ended ok. */
  response: readonly ResponseEnds[];
}

export interface ResponseEnds {
  /** `p99` */
  title: string;
  seen: number;
  low: number;
  disturbed: boolean;
  /** It is disturbed even without the pauses: the generator's own turns show it. */
  ownPart: boolean;
}

export interface ResourceLimit {
  kind: 'descriptors' | 'ports' | 'memory';
  /** The limit, and what ran into it: `1,024 open files`. */
  detail: string;
}

const topPercent = 0.01;

/** May the figures be believed? Doubts about the generator only, phase by phase: what the target did wrong is in the findings. */
export function judgeValidity(facts: GeneratorFacts): Validity {
  const reasons = [
    ...miscounted(facts),
    ...lostWorkers(facts),
    ...ownBugs(facts),
    ...facts.phases.flatMap((phase) => busyGenerator(phase, facts)),
    ...facts.phases.flatMap((phase) => disturbedFigures(phase, facts, 'reason')),
    ...facts.limitsHit.map(limitHit),
  ];
  const warnings = [
    ...facts.phases.flatMap((phase) => disturbedFigures(phase, facts, 'warning')),
    ...facts.phases.flatMap((phase) => nearLimit(phase, facts)),
    ...facts.phases.flatMap((phase) => takenCpu(phase, facts)),
    ...facts.phases.flatMap((phase) => stolenCpu(phase, facts)),
  ];
  return { state: reasons.length > 0 ? 'suspect' : 'valid', reasons, warnings };
}

function miscounted(facts: GeneratorFacts): Note[] {
  // Of a crashed worker's calls nothing else is to be expected.
  if (facts.conserved || facts.workersLost > 0) return [];
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
      `${formatAmount(workersLost, 'worker')} crashed: calls are counted up to the last whole second before that, and the load was not what was asked for.`,
    ),
  ];
}

function ownBugs({ internalErrors }: GeneratorFacts): Note[] {
  if (internalErrors === 0) return [];
  return [
    note(
      'internal-error',
      `${formatAmount(internalErrors, 'connection')} ended because mcp-bench itself failed on what the server sent: this is a bug, please report it with the result file.`,
    ),
  ];
}

function busyGenerator(phase: GeneratorPhaseFacts, facts: GeneratorFacts): Note[] {
  const { utilisation: busy, targetCpuShare: target } = phase;
  if (busy < busyLimit) return [];
  const where = inPhase(phase, facts);
  if (phase.loop !== 'closed') {
    const taken = noneIdle(phase, facts);
    const cause = taken === null ? '' : `, while ${taken.cause}`;
    const advice = taken === null ? 'offer less, or raise --workers' : `offer less, or ${taken.advice}`;
    return [
      note(
        'generator-busy',
        `${where}a worker was at work for ${formatPercent(busy)} of the time (limit ${formatPercent(busyLimit)})${cause}, so calls waited for the generator and not for the server: ${advice}.`,
      ),
    ];
  }
  if (target === null || facts.targetGuessed || target >= busyLimit) return [];
  return [
    note(
      'generator-was-the-limit',
      `${where}the generator was at work for ${formatPercent(busy)} of the time while the server used only ${formatPercent(target)} of a core, so the throughput is the generator's: raise --workers, or ask for fewer calls in flight.`,
    ),
  ];
}

/** Flat out in a closed loop one side is always busy; without the target's CPU it stays open which side held up which. */
function nearLimit(phase: GeneratorPhaseFacts, facts: GeneratorFacts): Note[] {
  const { utilisation: busy, targetCpuShare, loop } = phase;
  const known = targetCpuShare !== null && !facts.targetGuessed;
  if (busy < busyLimit || loop !== 'closed' || known) return [];
  return [
    note(
      'generator-near-limit',
      `${inPhase(phase, facts)}generator near its limit: a worker was at work for ${formatPercent(busy)} of the time, so the server may be faster than these figures say. Raise --workers and see whether the calls/s rise.`,
    ),
  ];
}

/** A median of an open loop that the generator may have made casts doubt on the run; all else is marked where it stands. */
function disturbedFigures(
  phase: GeneratorPhaseFacts,
  facts: GeneratorFacts,
  as: 'reason' | 'warning',
): Note[] {
  const doubt = doubtOf(phase, facts);
  if (doubt === null) return [];
  const { which, cause, advice, medianDisturbed } = doubt;
  const suspect = medianDisturbed && phase.loop !== 'closed';
  if (suspect !== (as === 'reason')) return [];
  return [
    note(
      suspect ? 'disturbed-median' : 'disturbed-percentiles',
      `${inPhase(phase, facts)}call.response ${which}: ${cause}. What helps: ${advice}.`,
    ),
  ];
}

function takenCpu(phase: GeneratorPhaseFacts, facts: GeneratorFacts): Note[] {
  const { othersCpuShare: others } = phase;
  if (others === null || others < othersEnough || idleShare(phase, facts) > idleNeeded) return [];
  const unknown = facts.targetOnThisMachine && phase.targetCpuShare === null;
  const taken = `took ${formatPercent(others)} of this machine's CPU and left none idle`;
  const where = inPhase(phase, facts);
  return [
    unknown
      ? note(
          'cpu-short',
          `${where}the server, or others beside it, ${taken}: generator and server may have slowed each other down. Put them on different machines for firm figures.`,
        )
      : note(
          'cpu-taken',
          `${where}other processes ${taken}${facts.targetOnThisMachine ? ', and the server may have been slower for it' : ''}: stop them for firm figures.`,
        ),
  ];
}

// Generator and server both stand still meanwhile: from 1 % on it can make a p99.
function stolenCpu(phase: GeneratorPhaseFacts, facts: GeneratorFacts): Note[] {
  const { stolenCpuShare: stolen } = phase;
  if (stolen === null || stolen < topPercent) return [];
  return [
    note(
      'cpu-stolen',
      `${inPhase(phase, facts)}the hypervisor took ${formatPercent(stolen)} of the CPU time (steal), which is enough to explain the longest times: they may not be the server's.`,
    ),
  ];
}

function inPhase({ name }: GeneratorPhaseFacts, { phases }: GeneratorFacts): string {
  return phases.length > 1 ? `phase ${name}: ` : '';
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

function note(code: string, message: string): Note {
  return { code, message };
}
