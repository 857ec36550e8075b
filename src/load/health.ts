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
  private startNs = 0;
  private busyAtStartNs = 0;
  private threadAtStart: ThreadTimes | null = null;
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

  /** From here on it counts. */
  start(): void {
    this.startNs = nowNs();
    this.busyAtStartNs = this.turn.busyNs;
    this.turn.longestNs = 0;
    this.longestGcNs = 0;
    this.gcNs = 0;
    this.threadAtStart = readThreadTimes();
    this.observer.observe({ entryTypes: ['gc'] });
    this.delay.enable();
  }

  read(): ShardHealth {
    this.observer.disconnect();
    this.delay.disable();
    const thread = readThreadTimes();
    const before = this.threadAtStart;
    return {
      busyNs: this.turn.busyNs - this.busyAtStartNs,
      elapsedNs: nowNs() - this.startNs,
      longestTurnNs: this.turn.longestNs,
      longestGcNs: Math.round(this.longestGcNs),
      gcNs: Math.round(this.gcNs),
      cpuNs: thread && before ? thread.cpuNs - before.cpuNs : null,
      waitedForCpuNs: thread && before ? thread.waitedNs - before.waitedNs : null,
      // The monitor reports the whole distance between its timer's firings.
      loopDelayP99Ns: Math.max(0, this.delay.percentile(99) - delayResolutionMs * 1e6),
      spinning: this.spinning,
    };
  }
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
