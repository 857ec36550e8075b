import { execFileSync } from 'node:child_process';
import os from 'node:os';
import type { Environment } from './result.js';

/** What this machine is, for the result: `git` describes the folder the run was started in, where that is a checkout. */
export function describeEnvironment(run: {
  workers: number;
  pacing: 'spin' | 'timer';
  tags: Readonly<Record<string, string>>;
  cwd?: string;
}): Environment {
  return {
    node: process.version,
    cpu: os.cpus()[0]?.model.replace(/\s+/g, ' ').trim() || 'unknown',
    cores: os.availableParallelism(),
    memoryBytes: memoryBytes(),
    os: `${os.type()} ${os.release()} ${os.arch()}`,
    git: gitDescription(run.cwd ?? process.cwd()),
    hostname: os.hostname(),
    workers: run.workers,
    pacing: run.pacing,
    tags: { ...run.tags },
  };
}

/** In a container the limit counts, not the machine; without one Node says 0 or an absurdly large number. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}

function gitDescription(cwd: string): string | null {
  try {
    const text = execFileSync('git', ['describe', '--always', '--tags', '--dirty'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5000,
    });
    return text.trim() || null;
  } catch {
    return null;
  }
}
