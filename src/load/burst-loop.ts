import { nowNs } from '../clock.js';
import type { CallBook } from './call-book.js';
import type { Draft } from './ticket.js';
import type { Dispatcher, TicketPrinter } from './dispatcher.js';
import type { Loop } from './loop.js';
import type { Pacer } from './pacer.js';
import type { SessionPool } from './session-pool.js';
import type { Session } from './session.js';
import type { Turn } from '../transport/turn.js';

/** How long bursts took to write out. */
export interface BurstWriting {
  bursts: number;
  /** From the due moment to the last write, over all bursts. */
  totalNs: number;
  longestNs: number;
  /** The longest time of writing between two reads. */
  longestSliceNs: number;
}

/** The calls of one session in a burst. Where there was no time to render them they are not there yet. */
interface Volley {
  readonly session: Session;
  readonly drafts: Draft[];
}

/** Between slices the sockets are read: what has come meanwhile is read that much later at the most. */
export const burstSliceNs = 5e6;
// Rendered texts take memory, some 500 bytes each.
const mostDrafts = 50_000;
// Connections are made ready in this time before they are due; a server may drop idle ones after some seconds.
const connectAheadNs = 2e9;
const sessionsPerLook = 500;
const sessionsPerLookAgain = 50;
const startSoonNs = 250e6;
const mostHeldNs = 100e6;
// So shortly before a burst nothing else is begun.
const quietBeforeNs = 5e6;
// Collecting garbage takes some milliseconds, and is worth them for bursts that would make it necessary.
const collectAheadNs = 60e6;
const collectByNs = 25e6;
const manyCalls = 500;
let drafted = 0;

/**
 * Calls that are due all at once, every so often. A burst is written session by session, in slices between which the sockets
 * are read; its texts are rendered and its connections made before it is due. `npm run bench` holds it against a bare loop of writes.
 */
export class BurstLoop implements Loop {
  readonly exhausted = false;
  readonly writing: BurstWriting = { bursts: 0, totalNs: 0, longestNs: 0, longestSliceNs: 0 };
  private startNs = Infinity;
  private underWay = false;
  /** Of the burst under way, or of the next. */
  private volleys: Volley[] = [];
  private written = 0;
  private mark = ++drafted;
  /** The sessions that the next burst is rendered for. */
  private callers: Session[] | null = null;
  private lookAt = 0;
  private standing = 0;
  private collected = false;
  /** Since when answers are only read; 0 where they are handled, too. */
  private heldSinceNs = 0;

  constructor(
    private readonly pacer: Pacer,
    private readonly phase: number,
    private readonly callsPerSession: number,
    private readonly pool: SessionPool,
    private readonly book: CallBook,
    private readonly printer: TicketPrinter,
    private readonly dispatcher: Dispatcher,
    private readonly turn: Turn,
    /** Collects garbage, so that it need not be while a burst is written. */
    private readonly collect: () => void = () => {},
    private readonly sliceNs = burstSliceNs,
    private readonly clockNs: () => number = nowNs,
  ) {}

  /** The phase begins; what comes before is preparation. */
  begin(startNs: number): void {
    this.startNs = startNs;
  }

  get nextDueNs(): number {
    return this.startNs + this.pacer.nextNs;
  }

  tick(atNs: number): number {
    const dueNs = this.nextDueNs;
    if (dueNs > atNs) return dueNs;
    if (!this.underWay) this.start();
    const sliceStartNs = this.clockNs();
    const done = this.writeSlice(dueNs, sliceStartNs);
    const endNs = this.clockNs();
    const { writing } = this;
    writing.longestSliceNs = Math.max(writing.longestSliceNs, endNs - sliceStartNs);
    if (!done) {
      this.holdReads(endNs);
      return atNs;
    }
    if (this.heldSinceNs > 0) this.turn.resumeReads();
    this.heldSinceNs = 0;
    writing.bursts++;
    writing.totalNs += endNs - dueNs;
    writing.longestNs = Math.max(writing.longestNs, endNs - dueNs);
    this.rest();
    return this.nextDueNs;
  }

