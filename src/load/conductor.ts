import { nowNs } from '../clock.js';
import type { LoadPlan, Plan, Shard } from '../scenario/plan.js';
import { type Recorder, warmupPhase } from '../stats/recorder.js';
import { type SlotRecorder, slotNs } from '../stats/slot-recorder.js';
import type { Traffic } from '../transport/traffic.js';
import type { Turn } from '../transport/turn.js';
import { BurstLoop } from './burst-loop.js';
import { CallNumbers, loadOf } from './call-numbers.js';
import type { CallBook, SlotListener } from './call-book.js';
import { ClosedLoop } from './closed-loop.js';
import type { Courtesies } from '../mcp/background-messages.js';
import { crash } from './crash.js';
import { Dispatcher, TicketPrinter } from './dispatcher.js';
import { IntervalClock } from './interval-clock.js';
import type { Health } from './health.js';
import type { Loop } from './loop.js';
import { OpenLoop } from './open-loop.js';
import { createPacer, mostPerSec, offeredPerSec, type OpenLoad, type Pacer } from './pacer.js';
import type { PoolListener, SessionPool } from './session-pool.js';
import type { Session } from './session.js';
import type { ShardInterval, ShardPhase } from './shard-report.js';
import { Ticker } from './ticker.js';
import type { Workload } from './workload.js';

export interface ConductorListener {
  onOpened(): void;
  onInterval(interval: ShardInterval): void;
  /** The first phase begins: the warm-up, if any, is over. */
  onMeasuring?(): void;
  /** The last phase is over; calls in flight may still end. */
  onMeasured?(): void;
  /** All phases are over and every call has ended. */
  onDrained(): void;
}

export interface ConductorParts {
  readonly plan: Plan;
  readonly shard: Shard;
  readonly pool: SessionPool;
  readonly book: CallBook;
  readonly recorder: Recorder;
  readonly slots: SlotRecorder;
  readonly workload: Workload;
  readonly courtesies: Courtesies;
  readonly traffic: Traffic;
  readonly turn: Turn;
  readonly health: Health;
  readonly spin: boolean;
}

/** How often time limits and phases are looked at, though nothing happens. */
export const sweepNs = 10e6;
type BurstPlan = Extract<LoadPlan, { model: 'burst' }>;

// What need not wait until calls are due is done beforehand: all at once while nothing is in flight, else a little at a time.
const idleBudgetNs = 2e6;
const busyBudgetNs = 0.1e6;
const undisturbedNs = 10e6;
const aheadNs = 2e9;
const soonNs = 0.5e9;
const beforeStartStepMs = 5;
// How long the end of the run waits for the status of POSTs whose calls have long ended.
const owedGraceNs = 1e9;

/**
 * Leads one worker through warm-up and phases: which loop is on, when a phase is over, when all calls have ended. It is told
 * of much while a server's bytes are read: an error of its own is then not theirs, and ends the worker.
 */
export class Conductor implements SlotListener, PoolListener {
  /** Phases that are over. */
  private readonly phases: ShardPhase[] = [];
  private loop: Loop | null = null;
  /** The bursts of the phase that comes next, being prepared. */
  private upcoming: { readonly phase: number; readonly loop: BurstLoop } | null = null;
  /** Index into the plan's phases; -1 while warming up, and their number while draining. */
  private phase = warmupPhase;
  private phaseStartNs = 0;
  private phaseEndNs = Infinity;
  private measureStartNs = 0;
  private okAtPhaseStart: readonly number[] = [];
  private drainingSinceNs = 0;
  /** When a session was last ready, or a call in flight. */
  private lastHopeNs = 0;
  private sweptNs = 0;
  private state: 'waiting' | 'running' | 'draining' | 'over' = 'waiting';
  private readonly dispatcher: Dispatcher;
  private readonly printer: TicketPrinter;
  private readonly ticker: Ticker;
  private readonly intervals: IntervalClock;
  private sweeper: NodeJS.Timeout | null = null;

  constructor(
    private readonly parts: ConductorParts,
    private readonly listener: ConductorListener,
  ) {
    const { plan, shard, pool, book, workload, turn, spin } = parts;
    this.dispatcher = new Dispatcher(pool, book, plan.openLoop.inFlight);
    this.printer = new TicketPrinter(new CallNumbers(plan, shard), (seq) => workload.pick(seq));
    this.ticker = new Ticker((atNs) => this.tick(atNs), turn, spin);
    this.intervals = new IntervalClock(parts, (interval) => listener.onInterval(interval));
    book.listener = this;
    pool.listener = this;
  }

