import type { TargetResources } from '../result/result.js';
import { portOwners } from '../machine/port-owner.js';
import { processName } from '../machine/process-name.js';
import { ProcessTree, type TreeUsage } from '../machine/process-tree.js';

/** What a server on this machine uses: one that we started, one whose process was named, or whoever listens on its port. */
export class TargetUsage {
  private readonly tree: ProcessTree;
  private first: TreeUsage | null = null;
  private last: TreeUsage | null = null;
  private peakBytes = 0;
  private processes = 0;
  private ended = false;
  /** Read at once: a target that dies takes it along. */
  private readonly name: string;

  private constructor(
    private readonly pids: readonly number[],
    private readonly found: TargetResources['found'],
  ) {
    this.tree = ProcessTree.from(pids);
    this.name = pids.length > 0 ? processName(pids[0]!) : '';
  }

  /** null where there is no such process on this machine, or the system does not tell. */
  static of(
    given: { started: number | undefined; named: number | undefined },
    address: { ip: string | null; port: number | null },
  ): TargetUsage | null {
    const { started, named } = given;
    const usage =
      started !== undefined
        ? new TargetUsage([started], 'started')
        : named !== undefined
          ? new TargetUsage([named], 'named')
          : address.ip !== null && address.port !== null
            ? new TargetUsage(portOwners(address.ip, address.port), 'port')
            : null;
    return usage !== null && usage.pids.length > 0 && usage.tree.read() !== null ? usage : null;
  }

  /** CPU so far, in milliseconds; null once nobody is left. */
  cpuMs(): number | null {
    const usage = this.tree.read();
    this.ended = usage === null;
    if (usage === null) return null;
    this.first ??= usage;
    this.last = usage;
    this.peakBytes = Math.max(this.peakBytes, usage.rssBytes);
    this.processes = Math.max(this.processes, usage.processes);
    return usage.cpuMs;
  }

  /** From the first look to the last; null where it was never looked at. */
  resources(): TargetResources | null {
    if (this.first === null || this.last === null) return null;
    return {
      found: this.found,
      pids: [...this.pids],
      name: this.name,
      cpuMs: this.last.cpuMs - this.first.cpuMs,
      peakBytes: this.peakBytes,
      processes: this.processes,
      ...(this.ended ? { ended: true } : {}),
    };
  }
}
