import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { expect, test, vi } from 'vitest';
import { serveMock } from '../../../mock-server/serve-mock.js';
import type { CeilingReport } from '../../ceiling/ceiling-report.js';
import { mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = tmpdir();

test.each(['classic', 'pymcp'] as const)('puts POSTs beside calls: %s', async (dialect) => {
  const mock = await serveMock({ dialect });
  const args = [
    'ceiling',
    mock.url,
    '--duration',
    '500ms',
    '--connections',
    '4',
    '--sessions',
    '2',
    '--json',
  ];
  const { code, stdout, stderr } = await mcpBench(args, { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { flood, calls, backlogMs, ...report } = JSON.parse(stdout) as CeilingReport;
  const { posts, sessions, calls: seen } = await mock.stats();
  await mock.close();
  expect(report).toMatchObject({ dialect, sessions: 2, server: expect.stringContaining('mock') as string });
  expect(flood.accepted).toBeGreaterThan(0);
  expect(flood.refused).toEqual({});
  expect(flood.errors).toBe(0);
  expect(posts.received).toBeGreaterThan(flood.accepted + calls.ok);
  expect(backlogMs).toBeGreaterThan(0);
  expect(calls).toMatchObject({ tool: 'echo', failed: 0 });
  expect(calls.ok).toBeGreaterThan(0);
  expect(seen.received).toBeGreaterThanOrEqual(calls.ok);
  expect(sessions.opened).toBe(sessions.closedByClient);
});

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal);

test.skipIf(!outside)(
  'a server elsewhere is not flooded unless told [needs an outside IPv4 address]',
  async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await mcpBench(['ceiling', `http://${outside!.address}:${port}/sse`], { cwd });
    server.close();
    expect(code).toBe(2);
    expect(stderr).toMatch(/is not on this machine .*--yes/);
  },
);
