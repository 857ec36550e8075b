import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TargetUsage } from './target-usage.js';

test.skipIf(!existsSync('/proc/self/stat'))(
  'of a process that has died it is still known what it was called and what it used [needs /proc]',
  async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const usage = TargetUsage.of({ started: undefined, named: child.pid }, { ip: null, port: null })!;
    expect(usage.cpuMs()).not.toBeNull();
    expect(usage.resources()!.ended).toBeUndefined();
    child.kill('SIGKILL');
    await ended;
    expect(usage.cpuMs()).toBeNull();
    const { name, pids, peakBytes, ended: left } = usage.resources()!;
    expect({ pids, ended: left }).toEqual({ pids: [child.pid], ended: true });
    expect(name).toMatch(/^(node|MainThread)$/);
    expect(peakBytes).toBeGreaterThan(1e6);
  },
);
