import { nowNs } from '../clock.js';
import { Fifo } from '../fifo.js';
import type { CallBook } from './call-book.js';
import type { CallNumbers } from './call-numbers.js';
import type { Draft, Ticket } from './ticket.js';
import type { SessionPool } from './session-pool.js';
import type { Session } from './session.js';

/** Gives due calls of an open loop to sessions with room, in turn; what finds none waits in one line, up to a cap. */
export class Dispatcher {
  private readonly waiting = new Fifo<Ticket>();
  /** Calls that may wait; beyond it a due call is `notSent`. */
  cap = Infinity;

  constructor(
    private readonly pool: SessionPool,
    private readonly book: CallBook,
    private readonly inFlightLimit: number,
  ) {}

  get queued(): number {
    return this.waiting.length;
  }

  dispatch(ticket: Ticket): void {
    const session = this.waiting.length === 0 ? this.pool.takeFree(this.inFlightLimit) : undefined;
    if (session !== undefined) this.start(ticket, session);
    else if (this.waiting.length < this.cap) this.waiting.push(ticket);
    else this.book.neverStarted(ticket, 'the queue was full');
  }

  /** The same for a call that was rendered for one session; another gets it, rendered anew, where that has no room. */
  dispatchDraft(draft: Draft): void {
    const { session } = draft;
    if (this.waiting.length > 0 || !this.pool.hasRoom(session, this.inFlightLimit)) {
      this.dispatch(draft);
      return;
    }
    this.book.startDraft(draft);
    this.pool.countStarted(session);
    this.pool.offer(session, this.inFlightLimit);
  }

  /** A session may have room since `atNs`: it gets what waits, or its place in the line. */
  onRoom(session: Session, atNs: number): void {
    this.pool.offer(session, this.inFlightLimit);
    while (this.waiting.length > 0) {
      const free = this.pool.takeFree(this.inFlightLimit);
      if (free === undefined) return;
      this.start(this.waiting.shift()!, free, atNs);
    }
  }

  /** Gives up what still waits: it was offered and never sent. */
  dropWaiting(): void {
    for (const ticket of this.waiting.takeAll())
      this.book.neverStarted(ticket, 'it still waited for a session with room at the end');
  }

  /** The same, since the run is cut short: that is nobody's fault. */
  cutOff(): void {
    for (const ticket of this.waiting.takeAll()) this.book.cutOff(ticket);
  }

  private start(ticket: Ticket, session: Session, roomNs = 0): void {
    this.book.start(ticket, session, roomNs);
    this.pool.countStarted(session);
    this.pool.offer(session, this.inFlightLimit);
  }
}

/** Makes the tickets of a worker: the number of each call, and the operation that goes with it. */
export class TicketPrinter {
  constructor(
    private readonly numbers: Pick<CallNumbers, 'next'>,
    private readonly pick: (seq: number) => number,
  ) {}

  print(phase: number, intendedNs: number, foundNs = nowNs()): Ticket {
    const seq = this.numbers.next(phase);
    return { seq, operation: this.pick(seq), phase, intendedNs, foundNs };
  }
}
