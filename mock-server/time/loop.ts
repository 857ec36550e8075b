/** All that the mock's core knows of time and of the event loop; a test puts its own in its place. */
export interface Loop {
  /** Monotonic nanoseconds since `originNs`. */
  nowNs(): number;
  /** What to add to `nowNs()` to compare it with another process of the same machine. */
  readonly originNs: bigint;
  wallClock(): Date;
  /** Runs after the input that is waiting now has been handled. */
  soon(run: () => void): void;
  after(ms: number, run: () => void): unknown;
  clear(timer: unknown): void;
  /** Blocks this thread's event loop. */
  stall(ms: number): void;
}

/** The event loop that this thread runs on. */
export function realLoop(): Loop {
  const originNs = process.hrtime.bigint();
  return {
    originNs,
    nowNs: () => Number(process.hrtime.bigint() - originNs),
    wallClock: () => new Date(),
    soon: (run) => void setImmediate(run),
    // A longer wait would fire at once; whoever waits that long looks at the clock when woken.
    after: (ms, run) => setTimeout(run, Math.min(ms, 2 ** 31 - 1)),
    clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
    stall: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  };
}
