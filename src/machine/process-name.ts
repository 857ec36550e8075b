import { readFileSync } from 'node:fs';

/** What the system calls a process: `node`, or `docker-proxy`, which is not the server; '' where it does not say. */
export function processName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
