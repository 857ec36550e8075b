import { nowNs } from '../clock.js';
import type { Dispatcher, TicketPrinter } from './dispatcher.js';
import { callsPerTick, type Loop } from './loop.js';
import type { Pacer } from './pacer.js';
import type { SessionPool } from './session-pool.js';
import type { Session } from './session.js';

// How long before its call a session's connection is looked after, and from which distance of its calls on.
const connectAheadNs = 250e6;
const rareNs = 1e9;

/** Calls become due when the pacer says so, whatever the state of the sessions. */
export class OpenLoop implements Loop {
  readonly exhausted = false;
  /** How many calls ahead connections are made ready; -1: calls are so frequent that none idles. */
  private readonly callsAhead: number;

  constructor(
    private readonly pacer: Pacer,
    private readonly phase: number,
    private readonly startNs: number,
    private readonly printer: TicketPrinter,
    private readonly dispatcher: Dispatcher,
    private readonly pool: SessionPool,
    /** The most that is offered at any time. */
    perSec: number,
  ) {
    const betweenCallsNs = (pool.live.size / perSec) * 1e9;
    this.callsAhead = betweenCallsNs < rareNs ? -1 : Math.floor((perSec * connectAheadNs) / 1e9);
  }

  get nextDueNs(): number {
    return this.startNs + this.pacer.nextNs;
  }

  tick(atNs: number): number {
    let dueNs = this.startNs + this.pacer.nextNs;
    for (let budget = callsPerTick; dueNs <= atNs; budget--) {
      if (budget === 0) return atNs;
      this.dispatcher.dispatch(this.printer.print(this.phase, dueNs, nowNs()));
      this.pacer.advance();
      dueNs = this.startNs + this.pacer.nextNs;
      // One for each call: so none is held up by the connections of many others.
      if (this.callsAhead > 0) this.connect(this.callsAhead, dueNs + connectAheadNs);
    }
    return dueNs;
  }

  prepare(atNs: number): boolean {
    if (this.callsAhead >= 0 && this.nextDueNs - atNs < connectAheadNs) this.connect(0, this.nextDueNs);
    return true;
  }

  onReady(session: Session, atNs: number): void {
    this.dispatcher.onRoom(session, atNs);
  }

  onSlotFree(session: Session, atNs: number): void {
    this.dispatcher.onRoom(session, atNs);
  }

  private connect(callsBefore: number, untilNs: number): void {
    this.pool.peekFree(callsBefore)?.client.prepare(1, untilNs);
  }
}
