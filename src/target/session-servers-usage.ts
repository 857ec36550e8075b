import type { TargetResources } from '../result/result.js';
import { endedChildrenCpuMs } from '../machine/ended-children.js';
import { processName } from '../machine/process-name.js';
import { ProcessTree } from '../machine/process-tree.js';

/** What servers use that are processes of ours, one for each session: those that have ended, too, and all that came from them. */
export class SessionServersUsage {
  private readonly endedBeforeMs = endedChildrenCpuMs() ?? 0;
  private firstMs: number | null = null;
  private lastMs = 0;
  private peakBytes = 0;
  private sessions = 0;
  private processes = 0;
  private pids: readonly number[] = [];
  private name = '';

  /** `alive`: those that have been started and have not ended. */
  constructor(private readonly alive: () => readonly number[]) {}

  /** CPU so far, in milliseconds; null where the system does not tell. */
  cpuMs(): number | null {
    const pids = this.alive();
    const tree = ProcessTree.from(pids);
    const usage = tree.read();
    // What ends between this and the next is in neither, until the next look.
    const ended = endedChildrenCpuMs();
    const aliveMs = tree.cpuMs();
    if (ended === null || (usage === null && this.firstMs === null)) return null;
    if (pids.length > 0 && this.name === '') this.name = processName(pids[0]!);
    this.lastMs = Math.max(this.lastMs, ended - this.endedBeforeMs + aliveMs);
    this.firstMs ??= this.lastMs;
    if (usage !== null && usage.rssBytes > this.peakBytes) {
      this.peakBytes = usage.rssBytes;
      this.sessions = pids.length;
      this.pids = [...pids];
    }
    this.processes = Math.max(this.processes, usage?.processes ?? 0);
    return this.lastMs;
  }

  /** From the first look to the last; null where it was never looked at. */
  resources(): TargetResources | null {
    const { firstMs, lastMs, peakBytes, sessions, processes, name } = this;
    if (firstMs === null) return null;
    return {
      found: 'started',
      pids: [...this.pids],
      name,
      cpuMs: lastMs - firstMs,
      peakBytes,
      processes,
      sessions,
      startCpuMs: firstMs,
    };
  }
}
