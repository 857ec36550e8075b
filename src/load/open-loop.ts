import { nowNs } from '../clock.js';
import type { Dispatcher, TicketPrinter } from './dispatcher.js';
import { callsPerTick, type Loop } from './loop.js';
import type { Pacer } from './pacer.js';
import type { Session } from './session.js';

/** Calls become due when the pacer says so, whatever the state of the sessions. */
export class OpenLoop implements Loop {
  readonly exhausted = false;

  constructor(
    private readonly pacer: Pacer,
    private readonly phase: number,
    private readonly startNs: number,
    private readonly printer: TicketPrinter,
    private readonly dispatcher: Dispatcher,
  ) {}

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
    }
    return dueNs;
  }

  onReady(session: Session): void {
    this.dispatcher.onRoom(session);
  }

  onSlotFree(session: Session): void {
    this.dispatcher.onRoom(session);
  }
}
