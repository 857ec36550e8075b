/** A first-in-first-out queue whose `shift` costs the same however long it is. */
export class Fifo<T> {
  private items: (T | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  push(item: T): void {
    this.items.push(item);
  }

  peek(): T | undefined {
    return this.items[this.head];
  }

  /** The item that so many others are ahead of. */
  at(position: number): T | undefined {
    return this.items[this.head + position];
  }

  shift(): T | undefined {
    if (this.head === this.items.length) return undefined;
    const item = this.items[this.head];
    this.items[this.head++] = undefined;
    if (this.head === this.items.length) {
      // Not at each: cutting an array to nothing was seen to take 10 µs.
      if (this.head >= 64) this.items = [];
      if (this.items.length === 0) this.head = 0;
    } else if (this.head >= 1024 && this.head * 2 > this.items.length) {
      this.items.splice(0, this.head);
      this.head = 0;
    }
    return item;
  }

  /** Whether `wanted` says yes to any of them. */
  some(wanted: (item: T) => boolean): boolean {
    for (let i = this.head; i < this.items.length; i++) if (wanted(this.items[i] as T)) return true;
    return false;
  }

  /** Takes out, in order, the items that `wanted` says yes to. */
  remove(wanted: (item: T) => boolean): T[] {
    const removed: T[] = [];
    const kept: T[] = [];
    for (let i = this.head; i < this.items.length; i++) {
      const item = this.items[i] as T;
      (wanted(item) ? removed : kept).push(item);
    }
    if (removed.length > 0) {
      this.items = kept;
      this.head = 0;
    }
    return removed;
  }

  takeAll(): T[] {
    const all = this.items.slice(this.head) as T[];
    this.items = [];
    this.head = 0;
    return all;
  }
}
