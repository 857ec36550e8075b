import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readResult } from '../../result/read-result.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { mcpBench } from '../fixtures/command.fixture.js';
import { play } from '../fixtures/play.js';
import { McpServer } from '../fixtures/scripted-mcp.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const calls = (message: string): Partial<ScenarioInput> => ({
  calls: [{ tool: 'echo', arguments: { message }, expect: 'echo' }],
});

test.each<[string, Partial<ScenarioInput>]>([
  ['ASCII', calls('{{seq}} {{hex 8}}')],
  ['text of several bytes a letter', calls('{{seq}} Zoë 漢字 🦀')],
  ['bodies of ten thousand bytes', calls('{{string 9999}}')],
  ['several messages in one write', { ...calls('{{seq}} ü'), posts: { mode: 'pipelined', connections: 1 } }],
  ['shared connections', { ...calls('{{seq}} {{hex 8}}'), posts: { mode: 'shared', connections: 2 } }],
])('every byte is counted, in and out: %s', async (_, scenario) => {
  const { result, server } = await play(
    {},
    { ...scenario, sessions: 2, load: { model: 'count', calls: 30, inFlight: 3 } },
  );
  const { totals, warmup } = result;
  const sockets = server.wire.connections.map(({ socket }) => socket);
  const sum = (pick: 'bytesRead' | 'bytesWritten'): number =>
    sockets.reduce((bytes, socket) => bytes + socket[pick], 0);
  expect(warmup.bytesOut! + totals.bytesOut).toBe(sum('bytesRead'));
  expect(warmup.bytesIn! + totals.bytesIn).toBe(sum('bytesWritten'));
});

test('traffic is that of the measurement: neither of the opening nor of the warm-up', async () => {
  const readByCall: number[] = [];
  const { result } = await play(
    {
      onCall: (post, server) => {
        readByCall[post.n] = server.wire.connections.reduce((sum, { socket }) => sum + socket.bytesRead, 0);
        server.serve(post);
      },
    },
    { warmup: '300ms', load: { model: 'closed' }, duration: '200ms' },
  );
  const { totals, warmup } = result;
  expect(warmup.sent).toBeGreaterThan(1);
  expect(totals.sent).toBeGreaterThan(1);
  const readBefore = readByCall[warmup.sent - 1]!;
  expect(warmup.bytesOut).toBe(readBefore);
  expect(totals.bytesOut).toBe(readByCall.at(-1)! - readBefore);
  const inIntervals = result.intervals.reduce((sum, each) => sum + each.totals.bytesOut, 0);
  expect(totals.bytesOut, 'the intervals add up to it').toBe(inIntervals);
});

test('startedAt is when the measurement began: behind the opening and the warm-up', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-measured-'));
  const warmupMs = 700;
  let initializedAtMs = 0;
  const calledAtMs: number[] = [];
  const server = await McpServer.listen({
    onInitialized: (post) => {
      initializedAtMs = Date.now();
      post.connection.write('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n');
    },
    onCall: (post) => {
      // Which tools there are is asked before.
      if (post.message.method === 'tools/call') calledAtMs.push(Date.now());
      server.serve(post);
    },
  });
  try {
    writeFileSync(
      join(cwd, 's.yaml'),
      `sessions: 1\nwarmup: ${warmupMs}ms\nload: { model: closed, think: 20ms }\nduration: 500ms\ncalls: [{ tool: echo }]\n`,
    );
    const { code } = await mcpBench(['run', 's.yaml', '--target', server.url, '--out', 's.json', '-q'], {
      cwd,
    });
    expect(code).toBe(0);
    const result = readResult(join(cwd, 's.json'));
    const startedAtMs = Date.parse(result.startedAt);
    // Both clocks are the wall's, in whole milliseconds: rounded, they may differ by one.
    expect(startedAtMs - warmupMs).toBeGreaterThanOrEqual(initializedAtMs - 1);
    expect(startedAtMs - warmupMs).toBeLessThanOrEqual(calledAtMs[0]! + 1);
    expect(startedAtMs).toBeLessThanOrEqual(calledAtMs[result.warmup.sent]! + 1);
  } finally {
    await server.close();
    rmSync(cwd, { recursive: true });
  }
});
