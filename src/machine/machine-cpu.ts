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
  readonly machineBusyMs: number | null;
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

const unknown: CpuShares = { othersShare: null, targetShare: null, stolenShare: null };

/** Says whose the machine's CPU was, as closely in time as it was asked to look: ours, the target's, or somebody else's. */
export class MachineCpu {
  private readonly readings: Reading[] = [];
  private stopped = false;

  /** `targetCpuMs` reads the CPU of a target that was started here; null where none was. */
  constructor(private readonly targetCpuMs: (() => number | null) | null) {}

  /** The measurement begins. */
  start(): void {
    this.readings.push(this.take());
  }

  /** Looks, so that stretches of time which begin or end about now can be told apart. */
  look(): void {
    if (this.readings.length > 0 && !this.stopped) this.readings.push(this.take());
  }

  /** Nothing after this counts. */
  stop(): void {
    this.look();
    this.stopped = true;
  }

  /** Between two moments since the start, as far as it looked about then; over all of the time where that is too short to tell. */
  within(fromMs: number, toMs: number): CpuShares {
    const { readings } = this;
    if (readings.length === 0) return unknown;
    this.look();
    const zeroNs = readings[0]!.atNs;
    const near = (ms: number): Reading =>
      readings.reduce((best, each) =>
        Math.abs(each.atNs - zeroNs - ms * 1e6) < Math.abs(best.atNs - zeroNs - ms * 1e6) ? each : best,
      );
    return (
      sharesBetween(near(fromMs), near(toMs)) ?? sharesBetween(readings[0]!, readings.at(-1)!) ?? unknown
    );
  }

  private take(): Reading {
    const own = process.cpuUsage();
    return {
      atNs: nowNs(),
      machineBusyMs:
        coreTimes()?.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0) ?? null,
      stolenMs: stolenCpuMs(),
      ownMs: (own.user + own.system) / 1000,
      targetMs: this.targetCpuMs?.() ?? null,
    };
  }
}

/** null where there is too little time between the two. */
function sharesBetween(first: Reading, last: Reading): CpuShares | null {
  const elapsedMs = (last.atNs - first.atNs) / 1e6;
  if (elapsedMs < shortestMs) return null;
  const spent = (pick: (reading: Reading) => number | null): number | null => {
    const [before, after] = [pick(first), pick(last)];
    return before === null || after === null ? null : after - before;
  };
  const targetMs = spent((reading) => reading.targetMs);
  const busyMs = spent((reading) => reading.machineBusyMs);
  const stolenMs = spent((reading) => reading.stolenMs);
  const ownMs = last.ownMs - first.ownMs;
  const cores = coreTimes()?.length ?? os.availableParallelism();
  return {
    othersShare: busyMs === null ? null : Math.max(0, (busyMs - ownMs - (targetMs ?? 0)) / elapsedMs / cores),
    stolenShare: stolenMs === null ? null : Math.max(0, stolenMs / elapsedMs / cores),
    targetShare: targetMs === null ? null : Math.max(0, targetMs / elapsedMs),
  };
}

// Node throws where it cannot read them: in the middle of a run there may be no descriptor left.
function coreTimes(): os.CpuInfo['times'][] | null {
  try {
    return os.cpus().map(({ times }) => times);
  } catch {
    return null;
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
