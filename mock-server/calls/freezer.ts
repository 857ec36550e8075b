import type { MockConfig } from '../config/config.js';
import type { DueQueue } from '../time/due-queue.js';
import type { Loop } from '../time/loop.js';
import type { Stats } from '../stats.js';

/** Makes the whole server stand still at known times, counted from the first call. */
export class Freezer {
  private started = false;

  constructor(
    private readonly freeze: NonNullable<MockConfig['freeze']>,
    private readonly loop: Loop,
    private readonly due: DueQueue,
    private readonly stats: Stats,
    private readonly logged: (fromNs: number, toNs: number) => void,
  ) {}

  callReceived(): void {
    if (this.started) return;
    this.started = true;
    this.plan(this.loop.nowNs() + this.freeze.at);
  }

  private plan(dueNs: number): void {
    this.due.add(dueNs, () => {
      const fromNs = this.loop.nowNs();
      this.loop.stall(this.freeze.for / 1e6);
      this.stats.freezes++;
      this.logged(fromNs, this.loop.nowNs());
      if (this.freeze.every > 0) this.plan(dueNs + this.freeze.every);
    });
  }
}
