import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { readResult } from '../../result/read-result.js';
import { serveSdkSse, serveSdkStreamable } from '../../probe/sdk-server.fixture.js';
import type { VersusResult } from '../../versus/versus-result.js';
import { mcpBench } from '../fixtures/command.fixture.js';
import { answer } from '../fixtures/scripted-mcp.js';
import { ScriptedServer } from '../fixtures/scripted-server.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-transports-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

writeFileSync(
  join(cwd, 'ping.yaml'),
  'sessions: 1\nload: { model: count, calls: 3 }\ncalls: [{ method: ping }]\nworkers: 1\n',
);
writeFileSync(
  join(cwd, 'echo.yaml'),
  'sessions: 1\nload: { model: count, calls: 3 }\ncalls: [{ tool: echo, arguments: { message: hi } }]\nworkers: 1\n',
);

const commands: Readonly<Record<string, (url: string) => string[]>> = {
  run: (url) => ['run', 'ping.yaml', '--target', url],
  probe: (url) => ['probe', url, '--listen', '0s'],
  init: (url) => ['init', url, '--out', '-'],
  ceiling: (url) => ['ceiling', url, '--duration', '100ms'],
  calibrate: (url) => [
    'calibrate',
    'ping.yaml',
    '--target',
    url,
    '--no-ceiling',
    '--out',
    'calibration.json',
  ],
};
const make = (): McpServer => new McpServer({ name: 's', version: '1' });

describe.each(Object.entries(commands))('%s', (_, wordsFor) => {
  test('says what the server speaks where another transport is named', async () => {
    const streamable = await serveSdkStreamable(make, true);
    const sse = await serveSdkSse(make);
    closing.push(streamable.close, sse.close);
    const [atStreamable, atSse] = await Promise.all([
      mcpBench([...wordsFor(streamable.url), '--transport', 'sse'], { cwd }),
      mcpBench([...wordsFor(sse.url), '--transport', 'streamable'], { cwd }),
    ]);
    expect(atStreamable.stderr).toContain(
      `${streamable.url}: this server speaks Streamable HTTP 2025-11-25: use --transport streamable`,
    );
    expect(atStreamable.code).toBe(1);
    expect(atSse.stderr).toContain(`${sse.url}: this server speaks HTTP+SSE: use --transport sse`);
    expect(atSse.code).toBe(1);
  });

  test('refuses a transport that there is not', async () => {
    const { code, stderr } = await mcpBench(
      [...wordsFor('http://127.0.0.1:9/mcp'), '--transport', 'streamable-http'],
      { cwd },
    );
    expect(stderr).toMatch(/^mcp-bench: --transport: expected .*; did you mean "streamable"\?\n$/);
    expect(code).toBe(2);
  });

  test('says that a token is missing', async () => {
    const server = await ScriptedServer.listen(({ connection }) => connection.write(answer(401)));
    closing.push(() => server.close());
    const { code, stderr } = await mcpBench(wordsFor(`${server.origin}/mcp`), { cwd });
    expect(stderr).toMatch(/no session with .*answered 401.*Does it need a token/);
    expect(code).toBe(1);
  });
});

test('versus says of each target what it speaks where another transport is named', async () => {
  const streamable = await serveSdkStreamable(make, true);
  const sse = await serveSdkSse(make);
  closing.push(streamable.close, sse.close);
  const targets = [
    { name: 'streamable', url: streamable.url, transport: 'sse' },
    { name: 'sse', url: sse.url, transport: 'streamable' },
  ];
  writeFileSync(join(cwd, 'targets.yaml'), JSON.stringify({ targets }));
  const words = ['versus', 'targets.yaml', 'ping.yaml', '--rounds', '1', '--json'];
  const { code, stdout } = await mcpBench(words, { cwd });
  const result = JSON.parse(stdout) as VersusResult;
  expect(result.targets.map(({ reason }) => reason)).toEqual([
    expect.stringContaining(
      `${streamable.url}: this server speaks Streamable HTTP 2025-11-25: use --transport streamable`,
    ),
    expect.stringContaining(`${sse.url}: this server speaks HTTP+SSE: use --transport sse`),
  ]);
  expect(code).toBe(1);
});

test.each([
  [[], 'sse', 'sessions'],
  [['--transport', 'streamable', '--protocol', '2025-06-18'], 'streamable', 'sessions'],
  [['--transport', 'streamable'], 'streamable', 'stateless'],
  [['--protocol', '2026-07-28'], 'streamable', 'stateless'],
])('the built-in mock is spoken to as it is named: %j', async (options, transport, era) => {
  const { code, stderr } = await mcpBench(['run', 'echo.yaml', ...options, '--out', 'mock.json', '-q'], {
    cwd,
  });
  expect(code, stderr).toBe(0);
  const { target, totals } = readResult(join(cwd, 'mock.json'));
  expect(target).toMatchObject({ transport, era, builtIn: true });
  expect(totals.outcomes.ok).toBe(3);
});

test('a dry run asks nothing', async () => {
  const server = await ScriptedServer.listen(({ connection }) => connection.write(answer(404)));
  closing.push(() => server.close());
  const { code, stdout } = await mcpBench(
    ['run', 'ping.yaml', '--dry-run', '--target', `${server.origin}/mcp`, '--protocol', '2025-06-18'],
    { cwd },
  );
  expect(code).toBe(0);
  expect(stdout).toContain('transport auto, protocol 2025-06-18, dialect auto');
  expect(server.connections).toHaveLength(0);
});
