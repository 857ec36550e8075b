import type { Loop } from './loop.js';

/** Something that is due at a known time. */
export interface Due {
  readonly dueNs: number;
  readonly order: number;
  readonly run: () => void;
  /** Where it stands in the heap; -1 once it has run or was removed. */
  at: number;
}

/** Runs things when they are due, never before, in the order of their due times; one timer for all of them. */
export class DueQueue {
  private readonly heap: Due[] = [];
  private timer: unknown;
  private timerDueNs = Infinity;
  private order = 0;

  constructor(private readonly loop: Loop) {}

  /** How many things are waiting. */
  get size(): number {
    return this.heap.length;
  }

  add(dueNs: number, run: () => void): Due {
    const due = { dueNs, order: this.order++, run, at: this.heap.length };
    this.heap.push(due);
    this.rise(due);
    if (dueNs < this.timerDueNs) this.arm(dueNs);
    return due;
  }

  /** Forgets one thing; nothing happens where it has run already. The timer may then find nothing to do. */
  remove(due: Due): void {
    const { at } = due;
    if (at === -1) return;
    due.at = -1;
    const last = this.heap.pop()!;
    if (last === due) return;
    this.place(last, at);
    this.rise(last);
    this.sink(last);
  }

  clear(): void {
    for (const due of this.heap) due.at = -1;
    this.heap.length = 0;
    this.loop.clear(this.timer);
    this.timerDueNs = Infinity;
  }

  private arm(dueNs: number): void {
    this.loop.clear(this.timer);
    this.timerDueNs = dueNs;
    const waitNs = dueNs - this.loop.nowNs();
    this.timer = this.loop.after(Math.max(0, Math.ceil(waitNs / 1e6)), () => this.fire());
  }

  private fire(): void {
    // Node's timers may fire up to a millisecond early: what is not yet due waits for the next one.
    this.timerDueNs = Infinity;
    const nowNs = this.loop.nowNs();
    for (let top = this.heap[0]; top !== undefined && top.dueNs <= nowNs; top = this.heap[0]) {
      this.remove(top);
      top.run();
    }
    if (this.heap.length > 0 && this.heap[0]!.dueNs < this.timerDueNs) this.arm(this.heap[0]!.dueNs);
  }

  private rise(due: Due): void {
    while (due.at > 0) {
      const up = this.heap[(due.at - 1) >> 1]!;
      if (!before(due, up)) return;
      this.swap(due, up);
    }
  }

  private sink(due: Due): void {
    for (;;) {
      const left = this.heap[2 * due.at + 1];
      const right = this.heap[2 * due.at + 2];
      const least = right !== undefined && before(right, left!) ? right : left;
      if (least === undefined || !before(least, due)) return;
      this.swap(due, least);
    }
  }

  private swap(a: Due, b: Due): void {
    const { at } = a;
    this.place(a, b.at);
    this.place(b, at);
  }

  private place(due: Due, at: number): void {
    due.at = at;
    this.heap[at] = due;
  }
}

function before(a: Due, b: Due): boolean {
  return a.dueNs < b.dueNs || (a.dueNs === b.dueNs && a.order < b.order);
}
