import type { LoadPlan, Shard } from '../scenario/plan.js';
import { hashSeed, Random } from '../scenario/random.js';

/** Says when calls are due, and nothing else. Times are nanoseconds since the start of the phase and never decrease. */
export interface Pacer {
  /** When the next call is due; Infinity when there is none any more. */
  readonly nextNs: number;
  advance(): void;
}

export type OpenLoad = Extract<LoadPlan, { model: 'rate' | 'ramp' | 'steps' | 'burst' }>;

/** Which part of the calls a worker makes: those of its sessions. */
export interface Share {
  readonly shard: Shard;
  /** Ordinal of the first session that makes calls, and how many do. */
  readonly firstSession: number;
  readonly sessions: number;
  readonly seed: number;
}

/** The pacer of one worker for one phase; all workers' together are the load that the plan asks for, no call lost or doubled. */
export function createPacer(load: OpenLoad, durationNs: number, share: Share): Pacer {
  if (load.model === 'burst') {
    const perBurst = load.calls * sessionsOf(share);
    const dueNs = (position: number): number =>
      perBurst === 0 ? Infinity : Math.floor(position / perBurst) * load.everyNs;
    return new PositionPacer(dueNs, durationNs, everyPosition());
  }
  const dueNs = inverseOfLoad(load, durationNs);
  const positions = load.arrivals === 'poisson' ? poissonPositions(share) : sharedPositions(share);
  return new PositionPacer(dueNs, durationNs, positions);
}

/** Calls per second that a load offers over all workers, averaged over its phase. */
export function offeredPerSec(load: OpenLoad, durationNs: number, sessions: number): number {
  switch (load.model) {
    case 'rate':
      return load.perSecond;
    case 'ramp':
      return (load.fromPerSecond + load.toPerSecond) / 2;
    case 'steps': {
      const calls = load.steps.reduce((sum, step) => sum + (step.perSecond * step.durationNs) / 1e9, 0);
      return calls / (durationNs / 1e9);
    }
    case 'burst': {
      const bursts = Math.ceil(durationNs / load.everyNs);
      return (bursts * load.calls * sessions) / (durationNs / 1e9);
    }
  }
}

/** The most calls per second that a load offers at any time. */
export function mostPerSec(load: Exclude<OpenLoad, { model: 'burst' }>): number {
  switch (load.model) {
    case 'rate':
      return load.perSecond;
    case 'ramp':
      return Math.max(load.fromPerSecond, load.toPerSecond);
    case 'steps':
      return Math.max(...load.steps.map(({ perSecond }) => perSecond));
  }
}

class PositionPacer implements Pacer {
  nextNs = 0;

  constructor(
    private readonly dueNs: (position: number) => number,
    private readonly durationNs: number,
    private readonly positions: () => number,
  ) {
    this.advance();
  }

  advance(): void {
    const dueNs = Math.round(this.dueNs(this.positions()));
    this.nextNs = dueNs < this.durationNs ? dueNs : Infinity;
  }
}

/** When the load's integral reaches `position` calls. */
function inverseOfLoad(
  load: Exclude<OpenLoad, { model: 'burst' }>,
  durationNs: number,
): (position: number) => number {
  switch (load.model) {
    case 'rate':
      return (position) => (position / load.perSecond) * 1e9;
    case 'ramp': {
      const from = load.fromPerSecond / 1e9;
      const slope = (load.toPerSecond - load.fromPerSecond) / 1e9 / durationNs;
      if (slope === 0) return (position) => position / from;
      return (position) => {
        const root = from * from + 2 * slope * position;
        // The form that loses no digits where the slope is nearly nothing.
        return root < 0 ? Infinity : (2 * position) / (from + Math.sqrt(root)) || 0;
      };
    }
    case 'steps':
      return (position) => {
        let left = position;
        let startNs = 0;
        for (const step of load.steps) {
          const calls = (step.perSecond * step.durationNs) / 1e9;
          if (left < calls) return startNs + (left / step.perSecond) * 1e9;
          left -= calls;
          startNs += step.durationNs;
        }
        return Infinity;
      };
  }
}

function everyPosition(): () => number {
  let next = 0;
  return () => next++;
}

// Call i of the whole load belongs to the i-th session that makes calls, mod S, and so to the worker that has it.
function sharedPositions({ shard, firstSession, sessions }: Share): () => number {
  let next = -1;
  return () => {
    do next++;
    while ((firstSession + (next % sessions)) % shard.of !== shard.index);
    return next;
  };
}

// Every worker draws the whole stream and makes the calls of its own sessions: 30 ns for a call of others, and the same stream whoever makes it.
function poissonPositions({ seed, shard, firstSession, sessions }: Share): () => number {
  const random = new Random(hashSeed(seed));
  let next = -1;
  let position = 0;
  return () => {
    do {
      position -= Math.log(1 - random.next());
      next++;
    } while ((firstSession + (next % sessions)) % shard.of !== shard.index);
    return position;
  };
}

function sessionsOf({ shard, firstSession, sessions }: Share): number {
  const upTo = (ordinal: number): number => Math.floor((ordinal - shard.index - 1) / shard.of) + 1;
  return upTo(firstSession + sessions) - upTo(firstSession);
}
