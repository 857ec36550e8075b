import { readFileSync } from 'node:fs';
import os from 'node:os';
import { nowNs } from '../clock.js';

// Clock ticks are 10 ms on every Linux that Node runs on.
const msPerTick = 10;
// In less than this a share of ticks says nothing.
const shortestMs = 10 * msPerTick;

/** CPU time used so far, in milliseconds, by whom; null where this system does not tell. */
interface Reading {
  readonly atNs: number;
  readonly machineBusyMs: number;
  readonly stolenMs: number | null;
  readonly ownMs: number;
  readonly targetMs: number | null;
}

/** Whose the machine's CPU was, as shares: of all cores, the target's of one; null where unknown. */
export interface CpuShares {
  readonly othersShare: number | null;
  readonly targetShare: number | null;
  /** Time in which a core was wanted here and the hypervisor ran somebody else on it. */
  readonly stolenShare: number | null;
}

/** Says whose the machine's CPU was between `start` and `stop`, or `read` where that comes first: ours, the target's, or somebody else's. */
export class MachineCpu {
  private first: Reading | null = null;
  private last: Reading | null = null;

  /** `targetCpuMs` reads the CPU of a target that was started here; null where none was. */
  constructor(private readonly targetCpuMs: (() => number | null) | null) {}

  start(): void {
    this.first = this.take();
  }

  stop(): void {
    this.last = this.take();
  }

  read(): CpuShares {
    const { first } = this;
    const unknown = { othersShare: null, targetShare: null, stolenShare: null };
    if (first === null) return unknown;
    const now = this.last ?? this.take();
    const elapsedMs = (now.atNs - first.atNs) / 1e6;
    if (elapsedMs < shortestMs) return unknown;
    const targetMs = now.targetMs === null || first.targetMs === null ? null : now.targetMs - first.targetMs;
    const othersMs = now.machineBusyMs - first.machineBusyMs - (now.ownMs - first.ownMs) - (targetMs ?? 0);
    const stolenMs = now.stolenMs === null || first.stolenMs === null ? null : now.stolenMs - first.stolenMs;
    const clamp = (share: number): number => Math.max(0, share);
    const cores = os.cpus().length;
    return {
      othersShare: clamp(othersMs / elapsedMs / cores),
      stolenShare: stolenMs === null ? null : clamp(stolenMs / elapsedMs / cores),
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
      stolenMs: stolenCpuMs(),
      ownMs: (user + system) / 1000,
      targetMs: this.targetCpuMs?.() ?? null,
    };
  }
}

// Linux only: the eighth figure of the first line, over all cores; Node's own os.cpus() leaves it out.
function stolenCpuMs(): number | null {
  try {
    const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const ticks = Number(total.split(/\s+/)[8]);
    return Number.isFinite(ticks) ? ticks * msPerTick : null;
  } catch {
    return null;
  }
}

/** CPU that a process has used, in milliseconds; Linux only, else null. */
export function processCpuMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name, in brackets, may hold anything; what follows is counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return null;
  }
}
