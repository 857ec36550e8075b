// One server is one process group: started, recognised again later, and ended as a whole.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Starts a command as the leader of a group of its own, with its output in a file. */
export function spawnGroup({ command, cwd, env, logFile, append = false }) {
  const log = openSync(logFile, append ? 'a' : 'w');
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

/** What tells this process from a later one with the same id, or undefined if it has ended. */
export function identityOf(pid) {
  if (process.platform === 'linux') {
    try {
      const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
      return state === 'Z' ? undefined : rest[18];
    } catch {
      return undefined;
    }
  }
  const done = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

/** Sends a signal to a whole group; false where nobody is left to get it. */
export function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    if (error.code === 'ESRCH' || error.code === 'EPERM') return false;
    throw error;
  }
}

/** Ends a group: SIGTERM, and SIGKILL for what is left of it after the grace period. */
export async function stopGroup(pid, graceMs = 2000) {
  if (!signalGroup(pid, 'SIGTERM')) return;
  if (await groupGone(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await groupGone(pid, 5000);
}

async function groupGone(pid, limitMs) {
  for (const end = performance.now() + limitMs; performance.now() < end; await delay(20))
    if (!signalGroup(pid, 0) || !groupHasLife(pid)) return true;
  return false;
}

// Nobody may be there to reap a dead leader: a group of zombies still takes signals, but it has ended.
function groupHasLife(pid) {
  if (identityOf(pid) !== undefined) return true;
  const done = spawnSync('ps', ['-A', '-o', 'pgid=,stat='], { encoding: 'utf8' });
  if (done.status !== 0) return true;
  return done.stdout.split('\n').some((line) => {
    const [group, state] = line.trim().split(/\s+/);
    return Number(group) === pid && !state.startsWith('Z');
  });
}

let ownGroups;

/** Sees to it that a group ends with this process, until the function returned is called. */
export function endWithProcess(pid) {
  ownGroups ??= endingWithProcess();
  if (pid !== undefined) ownGroups.add(pid);
  return () => ownGroups.delete(pid);
}

// A signal that nobody else listens for would end this process without its exit handlers, and leave the servers behind.
function endingWithProcess() {
  const groups = new Set();
  const killAll = () => {
    for (const pid of groups) signalGroup(pid, 'SIGKILL');
  };
  process.on('exit', killAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const onSignal = () => {
      if (process.listenerCount(signal) > 1) return;
      killAll();
      process.removeListener(signal, onSignal);
      process.kill(process.pid, signal);
    };
    process.on(signal, onSignal);
  }
  return groups;
}
