import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { nowNs } from '../clock.js';
import type { Turn } from '../transport/turn.js';
import type { ShardHealth } from './shard-report.js';

const delayResolutionMs = 20;

/** Watches the generator itself: how busy its thread was, its longest turn, its pauses, the cores it had to wait for. */
export class Health {
  private longestGcNs = 0;
  private gcNs = 0;
  private first: Reading | null = null;
  private last: Reading | null = null;
  private readonly delay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  private readonly observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      this.gcNs += duration * 1e6;
      this.longestGcNs = Math.max(this.longestGcNs, duration * 1e6);
    }
  });

  constructor(
    private readonly turn: Turn,
    private readonly spinning: boolean,
  ) {}

  /** Gets ready, which takes its time. */
  watch(): void {
    this.observer.observe({ entryTypes: ['gc'] });
    this.delay.enable();
  }

  /** From here on it counts: what the warm-up took is in none of the figures. */
  begin(): void {
    this.turn.longestNs = 0;
    this.longestGcNs = 0;
    this.gcNs = 0;
    this.delay.reset();
    this.first = this.take();
  }

  /** No more calls are due: a drain that only waits must not make the generator look idle. Pauses count to the last call's end. */
  end(): void {
    this.last = this.take();
  }

  read(): ShardHealth {
    this.observer.disconnect();
    this.delay.disable();
    const { first, last } = this;
    const since = (pick: (reading: Reading) => number): number =>
      first === null || last === null ? 0 : pick(last) - pick(first);
    const known = first !== null && first.thread !== null && last !== null && last.thread !== null;
    return {
      busyNs: since(({ busyNs }) => busyNs),
      elapsedNs: since(({ atNs }) => atNs),
      longestTurnNs: this.turn.longestNs,
      longestGcNs: Math.round(this.longestGcNs),
      gcNs: Math.round(this.gcNs),
      cpuNs: known ? since(({ thread }) => thread!.cpuNs) : null,
      waitedForCpuNs: known ? since(({ thread }) => thread!.waitedNs) : null,
      // The monitor reports the whole distance between its timer's firings.
      loopDelayP99Ns: Math.max(0, this.delay.percentile(99) - delayResolutionMs * 1e6),
      spinning: this.spinning,
    };
  }

  private take(): Reading {
    return { atNs: nowNs(), busyNs: this.turn.busyNs, thread: readThreadTimes() };
  }
}

interface Reading {
  readonly atNs: number;
  readonly busyNs: number;
  /** null where the system does not tell. */
  readonly thread: ThreadTimes | null;
}

interface ThreadTimes {
  readonly cpuNs: number;
  readonly waitedNs: number;
}

// Linux only: time on a core, and time runnable without one, of the thread that asks.
function readThreadTimes(): ThreadTimes | null {
  try {
    const [cpuNs, waitedNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ').map(Number);
    return { cpuNs, waitedNs };
  } catch {
    return null;
  }
}