  prepare(atNs: number, budgetNs: number): boolean {
    if (this.underWay || this.pacer.nextNs === Infinity) return true;
    // Before the phase has its start it begins soon.
    const dueNs = this.startNs === Infinity ? atNs + startSoonNs : this.nextDueNs;
    if (dueNs - atNs < quietBeforeNs) return true;
    this.callers ??= [...this.pool.live].filter((session) => this.pool.mayCall(session));
    const rendered = this.render(this.callers, this.clockNs() + budgetNs);
    const ready = (dueNs - atNs > connectAheadNs || this.connect(this.callers, dueNs)) && rendered;
    if (ready) this.collectOnce(dueNs - atNs);
    return ready;
  }

  onReady(session: Session, atNs: number): void {
    this.dispatcher.onRoom(session, atNs);
  }

  onSlotFree(session: Session, atNs: number): void {
    this.dispatcher.onRoom(session, atNs);
  }

  private render(callers: readonly Session[], untilNs: number): boolean {
    const { volleys, callsPerSession } = this;
    while (volleys.length < callers.length && volleys.length * callsPerSession < mostDrafts) {
      const session = callers[volleys.length];
      volleys.push({ session, drafts: this.draftsOf(session) });
      if (this.clockNs() >= untilNs) return false;
    }
    return true;
  }

  private draftsOf(session: Session): Draft[] {
    session.draftedFor = this.mark;
    return Array.from({ length: this.callsPerSession }, () => this.draft(session));
  }

  private draft(session: Session): Draft {
    const { seq, operation } = this.printer.print(this.phase, 0, 0);
    return this.book.draft(seq, operation, this.phase, session);
  }

  // Answers that come meanwhile would be read late.
  private collectOnce(aheadNs: number): void {
    if (this.collected || aheadNs > collectAheadNs || aheadNs < collectByNs || this.book.inFlight > 0) return;
    this.collected = true;
    if (this.volleys.length * this.callsPerSession >= manyCalls) this.collect();
  }

  // Some at a time, over and over: what is ready now may be closed by the server before it is needed.
  private connect(callers: readonly Session[], dueNs: number): boolean {
    const all = this.standing >= callers.length;
    const sessions = Math.min(all ? sessionsPerLookAgain : sessionsPerLook, callers.length);
    for (let i = 0; i < sessions; i++) {
      const { client } = callers[this.lookAt++ % callers.length];
      if (client.prepare(this.callsPerSession, dueNs)) this.standing++;
      else this.standing = 0;
    }
    return this.standing >= callers.length;
  }

  // What answers say can wait until the burst is out, with the moment at which they were read: but not for ever, and neither can
  // time limits. Every so often all is looked after between two slices.
  private holdReads(atNs: number): void {
    const { held } = this.turn;
    if (this.heldSinceNs === 0) {
      held.hold();
      this.heldSinceNs = atNs;
    } else if (atNs - this.heldSinceNs > mostHeldNs) {
      this.heldSinceNs = 0;
      held.release(() => true);
    }
  }

  private start(): void {
    this.underWay = true;
    for (const session of this.pool.live) {
      if (session.draftedFor !== this.mark && this.pool.mayCall(session))
        this.volleys.push({ session, drafts: [] });
    }
  }

  /** Writes until the time of a slice is over; true where the burst is out. */
  private writeSlice(dueNs: number, sliceStartNs: number): boolean {
    let atNs = sliceStartNs;
    while (this.nextDueNs === dueNs) {
      if (this.written < this.volleys.length) {
        this.fire(this.volleys[this.written++], dueNs, atNs);
      } else {
        // Of sessions that are not there: others make their calls, as room is found.
        this.dispatcher.dispatch(this.printer.print(this.phase, dueNs, atNs));
        this.pacer.advance();
      }
      atNs = this.clockNs();
      if (atNs - sliceStartNs >= this.sliceNs) break;
    }
    return this.nextDueNs !== dueNs;
  }

  private fire({ session, drafts }: Volley, dueNs: number, foundNs: number): void {
    for (let i = 0; i < this.callsPerSession && this.nextDueNs === dueNs; i++) {
      const draft = drafts[i] ?? this.draft(session);
      draft.intendedNs = dueNs;
      draft.foundNs = foundNs;
      this.pacer.advance();
      this.dispatcher.dispatchDraft(draft);
    }
    session.client.flush();
  }

  private rest(): void {
    this.underWay = false;
    this.volleys = [];
    this.written = 0;
    this.mark = ++drafted;
    this.callers = null;
    this.standing = 0;
    this.collected = false;
  }
}
