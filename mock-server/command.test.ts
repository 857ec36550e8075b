import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { dialectNames } from './protocol/dialects/dialect.js';
import { holdingFaults } from './calls/held-posts.js';
import { plainStreamable } from './streamable/streamable-options.js';
import { McpSession } from './mcp-session.fixture.js';
import { RawStream, rawExchange, send, until } from './raw-client.fixture.js';
import { serveMock } from './serve-mock.js';
import { faultNames } from './stats.js';
import type { StatsSnapshot } from './stats.js';

// On a machine that others use too a process may stand still for a long time: that alone must fail nothing.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

// The command as a user runs it, from dist/: threads can only be started from compiled code.
const root = fileURLToPath(new URL('..', import.meta.url));
beforeAll(() => {
  const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
}, 300_000);

interface Served {
  readonly process: ChildProcess;
  readonly lines: string[];
  readonly errors: string[];
  readonly exit: Promise<number | null>;
}

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

function serveMockCommand(...args: string[]): Served {
  return spawned([join(root, 'dist/src/cli/main.js'), 'serve-mock', ...args]);
}

function spawned(args: string[]): Served {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  const lines: string[] = [];
  const errors: string[] = [];
  for (const [stream, kept] of [
    [child.stdout, lines],
    [child.stderr, errors],
  ] as const) {
    let text = '';
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      const parts = text.split('\n');
      text = parts.pop()!;
      kept.push(...parts);
    });
  }
  const exit = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { process: child, lines, errors, exit };
}

/** Starts it with --json and waits until it listens. */
async function listening(
  ...args: string[]
): Promise<Served & { url: string; stats(): Promise<StatsSnapshot> }> {
  const served = serveMockCommand('--port', '0', '--json', ...args);
  let exited = false;
  void served.exit.then(() => (exited = true));
  await until(() => served.lines.length > 0 || exited);
  if (exited) throw new Error(served.errors.join('\n'));
  const { url } = JSON.parse(served.lines[0]!) as { url: string };
  const stats = async (): Promise<StatsSnapshot> =>
    JSON.parse((await send('GET', `${new URL(url).origin}/stats`)).body) as StatsSnapshot;
  return { ...served, url, stats };
}

