import type { LoadPlan, PhasePlan, Plan, Shard } from '../scenario/plan.js';
import { warmupPhase } from '../stats/recorder.js';
import { offeredPerSec, type OpenLoad } from './pacer.js';

/** What a phase's load is while warming up: -1 stands for the warm-up, which makes the calls of the first phase. */
export function loadOf(plan: Plan, phase: number): LoadPlan {
  const { load } = plan.phases[Math.max(0, phase)];
  if (phase !== warmupPhase) return load;
  // It goes on until its time is up.
  if (load.model === 'count') return { model: 'closed', inFlight: load.inFlight, thinkNs: 0 };
  // A ramp is warmed up for at the rate it begins with: one of its own would end in the load that is yet to be climbed to.
  if (load.model === 'ramp') return { model: 'rate', perSecond: load.fromPerSecond, arrivals: load.arrivals };
  return load;
}

/**
 * Numbers one worker's calls such that the calls of a plan have the same numbers however many workers make them: those of open loops and of
 * `count` are numbered by their place in the load, phase after phase; closed loops make as many as they can, and take what comes after all of those.
 */
export class CallNumbers {
  /** From the warm-up on: the first number of each phase, and how many of its calls this worker has numbered. */
  private readonly phases: { readonly load: LoadPlan; readonly base: number; taken: number }[] = [];
  private readonly closedBase: number;
  private closedTaken = 0;
  /** Sessions that make calls take turns: this worker's are every `of`-th from its first on. */
  private readonly sessions: number;
  private readonly ownFirst: number;
  private readonly ownSessions: number;

  constructor(
    plan: Plan,
    private readonly shard: Shard,
  ) {
    const { index, of } = shard;
    const { count, idle } = plan.sessions;
    this.sessions = count - idle;
    this.ownFirst = (((index - idle) % of) + of) % of;
    this.ownSessions = Math.max(1, Math.ceil((this.sessions - this.ownFirst) / of));
    let base = 0;
    for (let phase = warmupPhase; phase < plan.phases.length; phase++) {
      const load = loadOf(plan, phase);
      this.phases.push({ load, base, taken: 0 });
      base += mostCalls(load, lengthNs(plan, phase), this.sessions);
    }
    this.closedBase = base;
  }

  /** The number of the worker's next call of a phase; asked in the order in which its pacer has the calls become due. */
  next(phase: number): number {
    const of = this.phases[phase - warmupPhase];
    if (of.load.model === 'closed') return this.closedBase + this.interleaved(this.closedTaken++);
    const taken = of.taken++;
    return of.base + (of.load.model === 'count' ? this.interleaved(taken) : this.placeOf(taken));
  }

  private interleaved(taken: number): number {
    return taken * this.shard.of + this.shard.index;
  }

  private placeOf(taken: number): number {
    const round = Math.floor(taken / this.ownSessions);
    return round * this.sessions + this.ownFirst + (taken - round * this.ownSessions) * this.shard.of;
  }
}

function lengthNs(plan: Plan, phase: number): number {
  if (phase === warmupPhase) return plan.warmupNs;
  const { durationNs }: PhasePlan = plan.phases[phase];
  return durationNs ?? 0;
}

/** No phase has more calls, so that numbers of the next may begin there; of a closed loop none is known. */
function mostCalls(load: LoadPlan, durationNs: number, sessions: number): number {
  if (load.model === 'closed') return 0;
  if (load.model === 'count') return load.calls;
  if (durationNs === 0) return 0;
  const expected = offeredPerSec(load, durationNs, sessions) * (durationNs / 1e9);
  return Math.ceil(expected) + (isPoisson(load) ? Math.ceil(12 * Math.sqrt(expected)) + 50 : 1);
}

function isPoisson(load: OpenLoad): boolean {
  return load.model !== 'burst' && load.arrivals === 'poisson';
}
