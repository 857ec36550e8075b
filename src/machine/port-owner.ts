import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { isIP } from 'node:net';

/**
 * The processes that listen on a port of this machine, read from /proc; none where the address is another machine's, the system does not
 * tell, or they belong to somebody whose open files we may not see.
 */
export function portOwners(ip: string, port: number): number[] {
  if (!isOurs(ip)) return [];
  const inodes = new Set(['tcp', 'tcp6'].flatMap((table) => listeningInodes(table, port)));
  if (inodes.size === 0) return [];
  return entriesOf('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => holdsAny(pid, inodes))
    .map(Number);
}

function isOurs(ip: string): boolean {
  if (isIP(ip) === 0) return false;
  if (ip.startsWith('127.') || ip === '::1' || ip === '0.0.0.0' || ip === '::') return true;
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === ip),
  );
}

const listening = '0A';

/** Lines are `sl local_address remote_address state … inode`, addresses `0100007F:1F90` in hexadecimal. */
function listeningInodes(table: string, port: number): string[] {
  return textOf(`/proc/net/${table}`)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local, , state]) => state === listening && Number.parseInt(local?.split(':')[1] ?? '', 16) === port,
    )
    .map((fields) => fields[9] ?? '');
}

function holdsAny(pid: string, inodes: ReadonlySet<string>): boolean {
  return entriesOf(`/proc/${pid}/fd`).some((fd) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`)) ?? [];
    return inode !== undefined && inodes.has(inode);
  });
}

// Processes come and go while we look, and many are not ours to look into.
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
