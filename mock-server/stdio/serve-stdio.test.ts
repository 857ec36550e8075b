import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { echo, initialize, request } from './stdio-core.fixture.js';
import { until } from '../raw-client.fixture.js';
import type { StdioServer } from './stdio-server.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

// The program as it is started for each session.
const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'dist/src/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-stdio-'));
beforeAll(() => {
  const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
});
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true }));

type Stats = ReturnType<StdioServer['snapshot']>;
let files = 0;

/** Starts the mock with a file for its counts. */
function start(...args: string[]) {
  const statsFile = join(folder, `stats-${files++}.jsonl`);
  const child = spawn(process.execPath, [main, 'serve-mock', '--stdio', '--stats-file', statsFile, ...args]);
  running.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()));
  child.stdin.on('error', () => undefined);
  const exit = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const send = (...messages: object[]): void => {
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  };
  return {
    child,
    send,
    exit,
    closed,
    out: () => out,
    err: () => err,
    lines: () => out.split('\n').slice(0, -1),
    stats: () => statsIn(statsFile),
  };
}

/** The last counts of each process in a file. */
function statsIn(file: string): Stats[] {
  const read = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const byPid = new Map(
    read.map((line) => {
      const { pid, stats } = JSON.parse(line) as { pid: number; stats: Stats };
      return [pid, stats];
    }),
  );
  return [...byPid.values()];
}

test('the official client completes a whole session, and both count the same', async () => {
  const config = join(folder, 'mock.yaml');
  const tool = {
    steps: [
      { progress: 1, total: 2 },
      { request: 'sampling/createMessage', params: { messages: [], maxTokens: 9 } },
    ],
    content: [{ type: 'text', text: '{{answers.client.content.text}}' }],
  };
  writeFileSync(config, JSON.stringify({ tools: { ask: tool }, stdio: { lineEnding: 'crlf', pieces: 40 } }));
  const statsFile = join(folder, 'official.jsonl');
  const args = [main, 'serve-mock', '--stdio', '--config', config, '--stats-file', statsFile];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { sampling: {} } });
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'none',
    role: 'assistant',
    content: { type: 'text', text: 'as you like' },
  }));
  const errors: Error[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client knows no other way
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: 'mcp-bench mock' });
  await client.ping();
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask');
  expect((await client.listResources()).resources).toHaveLength(1);
  expect((await client.listPrompts()).prompts).toHaveLength(1);
  const texts = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      client.callTool({ name: 'echo', arguments: { message: `m${n} é` } }),
    ),
  );
  expect(texts.map(({ content }) => content)).toEqual(
    Array.from({ length: 20 }, (_, n) => [{ type: 'text', text: `m${n} é` }]),
  );
  const progress: number[] = [];
  const asked = await client.callTool({ name: 'ask', arguments: {} }, undefined, {
    onprogress: (one) => progress.push(one.progress),
  });
  expect(asked.content).toEqual([{ type: 'text', text: 'as you like' }]);
  expect(progress).toEqual([1]);
  await expect(client.callTool({ name: 'none', arguments: {} })).rejects.toThrow('Unknown tool');
  await client.close();
  expect(errors).toEqual([]);
  const [stats] = statsIn(statsFile);
  expect(stats).toMatchObject({
    sessions: { opened: 1, closedByClient: 1, open: 0 },
    calls: { received: 22, byTool: { echo: 20, ask: 1 } },
    messages: { responses: 1, byMethod: { initialize: 1, 'notifications/initialized': 1, ping: 1 } },
    responsesSent: 27,
    serverRequestsSent: 1,
    notificationsSent: 1,
    stdio: { malformed: 0 },
  });
});

