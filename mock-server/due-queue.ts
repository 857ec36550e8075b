import type { Loop } from './loop.js';

interface Due {
  readonly dueNs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Runs things when they are due, never before, in the order of their due times; one timer for all of them. */
export class DueQueue {
  private readonly heap: Due[] = [];
  private timer: unknown;
  private timerDueNs = Infinity;
  private order = 0;

  constructor(private readonly loop: Loop) {}

  add(dueNs: number, run: () => void): void {
    const { heap } = this;
    heap.push({ dueNs, order: this.order++, run });
    for (let at = heap.length - 1; at > 0;) {
      const up = (at - 1) >> 1;
      if (!before(heap[at]!, heap[up]!)) break;
      swap(heap, at, up);
      at = up;
    }
    if (dueNs < this.timerDueNs) this.arm(dueNs);
  }

  clear(): void {
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
    while (this.heap.length > 0 && this.heap[0]!.dueNs <= nowNs) this.pop().run();
    if (this.heap.length > 0 && this.heap[0]!.dueNs < this.timerDueNs) this.arm(this.heap[0]!.dueNs);
  }

  private pop(): Due {
    const { heap } = this;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return top;
    heap[0] = last;
    for (let at = 0; ;) {
      let least = at;
      for (let child = 2 * at + 1; child <= 2 * at + 2; child++)
        if (child < heap.length && before(heap[child]!, heap[least]!)) least = child;
      if (least === at) return top;
      swap(heap, at, least);
      at = least;
    }
  }
}

function before(a: Due, b: Due): boolean {
  return a.dueNs < b.dueNs || (a.dueNs === b.dueNs && a.order < b.order);
}

function swap(heap: Due[], a: number, b: number): void {
  const kept = heap[a]!;
  heap[a] = heap[b]!;
  heap[b] = kept;
}
