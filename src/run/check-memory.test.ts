import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkMemory } from './check-memory.js';

test.skipIf(!existsSync('/proc/self/smaps_rollup'))(
  'so many sessions as the memory of the first says are let through, and no more [needs /proc]',
  async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); process.stdin.resume()'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const processes = [child.pid!];
    expect(() => checkMemory(2, processes, 1e12)).not.toThrow();
    expect(() => checkMemory(1, processes, 0), 'the first one is there').not.toThrow();
    expect(() => checkMemory(1001, processes, 1e9)).toThrow(
      /^1001 sessions are 1001 processes, and the first takes \d+ MB of memory for itself: all would need [\d,]+ MB more, and 1,000 MB are available\. Lower --sessions\.$/,
    );
    expect(() => checkMemory(1001, [], 0), 'no process of ours').not.toThrow();
    child.stdin.end();
    await once(child, 'exit');
    expect(() => checkMemory(1001, processes, 0), 'nobody is left to judge by').not.toThrow();
  },
);