  /** Begins the warm-up, or the first phase where there is none, at the given moment. */
  start(startNs: number): void {
    const { plan } = this.parts;
    this.state = 'running';
    this.lastHopeNs = startNs;
    this.sweptNs = startNs;
    this.measureStartNs = startNs + plan.warmupNs;
    this.sweeper = setInterval(() => this.onSweep(), sweepNs / 1e6);
    this.phaseStartNs = startNs;
    if (plan.warmupNs > 0) {
      this.phaseEndNs = this.measureStartNs;
      this.loop = this.createLoop(warmupPhase, plan.warmupNs);
    } else {
      this.enterPhase(0, startNs);
    }
    this.ticker.wakeAt(startNs);
  }

  /** Makes no more calls; those in flight may still end. */
  stop(): void {
    const atNs = nowNs();
    if (this.state === 'waiting') this.finish();
    if (this.state !== 'running') return;
    this.dispatcher.dropWaiting();
    this.drain(atNs);
  }

  /** Ends everything now. */
  abort(): void {
    if (this.state === 'over') return;
    this.parts.turn.held.handleAll();
    this.stop();
    this.dispatcher.dropWaiting();
    this.parts.book.abortAll(this.parts.pool.live);
    this.finish();
  }

  /** The phases so far; one that is under way ends so long after the start of the measurement. */
  phasesUntil(sinceStartNs: number): readonly ShardPhase[] {
    const underWay = this.phase !== warmupPhase && this.phases.length <= this.phase;
    return underWay ? [...this.phases, this.phaseUntil(sinceStartNs)] : this.phases;
  }

  onOpened(all: boolean): void {
    try {
      if (all) this.prepareStart(nowNs() + this.parts.plan.timeouts.connectNs);
      else this.listener.onOpened();
    } catch (error) {
      crash(error);
    }
  }

  // While many sessions opened, the connections of the first may have idled too long.
  private prepareStart(limitNs: number): void {
    if (this.state !== 'waiting') return;
    const { plan, pool } = this.parts;
    const atNs = nowNs();
    const first = this.upcomingLoop(plan.warmupNs > 0 ? warmupPhase : 0);
    let ready = first?.prepare(atNs, idleBudgetNs) ?? true;
    if (first === null) {
      for (const session of pool.live)
        if (pool.mayCall(session) && session.posts?.prepare(1, atNs + soonNs) === false) ready = false;
    }
    if (ready || atNs > limitNs) this.listener.onOpened();
    else setTimeout(() => this.prepareStart(limitNs), beforeStartStepMs);
  }

  private prepare(atNs: number): void {
    const { loop } = this;
    const { book } = this.parts;
    if (this.state !== 'running' || loop === null) return;
    const gapNs = Math.min(loop.nextDueNs, this.phaseEndNs) - atNs;
    const idle = book.inFlight === 0;
    // What is being answered must be read; there is time enough.
    if (!idle && gapNs > soonNs) return;
    const budgetNs = idle && gapNs > undisturbedNs ? idleBudgetNs : busyBudgetNs;
    loop.prepare(atNs, budgetNs);
    if (this.phaseEndNs - atNs < aheadNs) this.upcomingLoop(this.phase + 1)?.prepare(atNs, budgetNs);
  }

  /** The loop of a phase that is yet to come, where it makes bursts. */
  private upcomingLoop(phase: number): BurstLoop | null {
    const { plan } = this.parts;
    if (this.upcoming?.phase === phase) return this.upcoming.loop;
    if (phase >= plan.phases.length) return null;
    const { load, durationNs } = plan.phases[Math.max(0, phase)];
    if (load.model !== 'burst') return null;
    const loop = this.createBursts(load, phase, phase === warmupPhase ? plan.warmupNs : durationNs!);
    // The start of the run is not known yet when it is first prepared for.
    if (this.phaseEndNs !== Infinity) loop.begin(this.phaseEndNs);
    this.upcoming = { phase, loop };
    return loop;
  }

