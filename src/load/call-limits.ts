import { Deadlines } from '../deadlines.js';
import type { OperationPlan } from '../scenario/plan.js';
import type { Call } from './call.js';

/** Told whose time is up. */
export interface LimitListener {
  /** No connection was free for the call within `limitNs`. */
  onUnsentTooLong(call: Call, limitNs: number, atNs: number): void;
  /** No response came in time, or it is to be cancelled. */
  onUnanswered(call: Call, atNs: number): void;
  /** The call has long ended, and its acceptance, or the end of its reply, never came. */
  onOwedTooLong(call: Call): void;
}

/** The time limits of calls: one list for each operation and kind of limit, since calls of one operation expire in order. */
export class CallLimits {
  /** Calls that have ended and whose acceptance, or the end of their reply, is still open. */
  owed = 0;
  /** Calls that wait for a connection: a server that lets none become free must not hold up the end of the run. */
  private readonly unsent: Deadlines<Call>[];
  private readonly unanswered: Deadlines<Call>[];
  private readonly owing: Deadlines<Call>[];

  constructor(operations: readonly OperationPlan[], connectLimitNs: number) {
    // Connections are given up after the time limit of a call; then a new one may take that of a connect.
    this.unsent = operations.map(({ timeoutNs }) => new Deadlines(timeoutNs + connectLimitNs));
    this.unanswered = operations.map(
      ({ timeoutNs, cancelAfterNs }) => new Deadlines(Math.min(timeoutNs, cancelAfterNs ?? Infinity)),
    );
    this.owing = operations.map(({ timeoutNs }) => new Deadlines(timeoutNs));
  }

  /** The call waits to be sent. */
  awaitSending(call: Call, atNs: number): void {
    this.unsent[call.ticket.operation].add(call, atNs);
  }

  /** It has been sent. */
  awaitResponse(call: Call): void {
    this.unanswered[call.ticket.operation].add(call, call.sentNs);
  }

  /** It is over, but for its acceptance or the end of its reply: that has a time limit of its own. */
  awaitReplyEnd(call: Call, atNs: number): void {
    call.owing = true;
    this.owed++;
    this.owing[call.ticket.operation].add(call, atNs);
  }

  /** What it owes is there, or will never be. */
  settle(call: Call): void {
    if (!call.owing) return;
    call.owing = false;
    this.owed--;
    call.deadlines?.remove(call);
  }

  /** The call has ended: only what it owes can still run out of time. */
  end(call: Call): void {
    if (!call.owing) call.deadlines?.remove(call);
  }

  /** When the call was sent that has been waiting for its answer longest; Infinity where none is. */
  get oldestSentNs(): number {
    let oldestNs = Infinity;
    for (const list of this.unanswered) oldestNs = Math.min(oldestNs, list.oldestNs);
    return oldestNs;
  }

  /** Finds those whose time is up. Limits are in the order of seconds: some milliseconds' delay does no harm. */
  sweep(atNs: number, listener: LimitListener): void {
    for (const list of this.unsent) {
      for (let call = list.takeExpired(atNs); call !== null; call = list.takeExpired(atNs))
        listener.onUnsentTooLong(call, list.limitNs, atNs);
    }
    for (const list of this.unanswered) {
      for (let call = list.takeExpired(atNs); call !== null; call = list.takeExpired(atNs))
        listener.onUnanswered(call, atNs);
    }
    for (const list of this.owing) {
      for (let call = list.takeExpired(atNs); call !== null; call = list.takeExpired(atNs)) {
        this.settle(call);
        listener.onOwedTooLong(call);
      }
    }
  }
}
