// Which servers of the fleet run, whoever started them: one small file each under the fleet's home.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, stopGroup } from './process-group.mjs';

/** Notes that a server runs; the function returned takes the note away again. */
export function noteRunning({ home }, { name, mode, pid, url }) {
  mkdirSync(join(home, 'run'), { recursive: true });
  const note = join(home, 'run', `${name}-${pid}.json`);
  writeFileSync(note, JSON.stringify({ name, mode, pid, url, identity: identityOf(pid) }));
  return () => rmSync(note, { force: true });
}

/** The running instances of a server: `{ mode, pid, url }` each. */
export function runningOf({ home }, name) {
  const folder = join(home, 'run');
  if (!existsSync(folder)) return [];
  const found = [];
  for (const file of readdirSync(folder)) {
    const entry = readNote(join(folder, file));
    if (entry?.name !== name) continue;
    // Another process may have the number by now: what cannot be recognised is never signalled.
    const same = entry.identity !== undefined && identityOf(entry.pid) === entry.identity;
    if (same) found.push({ mode: entry.mode, pid: entry.pid, url: entry.url });
    else rmSync(join(folder, file), { force: true });
  }
  return found;
}

// A note may vanish or be half written while another process starts or stops its servers.
function readNote(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Ends every running instance of a server and returns how many there were. */
export async function stopRunning(fleet, name) {
  const instances = runningOf(fleet, name);
  await Promise.all(instances.map(({ pid }) => stopGroup(pid)));
  for (const { pid } of instances) rmSync(join(fleet.home, 'run', `${name}-${pid}.json`), { force: true });
  return instances.length;
}
