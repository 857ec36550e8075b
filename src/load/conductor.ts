import { nowNs } from '../clock.js';
import type { SessionContext } from '../mcp/client-session.js';
import type { Plan, Shard } from '../scenario/plan.js';
import { warmupPhase } from '../stats/recorder.js';
import { type SlotRecorder, slotNs } from '../stats/slot-recorder.js';
import { CallBook, type SlotListener } from './call-book.js';
import { crash } from './crash.js';
import { Dispatcher } from './dispatcher.js';
import type { Health } from './health.js';
import { IntervalClock } from './interval-clock.js';
import type { Loop } from './loop.js';
import { LoopMaker } from './loop-maker.js';
import { PhaseLog } from './phase-log.js';
import { Preparation } from './preparation.js';
import type { Session } from './session.js';
import { type PoolListener, SessionPool } from './session-pool.js';
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
  /** What its sessions share. */
  readonly sessions: SessionContext;
  readonly slots: SlotRecorder;
  readonly workload: Workload;
  readonly health: Health;
  readonly spin: boolean;
}

/** How often time limits and phases are looked at, though nothing happens. */
export const sweepNs = 10e6;
// How long the end of the run waits to hear of the acceptance of messages whose calls have long ended.
const owedGraceNs = 1e9;

/**
 * Leads one worker through warm-up and phases: which loop is on, when a phase is over, when all calls have ended. It is told
 * of much while a server's bytes are read: an error of its own is then not theirs, and ends the worker.
 */
export class Conductor implements SlotListener, PoolListener {
  readonly pool: SessionPool;
  readonly book: CallBook;
  private loop: Loop | null = null;
  /** Index into the plan's phases; -1 while warming up, and their number while draining. */
  private phase = warmupPhase;
  private phaseEndNs = Infinity;
  private measureStartNs = 0;
  private drainingSinceNs = 0;
  /** When a session was last ready, or a call in flight. */
  private lastHopeNs = 0;
  private sweptNs = 0;
  private state: 'waiting' | 'running' | 'draining' | 'over' = 'waiting';
  private readonly dispatcher: Dispatcher;
  private readonly loops: LoopMaker;
  private readonly preparation: Preparation;
  private readonly log: PhaseLog;
  private readonly ticker: Ticker;
  private readonly intervals: IntervalClock;
  private sweeper: NodeJS.Timeout | null = null;

  constructor(
    private readonly parts: ConductorParts,
    private readonly listener: ConductorListener,
  ) {
    const { plan, shard, sessions, slots, workload, health, spin } = parts;
    const { recorder, turn, transport } = sessions;
    const { traffic } = transport;
    this.book = new CallBook({ ...sessions, workload, slots, connectLimitNs: plan.timeouts.connectNs }, this);
    const { book } = this;
    this.pool = new SessionPool({ sessions, book, slots }, plan.sessions, shard, this);
    const { pool } = this;
    this.dispatcher = new Dispatcher(pool, book, plan.openLoop.inFlight);
    this.loops = new LoopMaker({ plan, shard, pool, book, workload, dispatcher: this.dispatcher, turn });
    this.preparation = new Preparation(plan, pool, book, this.loops);
    this.log = new PhaseLog(recorder, health);
    this.ticker = new Ticker((atNs) => this.tick(atNs), turn, spin);
    this.intervals = new IntervalClock({ recorder, slots, traffic, pool, book }, (interval) =>
      listener.onInterval(interval),
    );
  }

  /** Begins the warm-up, or the first phase where there is none, at the given moment. */
  start(startNs: number): void {
    const { plan } = this.parts;
    this.state = 'running';
    this.lastHopeNs = startNs;
    this.sweptNs = startNs;
    this.measureStartNs = startNs + plan.warmupNs;
    this.sweeper = setInterval(() => this.onSweep(), sweepNs / 1e6);
    if (plan.warmupNs > 0) this.enter(warmupPhase, startNs, plan.warmupNs);
    else this.enterPhase(0, startNs);
    this.ticker.wakeAt(startNs);
  }

