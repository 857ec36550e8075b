import { nowNs } from '../clock.js';
import type { Turn } from '../transport/turn.js';

// A timer of Node's may be this late; what is due sooner is waited for by spinning, where that is allowed.
const timerSlackNs = 2e6;

/**
 * Calls back when something is due, finer than Node's timers can. Spinning means one `setImmediate` after another, so that
 * sockets are read in between; it takes a core, and is not accounted as work.
 */
export class Ticker {
  private wakeNs = Infinity;
  private timer: NodeJS.Timeout | null = null;
  private immediate: NodeJS.Immediate | null = null;
  private inTick = false;

  constructor(
    /** Does what is due and returns when it wants to be called again. */
    private readonly tick: (atNs: number) => number,
    private readonly turn: Turn,
    private readonly spin: boolean,
  ) {}

  /** Makes sure that the callback comes by then; an earlier appointment stands. */
  wakeAt(dueNs: number): void {
    if (dueNs >= this.wakeNs) return;
    this.wakeNs = dueNs;
    if (!this.inTick) this.arm();
  }

  stop(): void {
    this.wakeNs = Infinity;
    this.disarm();
  }

  private readonly onTime = (): void => {
    const looked = this.immediate !== null;
    this.timer = null;
    this.immediate = null;
    const atNs = nowNs();
    if (atNs >= this.wakeNs) {
      this.turn.begin(atNs);
      this.inTick = true;
      this.wakeNs = Infinity;
      const wantedNs = this.tick(atNs);
      this.inTick = false;
      if (wantedNs < this.wakeNs) this.wakeNs = wantedNs;
    } else if (looked) {
      this.turn.idleLook(atNs);
    } else {
      this.turn.wake(atNs);
    }
    this.arm();
  };

  private arm(): void {
    if (this.immediate !== null) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.turn.spinning = false;
    if (this.wakeNs === Infinity) return;
    const gapNs = this.wakeNs - nowNs();
    if (gapNs <= 0 || (this.spin && gapNs < timerSlackNs)) {
      this.immediate = setImmediate(this.onTime);
      this.turn.spinning = true;
    } else {
      const waitNs = this.spin ? gapNs - timerSlackNs : gapNs;
      this.timer = setTimeout(this.onTime, Math.max(1, Math.floor(waitNs / 1e6)));
    }
  }

  private disarm(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.immediate !== null) clearImmediate(this.immediate);
    this.timer = null;
    this.immediate = null;
    this.turn.spinning = false;
  }
}
