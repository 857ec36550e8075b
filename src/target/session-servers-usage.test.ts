import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { SessionServersUsage } from './session-servers-usage.js';

const busy =
  'let x = 0; while (process.cpuUsage().user < 100_000) x++; console.log("done"); process.stdin.resume();';

test.skipIf(!existsSync('/proc/self/stat'))(
  'CPU of a server counts from its start on, and on after its end [needs /proc]',
  async () => {
    const pids: number[] = [];
    const usage = new SessionServersUsage(() => pids);
    expect(usage.cpuMs()).toBeNull();
    expect(usage.resources()).toBeNull();
    const servers = [0, 1].map(() =>
      spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'pipe', 'inherit'], detached: true }),
    );
    pids.push(...servers.map(({ pid }) => pid!));
    await Promise.all(servers.map(({ stdout }) => once(createInterface(stdout), 'line')));
    const startMs = usage.cpuMs()!;
    expect(startMs).toBeGreaterThanOrEqual(190);
    for (const server of servers) {
      server.stdin.end();
      await once(server, 'exit');
      pids.shift();
      expect(usage.cpuMs()).toBeGreaterThanOrEqual(startMs);
    }
    expect(usage.resources()).toMatchObject({
      found: 'started',
      pids: servers.map(({ pid }) => pid),
      processes: 2,
      sessions: 2,
      startCpuMs: startMs,
    });
    expect(usage.resources()!.cpuMs).toBeLessThan(startMs);
    expect(usage.resources()!.peakBytes).toBeGreaterThan(4e7);
  },
);
