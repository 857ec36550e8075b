import { readFileSync } from 'node:fs';

/** What a process of this machine may hold open at once. */
export interface MachineLimits {
  /** Descriptors that a process may have open; null where unknown. */
  readonly descriptors: number | null;
  /** Local ports for outgoing connections to one address; null where unknown. */
  readonly ports: number | null;
}

/** The limits of this process on this machine, as far as the system tells them. */
export function readLimits(): MachineLimits {
  return { descriptors: readDescriptors(), ports: readPorts() };
}

function readDescriptors(): number | null {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return line ? Number(line[1]) : null;
  } catch {
    return null;
  }
}

function readPorts(): number | null {
  try {
    const [from, to] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
      .trim()
      .split(/\s+/)
      .map(Number);
    return to - from + 1;
  } catch {
    return null;
  }
}
