import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ServerProcess } from './server-process.js';

const megabyte = 1024 * 1024;

// A parent that starts a child, which holds 64 MB, burns CPU for a known time, and starts a child in a session of its own.
const grandchild = `console.log('grandchild'); setInterval(() => {}, 1000)`;
const child = `
  const held = Buffer.alloc(${64 * megabyte}, 1);
  const start = process.cpuUsage();
  for (;;) { const { user, system } = process.cpuUsage(start); if (user + system > 400_000) break; }
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit', detached: true });
  setInterval(() => held[0]++, 1000);
`;
const parent = `
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' });
  setInterval(() => {}, 1000);
`;

const hasProc = existsSync('/proc/self/stat');

test.runIf(hasProc)('the whole tree counts: children, and theirs in sessions of their own', async () => {
  const server = new ServerProcess({ command: [process.execPath, '-e', parent], cwd: '.', env: process.env });
  const tree = server.tree!;
  try {
    await expect.poll(() => server.lastWords(), { timeout: 30_000 }).toContain('grandchild');
    const usage = tree.read()!;
    expect(usage.processes).toBe(3);
    // Ticks are 10 ms, so that the count may lag by one for each of user and system.
    expect(usage.cpuMs).toBeGreaterThanOrEqual(380);
    expect(usage.rssBytes).toBeGreaterThan(64 * megabyte);
    expect(tree.read(true)!.rssBytes).toBeGreaterThan(64 * megabyte);
    expect(tree.read()!.cpuMs).toBeGreaterThanOrEqual(usage.cpuMs);
  } finally {
    await server.stop();
  }
  // The grandchild had left the group, and yet it is gone, too.
  await expect.poll(() => server.tree!.members()).toEqual([]);
});

test.runIf(hasProc)('nobody left is nothing', async () => {
  const server = new ServerProcess({ command: ['true'], cwd: '.', env: process.env });
  expect(await server.ended).toBe('exit code 0');
  await server.stop();
  expect(server.tree!.read()).toBeNull();
});

test('what cannot be started says so, and stopping it is nothing', async () => {
  const server = new ServerProcess({ command: ['/no/such/program'], cwd: '.', env: {} });
  expect(await server.ended).toMatch(/^cannot be started: .*ENOENT/);
  await server.stop();
  expect(server.pid).toBeNull();
});

test.runIf(hasProc)('what does not listen to SIGTERM is killed', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)`;
  const server = new ServerProcess({
    command: [process.execPath, '-e', stubborn],
    cwd: '.',
    env: process.env,
  });
  await expect.poll(() => server.lastWords(), { timeout: 30_000 }).toBe('ready');
  await server.stop();
  expect(server.outcome).toBe('killed by SIGKILL');
});
