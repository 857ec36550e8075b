import type { RunResult } from '../result/result.js';
import type { RunningTarget } from '../target/start-target.js';
import type { VersusResources } from './versus-result.js';

const everyMs = 250;

/** Watches what a target uses from before its sessions are opened to after its last answer. */
export class ResourceWatch {
  private readonly idleBytes: number | null;
  private openBytes = 0;
  private peakBytes = 0;
  private processes = 0;
  private startCpuMs: number | null = null;
  private lastCpuMs = 0;
  private readonly timer: NodeJS.Timeout;

  /** The target is ready and idle. */
  constructor(private readonly target: Pick<RunningTarget, 'usage'>) {
    this.idleBytes = this.sample(true);
    this.timer = setInterval(() => this.sample(), everyMs);
    this.timer.unref();
  }

  /** All sessions are open, and no call has been made. */
  sessionsOpen(): void {
    this.openBytes = this.sample(true) ?? 0;
    this.startCpuMs = this.lastCpuMs;
  }

  /** The last call is answered; null where the target is not ours to watch, or the load never began. */
  end({ sessions, totals, warmup }: RunResult): VersusResources | null {
    this.sample();
    if (this.idleBytes === null || this.startCpuMs === null) return null;
    const answered = totals.outcomes.ok + warmup.outcomes.ok;
    return {
      cpuMs: this.lastCpuMs - this.startCpuMs,
      cpuCalls: answered,
      idleBytes: this.idleBytes,
      openBytes: this.openBytes,
      peakBytes: this.peakBytes,
      sessions: sessions.peakReady,
      processes: this.processes,
    };
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(exact = false): number | null {
    const usage = this.target.usage(exact);
    if (usage === null) return null;
    this.peakBytes = Math.max(this.peakBytes, usage.rssBytes);
    this.processes = Math.max(this.processes, usage.processes);
    this.lastCpuMs = usage.cpuMs;
    return usage.rssBytes;
  }
}