  /** Makes no more calls; those in flight may still end. */
  stop(): void {
    const atNs = nowNs();
    if (this.state === 'waiting') this.finish();
    if (this.state !== 'running') return;
    this.dispatcher.cutOff();
    this.drain(atNs);
  }

  /** Ends everything now. */
  abort(): void {
    if (this.state === 'over') return;
    this.parts.sessions.turn.held.handleAll();
    this.stop();
    this.dispatcher.cutOff();
    this.book.abortAll();
    this.finish();
  }

  /** The phases so far; one that is under way ends so long after the start of the measurement. */
  phasesUntil(sinceStartNs: number): readonly ShardPhase[] {
    return this.log.until(sinceStartNs, this.loop);
  }

  onOpened(all: boolean): void {
    try {
      if (!all) return this.listener.onOpened();
      const limitNs = nowNs() + this.parts.plan.timeouts.connectNs;
      const wanted = (): boolean => this.state === 'waiting';
      this.preparation.beforeStart(limitNs, wanted, () => this.listener.onOpened());
    } catch (error) {
      crash(error);
    }
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
      this.pool.checkRetired(session);
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
    this.log.open(atNs - this.measureStartNs);
    if (index === 0) {
      this.intervals.start(atNs);
      this.listener.onMeasuring?.();
    }
    this.enter(index, atNs, this.parts.plan.phases[index].durationNs ?? Infinity);
    this.ticker.wakeAt(atNs);
  }

  private enter(index: number, startNs: number, durationNs: number): void {
    this.phase = index;
    this.phaseEndNs = startNs + durationNs;
    this.loop = this.loops.make({ index, startNs, endNs: this.phaseEndNs, durationNs }, this.loop);
  }

  private endPhase(atNs: number): void {
    const { plan } = this.parts;
    // What was due before the end belongs to this phase, however late it is found.
    this.phaseEndNs = Infinity;
    while (this.loop !== null && this.loop.nextDueNs < atNs) this.loop.tick(atNs - 1);
    this.log.close(atNs - this.measureStartNs, this.loop);
    if (this.phase + 1 < plan.phases.length) this.enterPhase(this.phase + 1, atNs);
    else this.drain(atNs);
  }

  private drain(atNs: number): void {
    if (this.state === 'draining' || this.state === 'over') return;
    this.log.close(atNs - this.measureStartNs, this.loop);
    this.state = 'draining';
    if (this.phase >= 0) {
      this.parts.health.leave();
      this.listener.onMeasured?.();
    }
    this.drainingSinceNs = atNs;
    this.loop = null;
    this.phaseEndNs = Infinity;
    this.ticker.stop();
    // What still waits needs sessions; where those end after so many calls, their successors.
    if (this.dispatcher.queued === 0) this.pool.stopOpening();
    else for (const session of this.pool.live) this.dispatcher.onRoom(session, atNs);
    this.finishIfDrained(nowNs());
  }

  private finishIfDrained(atNs: number): void {
    const { book } = this;
    if (book.inFlight > 0 || this.dispatcher.queued > 0) return;
    if (book.owed > 0 && atNs - this.drainingSinceNs < owedGraceNs) return;
    this.finish();
  }

  // Timers come before reads in a turn of the loop: after a pause, answers to calls whose time seems to be up lie unread.
  private onSweep(): void {
    const atNs = nowNs();
    if (atNs - this.sweptNs > slotNs) this.parts.slots.noteNotReading(this.sweptNs, atNs);
    this.sweptNs = atNs;
    if (this.parts.health.sweep(atNs)) setImmediate(() => this.sweep(nowNs()));
    else this.sweep(atNs);
  }

  private sweep(atNs: number): void {
    const { plan, sessions } = this.parts;
    // While a burst is written, answers that have been read wait to be handled.
    if (this.state === 'over' || sessions.turn.held.keeping) return;
    const { book, pool } = this;
    sessions.turn.begin(atNs);
    if (this.state === 'running' && this.loop !== null)
      this.preparation.during(atNs, this.loop, this.phase, this.phaseEndNs);
    book.sweep(atNs);
    sessions.background.sweep(atNs);
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
