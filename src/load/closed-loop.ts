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

// How long before the next call a session's connection is looked after, and from which think time on.
const connectAheadNs = 250e6;
const rareNs = 1e9;

/**
 * Every session keeps a number of calls in flight; the next is due when a slot became free, plus think time. With a budget
 * it stops after so many calls.
 */
export class ClosedLoop implements Loop {
  /** Slots that were due at once, and slots that think: all think equally long, so each line is in order, but not both in one. */
  private readonly due = new Fifo<FreeSlot>();
  private readonly thinking = new Fifo<FreeSlot>();
  private readonly planned = new Map<Session, number>();
  private outstanding = 0;

  constructor(
    private readonly phase: number,
    startNs: number,
    private readonly endNs: number,
    /** Slots that the loop before left thinking. */
    thinking: readonly FreeSlot[],
    private readonly inFlight: number,
    private readonly thinkNs: number,
    private budget: number,
    private readonly pool: SessionPool,
    private readonly book: CallBook,
    private readonly printer: TicketPrinter,
  ) {
    for (const { session, dueNs } of thinking) this.plan(this.thinking, session, dueNs);
    for (const session of pool.live) this.fill(session, startNs);
  }

  /**
   * Gives the slots that think to the loop that goes on at `atNs`. Of its think time they have the same share ahead of them as they had of
   * ours: they stay spread, and none is due behind those that begin to think there.
   */
  handOver(atNs: number, thinkNs: number): FreeSlot[] {
    this.planned.clear();
    return this.thinking.takeAll().map(({ session, dueNs }) => ({
      session,
      dueNs: atNs + Math.round(((dueNs - atNs) / this.thinkNs) * thinkNs),
    }));
  }

  get exhausted(): boolean {
    return this.budget <= 0 && this.outstanding === 0;
  }

  get nextDueNs(): number {
    return this.budget > 0 ? (this.nextLine.peek()?.dueNs ?? Infinity) : Infinity;
  }

  tick(atNs: number): number {
    for (let budget = callsPerTick; ; budget--) {
      const line = this.nextLine;
      const slot = line.peek();
      if (slot === undefined || this.budget <= 0) return Infinity;
      if (slot.dueNs > atNs) return slot.dueNs;
      if (budget === 0) return atNs;
      line.shift();
      this.unplan(slot.session);
      this.start(slot.session, slot.dueNs, nowNs());
    }
  }

  prepare(atNs: number): boolean {
    if (this.thinkNs < rareNs) return true;
    for (let i = 0; i < this.thinking.length; i++) {
      const { session, dueNs } = this.thinking.at(i)!;
      if (dueNs - atNs > connectAheadNs) break;
      session.client.prepare(1, dueNs);
    }
    return true;
  }

  onReady(session: Session, atNs: number): void {
    this.fill(session, atNs);
  }

  onSlotFree(session: Session, atNs: number, phase: number): void {
    if (phase === this.phase) this.outstanding--;
    if (session.retiring || !session.isReady) return;
    if (this.thinkNs > 0) this.plan(this.thinking, session, atNs + this.thinkNs);
    else if (this.due.length > 0) this.plan(this.due, session, atNs);
    else if (session.inFlight + (this.planned.get(session) ?? 0) < this.inFlight)
      this.start(session, atNs, atNs);
  }

  /** The line whose head is due first. */
  private get nextLine(): Fifo<FreeSlot> {
    const due = this.due.peek();
    const thinking = this.thinking.peek();
    if (due === undefined || thinking === undefined) return due === undefined ? this.thinking : this.due;
    return due.dueNs <= thinking.dueNs ? this.due : this.thinking;
  }

  // At a phase's start slots may still be taken by calls of the phase before.
  private fill(session: Session, atNs: number): void {
    for (let taken = session.inFlight + (this.planned.get(session) ?? 0); taken < this.inFlight; taken++) {
      this.plan(this.due, session, atNs);
    }
  }

  private plan(line: Fifo<FreeSlot>, session: Session, dueNs: number): void {
    const planned = this.planned.get(session) ?? 0;
    if (session.inFlight + planned >= this.inFlight) return;
    this.planned.set(session, planned + 1);
    line.push({ session, dueNs });
  }

  private unplan(session: Session): void {
    const left = (this.planned.get(session) ?? 1) - 1;
    if (left === 0) this.planned.delete(session);
    else this.planned.set(session, left);
  }

  private start(session: Session, intendedNs: number, foundNs: number): void {
    if (this.budget <= 0 || intendedNs >= this.endNs || !session.isReady || session.retiring) return;
    if (session.inFlight >= this.inFlight || !this.pool.mayCall(session)) return;
    this.budget--;
    this.outstanding++;
    this.book.start(this.printer.print(this.phase, intendedNs, foundNs), session);
    this.pool.countStarted(session);
  }
}
