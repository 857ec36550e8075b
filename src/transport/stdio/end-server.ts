import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf } from '../../machine/descendants.js';
import { ProcessTree } from '../../machine/process-tree.js';
import type { PipeCounts } from '../traffic.js';
import type { ServerPipes } from './server-pipes.js';

// As the SDKs' clients wait.
const stageMs = 2000;
// What a server has started notices the end of its pipes a little later than the server.
const othersMs = 200;
const lookMs = 10;

/**
 * Ends a server as the specification says: its input ends, then SIGTERM, then SIGKILL, each where the one before has not helped; then whoever
 * came from it and is still there. `atOnce`: all its pipes break.
 */
export async function endServer(pipes: ServerPipes, atOnce: boolean, counts: PipeCounts): Promise<void> {
  const { pid } = pipes;
  if (pid === null) return pipes.leave(atOnce);
  if (pipes.outcome !== null) counts.died++;
  const others = new Others(pid);
  pipes.leave(atOnce);
  if (!(await endsWithin(pipes, stageMs))) {
    counts.survivedEof++;
    others.signal('SIGTERM');
    if (!(await endsWithin(pipes, stageMs))) {
      counts.killed++;
      others.signal('SIGKILL');
      await endsWithin(pipes, stageMs);
    }
  }
  if (!(await others.goneWithin(othersMs))) {
    counts.leftOthers++;
    others.signal('SIGTERM');
    if (!(await others.goneWithin(stageMs))) others.signal('SIGKILL');
  }
  pipes.release();
}

/** A server's group, and those that came from it and left the group. */
class Others {
  private readonly tree: ProcessTree;
  private readonly strayed: boolean;

  constructor(private readonly pid: number) {
    // Once their parents are gone nobody knows whose they were.
    const offspring = descendantsOf(pid);
    this.strayed = offspring.length > 0;
    this.tree = ProcessTree.from(offspring, pid);
  }

  signal(name: NodeJS.Signals): void {
    signal(-this.pid, name);
    if (this.strayed) for (const each of this.tree.members() ?? []) signal(each, name);
  }

  async goneWithin(limitMs: number): Promise<boolean> {
    for (const end = performance.now() + limitMs; performance.now() < end; await delay(lookMs))
      if (this.areGone()) return true;
    return this.areGone();
  }

  // Reading all processes takes time, and mostly nobody is left.
  private areGone(): boolean {
    const groupLeft = signal(-this.pid, 0);
    if (!groupLeft && !this.strayed) return true;
    // The dead whom nobody has waited for still take signals.
    const left = this.tree.members();
    return left === null ? !groupLeft : left.length === 0;
  }
}

async function endsWithin(pipes: ServerPipes, limitMs: number): Promise<boolean> {
  const abort = new AbortController();
  const limit = delay(limitMs, undefined, { signal: abort.signal }).catch(() => undefined);
  await Promise.race([pipes.exited, limit]);
  abort.abort();
  return pipes.outcome !== null;
}

/** Sends a signal to a process, or to a group by its negative id; false where nobody is left to get it. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