describe('serve-mock', () => {
  test('prints one line of JSON when it listens, and its counts when it is told to stop', async () => {
    const served = await listening('--dialect', 'workspace');
    expect(JSON.parse(served.lines[0]!)).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp\/bench$/),
      urls: {
        sse: served.url,
        streamable: served.url.replace('/mcp/bench', '/mcp'),
      },
      engine: 'uws',
      dialect: 'workspace',
      pid: served.process.pid,
    });
    const session = await McpSession.ready(served.url, 'workspace');
    await session.call('echo', { message: 'x' });
    expect(served.lines).toHaveLength(1);
    served.process.kill('SIGTERM');
    await until(() => session.stream.ended !== 'open');
    expect(session.stream.ended).toBe('good');
    expect(session.stream.messages.at(-1)).toMatchObject({
      method: 'streamClosed',
      params: { reason: 'shutdown' },
    });
    expect(await served.exit).toBe(0);
    const { stats } = JSON.parse(served.lines[1]!) as { stats: StatsSnapshot };
    expect(stats).toMatchObject({
      calls: { received: 1 },
      responsesSent: 2,
      sessions: { opened: 1, open: 0, closedByServer: 1 },
    });
  });

  test('speaks to people otherwise, and stops on Ctrl-C', async () => {
    const served = serveMockCommand('--port', '0', '--engine', 'node', '--fault', 'lost=1%');
    await until(() => served.lines.length > 0);
    expect(served.lines[0]).toMatch(
      /^mcp-bench mock listens on http:\/\/127\.0\.0\.1:\d+\/sse \(dialect classic, engine node\)$/,
    );
    served.process.kill('SIGINT');
    expect(await served.exit).toBe(0);
    expect(served.lines.join('\n')).toMatch(/sessions: 0 opened.*\ncalls: 0 received, 0 responses sent/);
    expect(served.errors).toEqual([]);
  });

  test('the help names every option of Streamable HTTP, and those that need clients that do not pipeline', async () => {
    const served = serveMockCommand('--help');
    expect(await served.exit).toBe(0);
    const help = served.lines.join(' ').replaceAll(/\s+/g, ' ');
    // Marked in mock-server/README.md, which the same user reads.
    const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    const rows = readme.split('\n').filter((line) => line.startsWith('| `') && line.includes('✋'));
    const marked = rows.map((line) => /`([^`]+)`/.exec(line)![1]!);
    const isFault = (name: string): boolean => (faultNames as readonly string[]).includes(name);
    expect(marked.filter(isFault).sort()).toEqual([...holdingFaults].sort());
    expect(marked.filter((name) => !isFault(name) && !help.includes(`wire.${name}=`))).toEqual([]);
    for (const key of Object.keys(plainStreamable)) expect(help).toContain(`streamable.${key}`);
    for (const fault of holdingFaults) expect(help).toContain(`${fault}*`);
    for (const preset of ['ts-sdk', 'rmcp', 'pymcp-sse', 'java-sdk']) expect(help).toContain(`${preset}*`);
    for (const preset of ['python-sdk', 'mcp-go', 'fastmcp-ts']) expect(help).not.toContain(`${preset}*`);
  });

  test('warns when other machines can reach it', async () => {
    const served = await listening('--host', '0.0.0.0', '--engine', 'node');
    // What goes to stderr may be read after what goes to stdout, though it was written before.
    await until(() => served.errors.length > 0);
    expect(served.errors.join()).toMatch(/warning: 0\.0\.0\.0 can be reached from other machines/);
    served.process.kill('SIGTERM');
    expect(await served.exit).toBe(0);
  });

  test.each([
    [
      ['--dialect', 'klassik'],
      /^mcp-bench: --dialect klassik: dialect: 'klassik' is not understood; expected one of classic/,
    ],
    [
      ['--like', 'cobol'],
      /^mcp-bench: --like cobol: like: 'cobol' is not understood; expected one of ts-sdk/,
    ],
    [['--latency', 'soon'], /^mcp-bench: --latency soon: latency: 'soon' is not understood; expected 5ms/],
    [['--fault', 'lots=1%'], /^mcp-bench: --fault lots=1%: faults: unknown key 'lots'/],
    [['--seed', 'x'], /^mcp-bench: --seed x: seed: expected number/],
    [['--set', 'limits.sessions=0'], /^mcp-bench: --set limits.sessions=0: limits.sessions: Too small/],
    [['--threads', '2', '--engine', 'node'], /^mcp-bench: --threads 2 needs the uws engine/],
    [
      ['--like', 'ts-sdk', '--dialect', 'pymcp'],
      /^mcp-bench: --like ts-sdk: like: ts-sdk speaks classic and cannot be had/,
    ],
    [
      ['--like', 'rmcp', '--dialect', 'all'],
      /^mcp-bench: --like rmcp: like: rmcp speaks one dialect and cannot be had/,
    ],
    [['--keep-alive', '501h'], /wire\.keepAlive: expected a duration of at most 500h$/],
    [['--fault', 'slowRead=1,for=999h'], /faults\.slowRead\.for: expected a duration of at most 500h$/],
    [['--set', 'tools.x.resultBytes=65MiB'], /tools\.x\.resultBytes: expected a size of at most 64MiB$/],
    [['--set', 'pushes.bytes=2GB'], /pushes\.bytes: expected a size of at most 64MiB$/],
    [['--set', 'limits.bodyBytes=1GB'], /limits\.bodyBytes: expected a size of at most 256MiB$/],
    [['--set', 'wire.messagesPath=/m?x=1'], /wire\.messagesPath: expected a path, such as \/messages$/],
    [['--seed', '-1'], /^mcp-bench: --seed -1: seed: Too small/],
    [['--latency', '1ms', '--latency', '2ms'], /^mcp-bench: --latency is given 2 times; give it once$/],
    [['--latency'], /^mcp-bench: Not enough arguments following: latency/],
    [
      ['--host', '203.0.113.7'],
      /^mcp-bench: cannot listen on 203\.0\.113\.7:0: this machine has no such address/,
    ],
    [
      ['--host', '203.0.113.7', '--engine', 'node'],
      /: this machine has no such address; try --host 127\.0\.0\.1$/,
    ],
    [['--log', 'none/calls.jsonl'], /^mcp-bench: cannot write the log none\/calls\.jsonl: ENOENT$/],
    [['--host', ''], /^mcp-bench: --host '': expected an address or a name, such as 127\.0\.0\.1$/],
    [['--freeze', '5s,1s,30s,1s'], /^mcp-bench: --freeze 5s,1s,30s,1s: expected at,for\[,every\]/],
    [['--config', 'none.yaml'], /^mcp-bench: cannot read the configuration none.yaml/],
    [['--nonsense'], /^mcp-bench: serve-mock has no flag --nonsense/],
  ])('answers %j with one clear line and exit code 2', async (args, message) => {
    const served = serveMockCommand('--port', '0', ...args);
    expect(await served.exit).toBe(2);
    expect(served.errors).toHaveLength(1);
    expect(served.errors[0]).toMatch(message);
    expect(served.lines).toEqual([]);
  });

  test.each(['uws', 'node'])('a port in use is one clear line and exit code 2 on %s', async (engine) => {
    const mock = await serveMock();
    const served = serveMockCommand('--port', String(mock.port), '--engine', engine);
    expect(await served.exit).toBe(2);
    expect(served.errors).toEqual([
      expect.stringMatching(/^mcp-bench: cannot listen on 127\.0\.0\.1:\d+: the port is in use/),
    ]);
    await mock.close();
  });

  test('a mock that cannot start leaves the log of a running one alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
    const log = join(folder, 'calls.jsonl');
    const first = await listening('--log', log);
    const session = await McpSession.ready(first.url, 'classic');
    await session.call('echo', { message: 'x' });
    await until(() => readFileSync(log, 'utf8') !== '');
    const second = serveMockCommand('--port', new URL(first.url).port, '--log', log);
    expect(await second.exit).toBe(2);
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });

  // `thrown` is what the import of the native module comes to.
  const withoutUws = (thrown: string, ...args: string[]): Served => {
    const refuse = `export async function resolve(name, context, next) {
      if (name === 'uWebSockets.js') throw ${thrown};
      return next(name, context);
    }`;
    const url = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
    const hook = url(`import { register } from 'node:module'; register(${JSON.stringify(url(refuse))});`);
    const main = join(root, 'dist/src/cli/main.js');
    return spawned(['--import', hook, main, 'serve-mock', '--port', '0', '--json', ...args]);
  };

  test('falls back to the engine without native code where the native module does not load, and says so', async () => {
    const thrown = `new Error('no native module for this platform')`;
    const served = withoutUws(thrown);
    await until(() => served.lines.length > 0);
    expect(JSON.parse(served.lines[0]!)).toMatchObject({ engine: 'node' });
    await until(() => served.errors.length > 0);
    expect(served.errors.join()).toMatch(
      /uWebSockets\.js does not load here: no native module for this platform; running on the engine without native code/,
    );
    served.process.kill('SIGTERM');
    expect(await served.exit).toBe(0);
    const insisting = withoutUws(thrown, '--engine', 'uws');
    expect(await insisting.exit).toBe(2);
    expect(insisting.errors).toEqual([
      expect.stringMatching(/does not load here: .*; or use --engine node$/),
    ]);
  });

  test('runs on the engine without native code where there is none installed, without a word', async () => {
    const thrown = `Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })`;
    const served = withoutUws(thrown);
    await until(() => served.lines.length > 0);
    expect(JSON.parse(served.lines[0]!)).toMatchObject({ engine: 'node' });
    served.process.kill('SIGTERM');
    expect(await served.exit).toBe(0);
    expect(served.errors).toEqual([]);
    const insisting = withoutUws(thrown, '--engine', 'uws');
    expect(await insisting.exit).toBe(2);
    expect(insisting.errors).toEqual([
      expect.stringMatching(
        /^mcp-bench: uWebSockets\.js is not installed: npm install .*; or use --engine node$/,
      ),
    ]);
  });

  test('takes its configuration from a file, with flags over it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
    const config = join(folder, 'mock.yaml');
    const log = join(folder, 'calls.jsonl');
    writeFileSync(
      config,
      'like: mcp-go\ntools:\n  search: { arguments: { q: string }, result: [1, 2] }\n  echo: { faults: { lost: 100% } }\n',
    );
    const served = await listening(
      '--config',
      config,
      '--set',
      'tools.echo.faults.lost=0',
      '--fault',
      'duplicate',
      '--log',
      log,
    );
    const session = await McpSession.ready(served.url, 'classic');
    expect(new URL(session.postUrl).pathname).toBe('/message');
    await session.call('echo', { message: 'x' });
    expect(await session.call('search', { q: 'x' })).toMatchObject({
      result: { content: [{ text: '[1,2]' }] },
    });
    expect((await session.call('search'))['error']).toMatchObject({ code: -32602 });
    expect((await served.stats()).injected).toMatchObject({ duplicate: 3, lost: 0 });
    served.process.kill('SIGTERM');
    expect(await served.exit).toBe(0);
    expect(
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { tool: string }).tool),
    ).toEqual(['echo', 'search', 'search']);
    rmSync(folder, { recursive: true });
  });
});

describe('--threads', () => {
  test.each(dialectNames)(
    'sessions and POSTs of %s find each other on whatever thread they land',
    async (dialect) => {
      const served = await listening('--dialect', dialect, '--threads', '3');
      const origin = new URL(served.url).origin;
      const sessions = await Promise.all(
        Array.from({ length: 9 }, (_, n) =>
          McpSession.ready(dialect === 'workspace' ? `${origin}/mcp/w${n % 4}` : served.url, dialect),
        ),
      );
      // Every POST is a connection of its own, and connections go round the threads.
      await Promise.all(
        sessions.flatMap((session, s) =>
          Array.from({ length: 12 }, (_, c) =>
            session.post({
              jsonrpc: '2.0',
              id: `${s}-${c}`,
              method: 'tools/call',
              params: session.callParams('echo', { message: `${s}-${c}` }),
            }),
          ),
        ),
      );
      for (const [s, { stream }] of sessions.entries())
        for (let c = 0; c < 12; c++)
          expect(JSON.stringify(await stream.response(`${s}-${c}`))).toContain(`"${s}-${c}"`);
      const stats = await served.stats();
      expect(stats).toMatchObject({
        threads: 3,
        sessions: { opened: 9, open: 9 },
        calls: { received: 108, byTool: { echo: 108 } },
      });
      expect(stats.posts.byStatus).toEqual({ 202: 108 + 18 });
      await until(
        async () =>
          sessions.reduce((sum, { stream }) => sum + stream.events.length, 0) ===
          (await served.stats()).eventsSent,
      );
      const health = JSON.parse((await send('GET', `${origin}/health`)).body) as { active_sessions: number };
      expect(health.active_sessions).toBe(9);
      const reset = JSON.parse((await send('GET', `${origin}/stats?reset`)).body) as StatsSnapshot;
      expect(reset.calls.received).toBe(108);
      expect((await served.stats()).calls.received).toBe(0);
      sessions[0]!.close();
      await until(async () => (await served.stats()).sessions.closedByClient === 1);
      served.process.kill('SIGTERM');
      await Promise.all(sessions.slice(1).map(({ stream }) => until(() => stream.ended !== 'open')));
      expect(sessions.slice(1).map(({ stream }) => stream.ended)).toEqual(
        Array.from({ length: 8 }, () => 'good'),
      );
      if (dialect === 'workspace')
        for (const { stream } of sessions.slice(1))
          expect(stream.messages.at(-1)).toMatchObject({ method: 'streamClosed' });
      expect(await served.exit).toBe(0);
      const { stats: final } = JSON.parse(served.lines[1]!) as { stats: StatsSnapshot };
      expect(final.sessions).toMatchObject({ open: 0, closedByClient: 1, closedByServer: 8 });
    },
  );

  test('a client may pipeline on whatever thread its connection landed', async () => {
    const served = await listening('--threads', '2');
    const session = await McpSession.ready(served.url, 'classic');
    const { hostname, port, pathname, search } = new URL(session.postUrl);
    let id = 100;
    // Connections go to the threads in turn: of two in a row one is on the wrong thread.
    for (let n = 0; n < 4; n++) {
      const requests = Array.from({ length: 20 }, () => {
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: id++,
          method: 'tools/call',
          params: { name: 'counter' },
        });
        return `POST ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      });
      const socket = connect(Number(port), hostname);
      let answered = '';
      socket.on('data', (bytes) => (answered += bytes.toString()));
      socket.write(requests.join(''));
      await session.stream.response(id - 1);
      await until(() => answered.match(/HTTP\/1.1 202/g)?.length === 20);
      socket.destroy();
    }
    const texts = session.stream.messages
      .slice(1)
      .map(({ result }) => (result as { content: [{ text: string }] }).content[0].text);
    expect(texts).toEqual(Array.from({ length: 80 }, (_, n) => String(n + 1)));
    expect((await served.stats()).posts.byStatus).toEqual({ 202: 82 });
  });

  test('refusals are the same from every thread', async () => {
    const served = await listening('--threads', '2');
    const session = await McpSession.ready(served.url, 'classic');
    const unknown = `${new URL(session.postUrl).origin}/messages?sessionId=00000000-0000-4000-8000-000000000000`;
    const statuses = await Promise.all(
      [unknown, unknown, session.postUrl, session.postUrl].map(
        async (url) => (await send('POST', url, '{', { 'content-type': 'application/json' })).status,
      ),
    );
    expect(statuses).toEqual([400, 400, 400, 400]);
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    for (let n = 0; n < 4; n++)
      expect((await send('POST', unknown, ping, { 'content-type': 'application/json' })).status).toBe(404);
    session.close();
    await until(async () => (await served.stats()).sessions.closedByClient === 1);
    for (let n = 0; n < 4; n++) expect((await session.post(ping)).status).toBe(500);
  });

  test('the limits hold for all threads together', async () => {
    const served = await listening('--threads', '3', '--set', 'limits.sessions=4');
    const streams: RawStream[] = [];
    for (let n = 0; n < 9; n++) streams.push(await RawStream.open(served.url));
    const statuses = (): number[] => streams.map(({ status }) => status);
    expect(statuses()).toEqual([200, 200, 200, 200, 503, 503, 503, 503, 503]);
    expect((await served.stats()).sessions).toMatchObject({ opened: 4, open: 4, refused: 5 });
    streams[1]!.close();
    streams[2]!.close();
    await until(async () => (await served.stats()).sessions.open === 2);
    for (let n = 0; n < 3; n++) streams.push(await RawStream.open(served.url));
    expect(statuses().slice(9)).toEqual([200, 200, 503]);
    for (const stream of streams) stream.close();
  });

  test('connections over the limit are closed, whichever thread they land on', async () => {
    const served = await listening('--threads', '3', '--set', 'limits.connections=6');
    const port = Number(new URL(served.url).port);
    const streams: RawStream[] = [];
    for (let n = 0; n < 6; n++) streams.push(await RawStream.open(served.url));
    for (let n = 0; n < 6; n++)
      expect(await rawExchange(port, 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')).toBe('');
    for (const stream of streams) stream.close();
    const { origin } = new URL(served.url);
    await until(
      async () => (await send('GET', `${origin}/health`).catch(() => ({ status: 0 }))).status === 200,
    );
  });

  test('a POST whose client has gone is aborted, whichever thread it landed on', async () => {
    const served = await listening('--threads', '2', '--fault', 'heldPost=100%,for=5s');
    const session = await McpSession.ready(served.url, 'classic');
    const { hostname, port, pathname, search } = new URL(session.postUrl);
    for (let id = 100; id < 108; id++) {
      const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'counter' } };
      const body = JSON.stringify(call);
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await session.stream.response(id);
      socket.destroy();
    }
    await until(async () => {
      const { aborted, byStatus } = (await served.stats()).posts;
      return (byStatus['202'] ?? 0) + aborted === 2 + 8;
    });
    expect((await served.stats()).posts).toEqual({ received: 10, aborted: 8, byStatus: { 202: 2 } });
    session.close();
  });

  test('the port is theirs alone', async () => {
    const served = await listening('--threads', '2');
    await expect(serveMock({ port: Number(new URL(served.url).port) })).rejects.toThrow(/the port is in use/);
  });

  test('stops in good order while connections keep coming', async () => {
    const served = await listening('--threads', '3');
    const { origin } = new URL(served.url);
    const stop = new AbortController();
    const callers = Array.from({ length: 20 }, async () => {
      while (!stop.signal.aborted) await send('GET', `${origin}/health`).catch(() => undefined);
    });
    await until(async () => (await served.stats()).threads === 3);
    served.process.kill('SIGTERM');
    expect(await served.exit).toBe(0);
    stop.abort();
    await Promise.all(callers);
  });

  test('every thread writes to the log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
    const log = join(folder, 'calls.jsonl');
    const served = await listening('--threads', '2', '--log', log);
    const sessions = await Promise.all([1, 2, 3, 4].map(() => McpSession.ready(served.url, 'classic')));
    for (const session of sessions) await session.call('echo', { message: 'x' });
    served.process.kill('SIGTERM');
    expect(await served.exit).toBe(0);
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(4);
    rmSync(folder, { recursive: true });
  });
});
