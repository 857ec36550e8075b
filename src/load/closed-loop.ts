import { nowNs } from '../clock.js';
import { Fifo } from '../fifo.js';
import type { CallBook } from './call-book.js';
import type { TicketPrinter } from './dispatcher.js';
import { callsPerTick, type Loop } from './loop.js';
import type { SessionPool } from './session-pool.js';
import type { Session } from './session.js';

/** A slot of a session that is to make a call: since when it is free, think time included. */
interface FreeSlot {
  readonly session: Session;
  readonly dueNs: number;
}

/**
 * Every session keeps a number of calls in flight; the next is due when a slot became free, plus think time. With a budget
 * it stops after so many calls.
 */
export class ClosedLoop implements Loop {
  /** Slots that are due at once, and slots that think: all think equally long, so both are in order. */
  private readonly due = new Fifo<FreeSlot>();
  private readonly planned = new Map<Session, number>();
  private outstanding = 0;

  constructor(
    private readonly phase: number,
    startNs: number,
    private readonly endNs: number,
    /** Slots that the warm-up left thinking. */
    thinking: readonly FreeSlot[],
    private readonly inFlight: number,
    private readonly thinkNs: number,
    private budget: number,
    private readonly pool: SessionPool,
    private readonly book: CallBook,
    private readonly printer: TicketPrinter,
  ) {
    for (const { session } of thinking) this.notePlanned(session);
    for (const session of pool.live) this.fill(session, startNs);
    for (const slot of thinking) this.due.push(slot);
  }

  /** Gives its planned calls to the loop that goes on where this one ends. */
  handOver(): FreeSlot[] {
    this.planned.clear();
    return this.due.takeAll();
  }

  get exhausted(): boolean {
    return this.budget <= 0 && this.outstanding === 0;
  }

  get nextDueNs(): number {
    return this.budget > 0 ? (this.due.peek()?.dueNs ?? Infinity) : Infinity;
  }

  tick(atNs: number): number {
    for (let budget = callsPerTick; ; budget--) {
      const slot = this.due.peek();
      if (slot === undefined || this.budget <= 0) return Infinity;
      if (slot.dueNs > atNs) return slot.dueNs;
      if (budget === 0) return atNs;
      this.due.shift();
      this.unplan(slot.session);
      this.start(slot.session, slot.dueNs, nowNs());
    }
  }

  onReady(session: Session, atNs: number): void {
    this.fill(session, atNs);
  }

  onSlotFree(session: Session, atNs: number, phase: number): void {
    if (phase === this.phase) this.outstanding--;
    if (session.retiring || session.state !== 'ready') return;
    if (this.thinkNs > 0 || this.due.length > 0) this.plan(session, atNs + this.thinkNs);
    else if (session.inFlight + (this.planned.get(session) ?? 0) < this.inFlight)
      this.start(session, atNs, atNs);
  }

  // At a phase's start slots may still be taken by calls of the phase before.
  private fill(session: Session, atNs: number): void {
    for (let taken = session.inFlight + (this.planned.get(session) ?? 0); taken < this.inFlight; taken++) {
      this.plan(session, atNs);
    }
  }

  private plan(session: Session, dueNs: number): void {
    if (session.inFlight + (this.planned.get(session) ?? 0) >= this.inFlight) return;
    this.notePlanned(session);
    this.due.push({ session, dueNs });
  }

  private notePlanned(session: Session): void {
    this.planned.set(session, (this.planned.get(session) ?? 0) + 1);
  }

  private unplan(session: Session): void {
    const left = (this.planned.get(session) ?? 1) - 1;
    if (left === 0) this.planned.delete(session);
    else this.planned.set(session, left);
  }

  private start(session: Session, intendedNs: number, foundNs: number): void {
    if (this.budget <= 0 || intendedNs >= this.endNs || session.state !== 'ready' || session.retiring) return;
    if (session.inFlight >= this.inFlight || !this.pool.mayCall(session)) return;
    this.budget--;
    this.outstanding++;
    this.book.start(this.printer.print(this.phase, intendedNs, foundNs), session);
    this.pool.countStarted(session);
  }
}
