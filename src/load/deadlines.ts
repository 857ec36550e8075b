import type { Call } from './call.js';

/**
 * Calls with the same time limit, in the order in which it began to run: adding, removing and finding the expired cost
 * the same however many there are, which a timer per call would not.
 */
export class Deadlines {
  private first: Call | null = null;
  private last: Call | null = null;

  constructor(readonly limitNs: number) {}

  add(call: Call, fromNs: number): void {
    call.limitFromNs = fromNs;
    call.previous = this.last;
    call.next = null;
    if (this.last === null) this.first = call;
    else this.last.next = call;
    this.last = call;
  }

  /** Takes a call out; nothing happens where it is not in the list. */
  remove(call: Call): void {
    if (call.previous === null && this.first !== call) return;
    if (call.previous === null) this.first = call.next;
    else call.previous.next = call.next;
    if (call.next === null) this.last = call.previous;
    else call.next.previous = call.previous;
    call.previous = null;
    call.next = null;
  }

  /** Takes out one call whose limit has passed, the oldest first; null when there is none. */
  takeExpired(atNs: number): Call | null {
    const call = this.first;
    if (call === null || atNs - call.limitFromNs < this.limitNs) return null;
    this.remove(call);
    return call;
  }
}
