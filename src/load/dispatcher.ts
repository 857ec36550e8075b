import { nowNs } from '../clock.js';
import { Fifo } from '../fifo.js';
import type { CallBook } from './call-book.js';
import type { Ticket } from './call.js';
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
    else this.book.neverStarted(ticket);
  }

  /** A session may have room: it gets what waits, or its place in the line. */
  onRoom(session: Session): void {
    this.pool.offer(session, this.inFlightLimit);
    while (this.waiting.length > 0) {
      const free = this.pool.takeFree(this.inFlightLimit);
      if (free === undefined) return;
      this.start(this.waiting.shift()!, free);
    }
  }

  /** Gives up what still waits: it was offered and never sent. */
  dropWaiting(): void {
    for (const ticket of this.waiting.takeAll()) this.book.neverStarted(ticket);
  }

  private start(ticket: Ticket, session: Session): void {
    this.book.start(ticket, session);
    this.pool.countStarted(session);
    this.pool.offer(session, this.inFlightLimit);
  }
}

/** Makes the tickets of a worker: numbers that no other worker uses, and the operation that goes with each. */
export class TicketPrinter {
  private printed = 0;

  constructor(
    private readonly index: number,
    private readonly of: number,
    private readonly pick: (seq: number) => number,
  ) {}

  print(phase: number, intendedNs: number, foundNs = nowNs()): Ticket {
    const seq = this.printed++ * this.of + this.index;
    return { seq, operation: this.pick(seq), phase, intendedNs, foundNs };
  }
}