  onReady(session: Session, atNs: number): void {
    try {
      this.offerRoom(session, atNs);
      this.loop?.onReady(session, atNs);
      this.rearm();
    } catch (error) {
      crash(error);
    }
  }

  onMoment(atNs: number): void {
    try {
      if (atNs >= this.phaseEndNs && this.state === 'running') this.endPhase(this.phaseEndNs);
      this.intervals.moment(atNs);
    } catch (error) {
      crash(error);
    }
  }

  onSlotFree(session: Session, atNs: number, phase: number): void {
    try {
      this.parts.pool.checkRetired(session);
      this.offerRoom(session, atNs);
      this.loop?.onSlotFree(session, atNs, phase);
      this.rearm();
      if (this.loop?.exhausted) this.endPhase(atNs);
      else if (this.state === 'draining') this.finishIfDrained(atNs);
    } catch (error) {
      crash(error);
    }
  }

  // What an open phase has left waiting goes first, whatever kind of phase, or the end, has come meanwhile.
  private offerRoom(session: Session, atNs: number): void {
    if (this.loop === null || this.dispatcher.queued > 0) this.dispatcher.onRoom(session, atNs);
  }

  private tick(atNs: number): number {
    if (this.state === 'running' && atNs >= this.phaseEndNs) this.endPhase(this.phaseEndNs);
    if (this.loop === null) return Infinity;
    const wantedNs = this.loop.tick(atNs);
    // Where there are fewer calls than workers, one of them has none to make and no end of a call to wait for.
    if (this.loop?.exhausted) this.endPhase(atNs);
    return Math.min(wantedNs, this.phaseEndNs);
  }

  private rearm(): void {
    if (this.loop !== null) this.ticker.wakeAt(Math.min(this.loop.nextDueNs, this.phaseEndNs));
  }

  private enterPhase(index: number, atNs: number): void {
    const { plan, recorder } = this.parts;
    const phase = plan.phases[index];
    this.phase = index;
    this.phaseStartNs = atNs;
    this.phaseEndNs = phase.durationNs === null ? Infinity : atNs + phase.durationNs;
    this.okAtPhaseStart = recorder.okByOperation();
    this.parts.health.enterPhase();
    if (index === 0) {
      this.intervals.start(atNs);
      this.listener.onMeasuring?.();
    }
    this.loop = this.createLoop(index, phase.durationNs ?? Infinity);
    this.ticker.wakeAt(atNs);
  }

  private endPhase(atNs: number): void {
    const { plan } = this.parts;
    // What was due before the end belongs to this phase, however late it is found.
    this.phaseEndNs = Infinity;
    while (this.loop !== null && this.loop.nextDueNs < atNs) this.loop.tick(atNs - 1);
    if (this.phase !== warmupPhase) this.closePhase(atNs);
    if (this.phase + 1 < plan.phases.length) this.enterPhase(this.phase + 1, atNs);
    else this.drain(atNs);
  }

  private closePhase(atNs: number): void {
    this.phases.push(this.phaseUntil(atNs - this.measureStartNs));
  }

  private phaseUntil(endNs: number): ShardPhase {
    const ok = this.parts.recorder.okByOperation();
    return {
      startNs: this.phaseStartNs - this.measureStartNs,
      endNs,
      bursts: this.loop instanceof BurstLoop ? { ...this.loop.writing } : null,
      okWithin: ok.map((count, operation) => count - this.okAtPhaseStart[operation]),
      health: this.parts.health.current,
    };
  }

  private createLoop(index: number, durationNs: number): Loop {
    const { plan, shard, pool, book } = this.parts;
    const load = loadOf(plan, index);
    if (load.model === 'closed' || load.model === 'count') {
      this.dispatcher.cap = Infinity;
      const budget = load.model === 'closed' ? Infinity : shareOf(load.calls, shard);
      const thinkNs = load.model === 'closed' ? load.thinkNs : 0;
      // The slots that think go on thinking: called upon all together, they would begin the phase with a burst.
      const thinking =
        thinkNs > 0 && this.loop instanceof ClosedLoop ? this.loop.handOver(this.phaseStartNs, thinkNs) : [];
      return new ClosedLoop(
        index,
        this.phaseStartNs,
        this.phaseEndNs,
        thinking,
        load.inFlight,
        thinkNs,
        budget,
        pool,
        book,
        this.printer,
      );
    }
    this.dispatcher.cap = queueCap(plan, load, durationNs) / shard.of;
    for (const session of pool.live) this.dispatcher.onRoom(session, this.phaseStartNs);
    if (load.model === 'burst') {
      const loop = this.upcomingLoop(index) ?? this.createBursts(load, index, durationNs);
      this.upcoming = null;
      loop.begin(this.phaseStartNs);
      return loop;
    }
    const pacer = this.createPacer(load, index, durationNs);
    const { phaseStartNs, printer, dispatcher } = this;
    const perSec = mostPerSec(load) / shard.of;
    return new OpenLoop(pacer, index, phaseStartNs, printer, dispatcher, pool, perSec);
  }

