import { readFileSync } from 'node:fs';
import os from 'node:os';
import { nowNs } from '../clock.js';

/** CPU time used so far, in milliseconds, by whom; null where this system does not tell. */
interface Reading {
  readonly atNs: number;
  readonly machineBusyMs: number;
  readonly ownMs: number;
  readonly targetMs: number | null;
}

/** Says whose the machine's CPU was between `start` and `read`: ours, the target's, or somebody else's. */
export class MachineCpu {
  private first: Reading | null = null;

  /** `targetPid` is that of a target that this run started itself. */
  constructor(private readonly targetPid: number | null) {}

  start(): void {
    this.first = this.take();
  }

  read(): { othersShare: number | null; targetShare: number | null } {
    const { first } = this;
    if (first === null) return { othersShare: null, targetShare: null };
    const now = this.take();
    const elapsedMs = (now.atNs - first.atNs) / 1e6;
    const targetMs = now.targetMs === null || first.targetMs === null ? null : now.targetMs - first.targetMs;
    const othersMs = now.machineBusyMs - first.machineBusyMs - (now.ownMs - first.ownMs) - (targetMs ?? 0);
    const clamp = (share: number): number => Math.max(0, share);
    return {
      othersShare: clamp(othersMs / elapsedMs / os.cpus().length),
      targetShare: targetMs === null ? null : clamp(targetMs / elapsedMs),
    };
  }

  private take(): Reading {
    const machineBusyMs = os
      .cpus()
      .reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
    const { user, system } = process.cpuUsage();
    return {
      atNs: nowNs(),
      machineBusyMs,
      ownMs: (user + system) / 1000,
      targetMs: this.targetPid === null ? null : processCpuMs(this.targetPid),
    };
  }
}

/** CPU that a process has used, in milliseconds; Linux only, else null. */
export function processCpuMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name, in brackets, may hold anything; what follows is counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Clock ticks are 10 ms on every Linux that Node runs on.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}
