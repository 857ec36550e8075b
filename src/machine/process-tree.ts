import { readdirSync, readFileSync } from 'node:fs';

/** What a process and all that came from it use. */
export interface TreeUsage {
  /** CPU so far, of the living and of those that they have waited for. */
  readonly cpuMs: number;
  /** Resident memory now; pages that several processes share count in each of them. */
  readonly rssBytes: number;
  readonly processes: number;
}

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** With the pid it tells a process from a later one. */
  readonly startTicks: number;
  readonly cpuTicks: number;
  readonly rssPages: number;
  readonly zombie: boolean;
}

// No session has this number.
const noLeader = -1;
// Clock ticks are 10 ms on every Linux that Node runs on; pages are 4 KiB on most.
const tickMs = 10;
const pageBytes = readPageBytes();

/** Reads, from /proc, what a server uses: the session that its process leads, and all descendants, wherever they went. */
export class ProcessTree {
  /** Members are remembered, so that one whose parent has died still counts. */
  private readonly known = new Map<number, number>();

  constructor(private readonly leader: number) {}

  /** Of processes that somebody else started: these, and their descendants; and all of the session with this leader. */
  static from(pids: readonly number[], leader = noLeader): ProcessTree {
    const tree = new ProcessTree(leader);
    for (const pid of pids) {
      const entry = readProcess(pid);
      if (entry !== null) tree.known.set(pid, entry.startTicks);
    }
    return tree;
  }

  /**
   * null where there is no /proc, or nobody is left. The kernel's running count of resident pages is off by up to some hundred a
   * process; `exact` counts them, which takes milliseconds in which the server cannot map memory.
   */
  read(exact = false): TreeUsage | null {
    const all = readProcesses();
    if (all === null) return null;
    const members = this.membersOf(all).filter(({ zombie }) => !zombie);
    if (members.length === 0) return null;
    const cpuTicks = members.reduce((sum, { cpuTicks: ticks }) => sum + ticks, 0);
    const rssBytes = members.reduce(
      (sum, { pid, rssPages }) => sum + ((exact ? countedRss(pid) : null) ?? rssPages * pageBytes),
      0,
    );
    return { cpuMs: cpuTicks * tickMs, rssBytes, processes: members.length };
  }

  /** CPU so far, of those too that have ended and whose parent has not noticed it. */
  cpuMs(): number {
    return this.membersOf(readProcesses() ?? []).reduce((sum, { cpuTicks }) => sum + cpuTicks, 0) * tickMs;
  }

  /** Memory that they share with nobody; null where the system does not tell, or nobody is left. */
  privateBytes(): number | null {
    const sizes = (this.members() ?? []).map(privateBytesOf);
    return sizes.length === 0 || sizes.includes(null)
      ? null
      : sizes.reduce<number>((sum, size) => sum + size!, 0);
  }

  /** The ids of all that are alive; null where there is no /proc. */
  members(): number[] | null {
    const all = readProcesses();
    if (all === null) return null;
    return this.membersOf(all)
      .filter(({ zombie }) => !zombie)
      .map(({ pid }) => pid);
  }

  private membersOf(all: readonly ProcessEntry[]): ProcessEntry[] {
    const isKnown = ({ pid, startTicks }: ProcessEntry): boolean => this.known.get(pid) === startTicks;
    const members = new Map<number, ProcessEntry>();
    const waiting = all.filter((entry) => entry.session === this.leader || isKnown(entry));
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      const { pid } = entry;
      if (members.has(pid)) continue;
      members.set(pid, entry);
      waiting.push(...all.filter(({ parent }) => parent === pid));
    }
    for (const { pid, startTicks } of members.values()) this.known.set(pid, startTicks);
    return [...members.values()];
  }
}

function readProcesses(): ProcessEntry[] | null {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return null;
  }
  const found = names.map((name) => readProcess(Number(name))).filter((entry) => entry !== null);
  return found.length === 0 ? null : found;
}

function readProcess(pid: number): ProcessEntry | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The command's name, in brackets, may hold anything; what follows is counted from its end: state, ppid, pgrp, session, …
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const number = (at: number): number => Number(fields[at]);
  return {
    pid,
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    parent: number(1),
    session: number(3),
    cpuTicks: number(11) + number(12) + number(13) + number(14),
    startTicks: number(19),
    rssPages: number(21),
  };
}

function countedRss(pid: number): number | null {
  try {
    const found = /^Rss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return found === null ? null : Number(found[1]) * 1024;
  } catch {
    return null;
  }
}

function privateBytesOf(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const found = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)];
    return found.length === 0
      ? null
      : found.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
  } catch {
    return null;
  }
}

function readPageBytes(): number {
  try {
    const found = /^KernelPageSize:\s+(\d+) kB/m.exec(readFileSync('/proc/self/smaps', 'utf8'));
    return found === null ? 4096 : Number(found[1]) * 1024;
  } catch {
    return 4096;
  }
}