  private createBursts(load: BurstPlan, index: number, durationNs: number): BurstLoop {
    const { pool, book } = this.parts;
    const pacer = this.createPacer(load, index, durationNs);
    return new BurstLoop(
      pacer,
      index,
      load.calls,
      pool,
      book,
      this.printer,
      this.dispatcher,
      this.parts.turn,
    );
  }

  private createPacer(load: OpenLoad, index: number, durationNs: number): Pacer {
    const { plan, shard } = this.parts;
    return createPacer(load, durationNs, {
      shard,
      firstSession: plan.sessions.idle,
      sessions: plan.sessions.count - plan.sessions.idle,
      seed: plan.seed + index + 1,
    });
  }

  private drain(atNs: number): void {
    if (this.state === 'draining' || this.state === 'over') return;
    if (this.phase >= 0 && this.phases.length <= this.phase) this.closePhase(atNs);
    this.state = 'draining';
    if (this.phase >= 0) {
      this.parts.health.leave();
      this.listener.onMeasured?.();
    }
    this.drainingSinceNs = atNs;
    this.loop = null;
    this.phaseEndNs = Infinity;
    this.ticker.stop();
    const { pool } = this.parts;
    // What still waits needs sessions; where those end after so many calls, their successors.
    if (this.dispatcher.queued === 0) pool.stopOpening();
    else for (const session of pool.live) this.dispatcher.onRoom(session, atNs);
    this.finishIfDrained(nowNs());
  }

  private finishIfDrained(atNs: number): void {
    const { book } = this.parts;
    if (book.inFlight > 0 || this.dispatcher.queued > 0) return;
    if (book.owed > 0 && atNs - this.drainingSinceNs < owedGraceNs) return;
    this.finish();
  }

  // Timers come before reads in a turn of the loop: after a pause, answers to calls whose time seems to be up lie unread.
  private onSweep(): void {
    const atNs = nowNs();
    if (atNs - this.sweptNs > slotNs) this.parts.slots.noteDeaf(this.sweptNs, atNs);
    this.sweptNs = atNs;
    if (this.parts.health.sweep(atNs)) setImmediate(() => this.sweep(nowNs()));
    else this.sweep(atNs);
  }

  private sweep(atNs: number): void {
    // While a burst is written, answers that have been read wait to be handled.
    if (this.state === 'over' || this.parts.turn.held.keeping) return;
    this.parts.turn.begin(atNs);
    const { plan, book, pool, courtesies } = this.parts;
    this.prepare(atNs);
    book.sweep(atNs);
    courtesies.sweep(atNs);
    pool.sweep(atNs, plan.timeouts.idleNs);
    this.onMoment(atNs);
    if (pool.live.size > 0 || book.inFlight > 0) this.lastHopeNs = atNs;
    // A phase that only counts calls would wait for ever for a server that does not come back.
    const noHope = pool.hopeless || atNs - this.lastHopeNs > plan.timeouts.callNs;
    if (this.state === 'running' && this.phaseEndNs === Infinity && book.inFlight === 0 && noHope)
      this.endPhase(atNs);
    if (this.state !== 'draining') return;
    if (pool.isEmpty || atNs - this.drainingSinceNs > plan.timeouts.callNs) this.dispatcher.dropWaiting();
    if (this.dispatcher.queued === 0) pool.stopOpening();
    this.finishIfDrained(atNs);
  }

  private finish(): void {
    if (this.state === 'over') return;
    this.state = 'over';
    this.ticker.stop();
    if (this.sweeper !== null) clearInterval(this.sweeper);
    this.intervals.finish(nowNs());
    this.listener.onDrained();
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
