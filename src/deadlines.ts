/** Something with a time limit: the list that it is in, and its place there. */
export interface Limited<T extends Limited<T>> {
  /** null where it is in none. */
  deadlines: Deadlines<T> | null;
  previous: T | null;
  next: T | null;
  limitFromNs: number;
}

/**
 * Things with the same time limit, in the order in which it began to run: adding, removing and finding the expired cost
 * the same however many there are, which a timer for each would not.
 */
export class Deadlines<T extends Limited<T>> {
  private first: T | null = null;
  private last: T | null = null;

  constructor(readonly limitNs: number) {}

  /** Puts an item at the end; out of whichever list it was in. */
  add(item: T, fromNs: number): void {
    item.deadlines?.remove(item);
    item.deadlines = this;
    item.limitFromNs = fromNs;
    item.previous = this.last;
    item.next = null;
    if (this.last === null) this.first = item;
    else this.last.next = item;
    this.last = item;
  }

  /** Takes an item out; nothing happens where it is not in this list. */
  remove(item: T): void {
    if (item.deadlines !== this) return;
    if (item.previous === null) this.first = item.next;
    else item.previous.next = item.next;
    if (item.next === null) this.last = item.previous;
    else item.next.previous = item.previous;
    item.deadlines = null;
    item.previous = null;
    item.next = null;
  }

  /** Since when the oldest item's limit has been running; Infinity where there is none. */
  get oldestNs(): number {
    return this.first?.limitFromNs ?? Infinity;
  }

  /** Takes out one item whose limit has passed, the oldest first; null when there is none. */
  takeExpired(atNs: number): T | null {
    const item = this.first;
    if (item === null || atNs - item.limitFromNs < this.limitNs) return null;
    this.remove(item);
    return item;
  }
}