describe('ends', () => {
  test('at the end of stdin, when all is answered', async () => {
    const mock = start('--latency', '20ms');
    mock.send(initialize(), echo(1), echo(2));
    mock.child.stdin.end();
    expect(await mock.exit).toBe(0);
    await mock.closed;
    expect(mock.lines()).toHaveLength(3);
    expect(mock.err()).toBe('');
    expect(mock.stats()).toMatchObject([{ responsesSent: 3, bytes: { out: Buffer.byteLength(mock.out()) } }]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('at %s, with its counts', async (signal) => {
    const mock = start('--latency', '1h');
    mock.send(initialize(), echo(1));
    await until(() => mock.lines().length === 1);
    mock.child.kill(signal);
    expect(await mock.exit).toBe(0);
    expect(mock.stats()).toMatchObject([
      { sessions: { closedByServer: 1 }, responsesSent: 1, lateWrites: 1 },
    ]);
  });

  test('not at the end of stdin with --ignore-eof, which leaves its counts for whoever kills it', async () => {
    const mock = start('--ignore-eof', '--set', 'stdio.ignoreTerm=true');
    mock.send(initialize(), echo(1));
    mock.child.stdin.end();
    await until(() => readFileOf(mock.stats).length === 1);
    mock.child.kill('SIGTERM');
    mock.child.kill('SIGKILL');
    expect(await mock.exit).toBe('SIGKILL');
    expect(mock.stats()).toMatchObject([{ responsesSent: 2 }]);
  });

  test.each([
    ['it has not begun to read', 'stdio.startDelay=1h'],
    ['a line waits to be taken', 'faults.slowRead={ rate: 1, for: 1h }'],
  ])('at SIGTERM though %s', async (_when, setting) => {
    const mock = start('--set', setting, '--set', 'stdio.noiseAtStart=1');
    mock.send(initialize(), echo(1));
    await until(() => mock.lines().length === (setting.includes('slowRead') ? 2 : 1));
    mock.child.kill('SIGTERM');
    expect(await mock.exit).toBe(0);
  });

  test('before it has read anything, when it is told to', async () => {
    const mock = start('--set', 'stdio.die=start', '--set', 'stdio.stderrAtStart=1000');
    expect(await mock.exit).toBe(1);
    await mock.closed;
    expect(mock.err()).toHaveLength(1000);
    expect(mock.stats()).toMatchObject([{ stdio: { stderrBytes: 1000, lines: 0 } }]);
  });

  test('when it is told to die, in the middle of a line', async () => {
    const mock = start('--fault', 'cut');
    mock.send(initialize(), echo(1), echo(2));
    expect(await mock.exit).toBe(1);
    await mock.closed;
    expect(mock.lines()).toHaveLength(1);
    expect(mock.out()).toMatch(/\n\{"jsonrpc":"2.0","id":1,[^\n]+$/);
    expect(mock.stats()).toMatchObject([
      { injected: { cut: 1 }, calls: { received: 1 }, bytes: { out: Buffer.byteLength(mock.out()) } },
    ]);
  });

  test('when nobody reads its stdout any more', async () => {
    const mock = start();
    mock.child.stdout.destroy();
    mock.send(initialize(), echo(1));
    expect(await mock.exit).toBe(0);
    expect(mock.stats()).toMatchObject([{ sessions: { closedByClient: 1 } }]);
  });

  test('in good order though nobody reads its stderr any more', async () => {
    const mock = start('--set', 'stdio.stderrPerCall=1KB');
    mock.child.stderr.destroy();
    mock.send(initialize(), echo(1), echo(2));
    mock.child.stdin.end();
    expect(await mock.exit).toBe(0);
    expect(mock.stats()).toMatchObject([{ responsesSent: 3, stdio: { stderrBytes: 2000 } }]);
  });

  test('while a child of it goes on holding its pipes', async () => {
    const mock = start('--set', 'stdio.childHoldsPipes=1h');
    mock.send(initialize());
    mock.child.stdin.end();
    expect(await mock.exit).toBe(0);
    let isClosed = false;
    void mock.closed.then(() => (isClosed = true));
    const found = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).stdout;
    const child = /^ *(\d+) .*setTimeout\(\(\) => undefined, 3600000\)/m.exec(found);
    expect({ child: child !== null, isClosed }).toEqual({ child: true, isClosed: false });
    process.kill(Number(child![1]), 'SIGKILL');
    await mock.closed;
  });
});

test('a client that does not read is waited for, and its input with it; then everything comes', async () => {
  const mock = start('--set', 'limits.unreadBytes=64KB');
  const calls = 200;
  mock.child.stdout.pause();
  for (let id = 0; id < calls; id++)
    mock.send(request(id, 'tools/call', { name: 'payload', arguments: { bytes: 50_000 } }));
  // Ten megabytes fit neither the pipe nor what may be unread: with more of them written than that, stdin must stand still.
  const filler = 'x'.repeat(100_000);
  for (let id = 0; id < 50; id++) mock.send(request(`f${id}`, 'ping', { filler }));
  mock.child.stdin.end();
  await until(() => mock.child.stdout.readableLength > 0);
  mock.child.stdout.resume();
  expect(await mock.exit).toBe(0);
  await mock.closed;
  expect(mock.lines()).toHaveLength(calls + 50);
  expect(mock.stats()).toMatchObject([
    { responsesSent: calls + 50, lateWrites: 0, bytes: { out: Buffer.byteLength(mock.out()) } },
  ]);
});

test('reads from a file and writes to one, and prints its counts on stderr', () => {
  const file = join(folder, 'input.jsonl');
  writeFileSync(file, [initialize(), echo(1)].map((message) => JSON.stringify(message)).join('\n'));
  const command = `"${process.execPath}" "${main}" serve-mock --stdio --json < input.jsonl > output.jsonl`;
  const { status, stderr } = spawnSync(command, { shell: true, cwd: folder, encoding: 'utf8' });
  expect(status).toBe(0);
  const lines = readFileSync(join(folder, 'output.jsonl'), 'utf8').split('\n');
  expect(lines.slice(0, -1).map((line) => (JSON.parse(line) as { id: unknown }).id)).toEqual(['init', 1]);
  expect(JSON.parse(stderr)).toMatchObject({ stats: { engine: 'stdio', responsesSent: 2 } });
});

test.each<[what: string, args: string[], message: string]>([
  [
    'faults of HTTP',
    ['--fault', 'httpError=1%'],
    'faults.httpError cannot be had over stdio: a pipe has no status',
  ],
  [
    'other sessions',
    ['--fault', 'misrouted'],
    'faults.misrouted cannot be had over stdio: a process has one client',
  ],
  [
    'those of one tool',
    ['--set', 'tools.echo.faults.heldPost=1%'],
    'tools.echo.faults.heldPost cannot be had over stdio',
  ],
  ['a port', ['--port', '0'], '--port is about HTTP; leave it out with --stdio'],
  ['a dialect', ['--dialect', 'rmcp'], '--dialect is about HTTP'],
  ['a mistake in a plain flag', ['--latency', 'soon'], "--latency soon: latency: 'soon' is not understood"],
  ['an unknown key', ['--set', 'stdio.loud=true'], "stdio: unknown key 'loud'"],
])('%s: refused in one line', (_what, args, message) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'serve-mock', '--stdio', ...args], {
    encoding: 'utf8',
    input: '',
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('flags of stdio need it', () => {
  const { status, stderr } = spawnSync(process.execPath, [main, 'serve-mock', '--stats-file', 'x'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--stdio') as string,
  });
});

function readFileOf(read: () => Stats[]): Stats[] {
  try {
    return read();
  } catch {
    return [];
  }
}
