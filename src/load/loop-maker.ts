import type { LoadPlan, Plan, Shard } from '../scenario/plan.js';
import { warmupPhase } from '../stats/recorder.js';
import type { Turn } from '../transport/turn.js';
import { BurstLoop } from './burst-loop.js';
import type { CallBook } from './call-book.js';
import { CallNumbers, loadOf } from './call-numbers.js';
import { ClosedLoop } from './closed-loop.js';
import { type Dispatcher, TicketPrinter } from './dispatcher.js';
import type { Loop } from './loop.js';
import { OpenLoop } from './open-loop.js';
import { createPacer, mostPerSec, offeredPerSec, type OpenLoad, type Pacer } from './pacer.js';
import type { SessionPool } from './session-pool.js';
import type { Workload } from './workload.js';
import { youngGarbage } from './young-garbage.js';

type BurstPlan = Extract<LoadPlan, { model: 'burst' }>;
type ClosedPlan = Extract<LoadPlan, { model: 'closed' | 'count' }>;

/** The phase that a loop is made for; `endNs` is Infinity where it ends with its calls. */
export interface LoopPhase {
  readonly index: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly durationNs: number;
}

export interface LoopParts {
  readonly plan: Plan;
  readonly shard: Shard;
  readonly pool: SessionPool;
  readonly book: CallBook;
  readonly workload: Workload;
  readonly dispatcher: Dispatcher;
  readonly turn: Turn;
}

/** Makes the loop of each phase; one of bursts ahead of its time, so that it can be prepared. */
export class LoopMaker {
  private readonly printer: TicketPrinter;
  /** undefined until bursts are to be made. */
  private collect: (() => void) | null | undefined;
  private upcoming: { readonly phase: number; readonly loop: BurstLoop } | null = null;

  constructor(private readonly parts: LoopParts) {
    const { plan, shard, workload } = parts;
    this.printer = new TicketPrinter(new CallNumbers(plan, shard), (seq) => workload.pick(seq));
  }

  /** The loop of a phase that begins; `before` is that of the one which ends. */
  make(phase: LoopPhase, before: Loop | null): Loop {
    const { plan, shard, pool, dispatcher } = this.parts;
    const { index, startNs, durationNs } = phase;
    const load = loadOf(plan, index);
    if (load.model === 'closed' || load.model === 'count') {
      dispatcher.cap = Infinity;
      return this.makeClosed(load, phase, before);
    }
    dispatcher.cap = queueCap(plan, load, durationNs) / shard.of;
    for (const session of pool.live) dispatcher.onRoom(session, startNs);
    if (load.model === 'burst') {
      const loop = this.takeUpcoming(index) ?? this.makeBursts(load, index, durationNs);
      loop.begin(startNs);
      return loop;
    }
    const pacer = this.makePacer(load, index, durationNs);
    const perSec = mostPerSec(load) / shard.of;
    return new OpenLoop(pacer, index, startNs, this.printer, dispatcher, pool, perSec);
  }

  /** The loop of a phase that is yet to come, where it makes bursts; `startNs` is Infinity while its start is not known. */
  upcomingBursts(phase: number, startNs: number): BurstLoop | null {
    const { plan } = this.parts;
    if (this.upcoming?.phase === phase) return this.upcoming.loop;
    if (phase >= plan.phases.length) return null;
    const { load, durationNs } = plan.phases[Math.max(0, phase)];
    if (load.model !== 'burst') return null;
    const loop = this.makeBursts(load, phase, phase === warmupPhase ? plan.warmupNs : durationNs!);
    if (startNs !== Infinity) loop.begin(startNs);
    this.upcoming = { phase, loop };
    return loop;
  }

  private takeUpcoming(phase: number): BurstLoop | null {
    const { upcoming } = this;
    this.upcoming = null;
    return upcoming?.phase === phase ? upcoming.loop : null;
  }

  private makeClosed(load: ClosedPlan, phase: LoopPhase, before: Loop | null): ClosedLoop {
    const { shard, pool, book } = this.parts;
    const { index, startNs, endNs } = phase;
    const budget = load.model === 'closed' ? Infinity : shareOf(load.calls, shard);
    const thinkNs = load.model === 'closed' ? load.thinkNs : 0;
    // The slots that think go on thinking: called upon all together, they would begin the phase with a burst.
    const thinking = thinkNs > 0 && before instanceof ClosedLoop ? before.handOver(startNs, thinkNs) : [];
    return new ClosedLoop(
      index,
      startNs,
      endNs,
      thinking,
      load.inFlight,
      thinkNs,
      budget,
      pool,
      book,
      this.printer,
    );
  }

  private makeBursts(load: BurstPlan, index: number, durationNs: number): BurstLoop {
    const { pool, book, dispatcher, turn } = this.parts;
    const pacer = this.makePacer(load, index, durationNs);
    if (this.collect === undefined) this.collect = youngGarbage();
    const collect = this.collect ?? undefined;
    return new BurstLoop(pacer, index, load.calls, pool, book, this.printer, dispatcher, turn, collect);
  }

  private makePacer(load: OpenLoad, index: number, durationNs: number): Pacer {
    const { plan, shard } = this.parts;
    return createPacer(load, durationNs, {
      shard,
      firstSession: plan.sessions.idle,
      sessions: plan.sessions.count - plan.sessions.idle,
      seed: plan.seed + index + 1,
    });
  }
}

function shareOf(calls: number, { index, of }: Shard): number {
  return Math.floor(calls / of) + (index < calls % of ? 1 : 0);
}

// Ten seconds of the offered rate by default, and room for one burst at the least.
function queueCap(
  plan: Plan,
  load: Exclude<LoadPlan, { model: 'closed' | 'count' }>,
  durationNs: number,
): number {
  if (plan.openLoop.queue !== null) return plan.openLoop.queue;
  const perSec = offeredPerSec(load, durationNs, plan.sessions.count);
  const burst = load.model === 'burst' ? load.calls * plan.sessions.count : 0;
  return Math.max(1, Math.ceil(perSec * 10), burst);
}
