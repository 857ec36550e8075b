import { readFileSync } from 'node:fs';

/** Resident memory of a process in bytes; throws where the system has no /proc. */
export function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (found === null) throw new Error(`/proc/${pid}/status tells no VmRSS`);
  return Number(found[1]) * 1024;
}
