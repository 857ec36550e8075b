import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import type { RunResult } from '../../result/result.js';
import { mcpBench } from '../fixtures/command.fixture.js';
import { scriptedStdio } from './play-stdio.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 60_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-stdio-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const scenario =
  'load: { model: count, calls: 20, inFlight: 2 }\ncalls: [{ tool: echo, arguments: { message: "{{hex 8}}" }, expect: echo }]\n';
writeFileSync(join(cwd, 's.yaml'), `sessions: 2\n${scenario}`);
writeFileSync(
  join(cwd, 'long.yaml'),
  'sessions: 2\nduration: 60s\nload: { model: rate, perSecond: 20 }\ncalls: [{ tool: echo, arguments: { message: x } }]\n',
);
const node = process.execPath;
const read = (name: string): RunResult => JSON.parse(readFileSync(join(cwd, name), 'utf8')) as RunResult;

/** The processes whose command line holds this word. */
function processesWith(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words.includes(word) && words.includes(scriptedStdio) && !words.includes('run');
      } catch {
        return false;
      }
    })
    .map(Number);
}

test('run … -- command: all calls answered by a server of the official SDK, CPU and memory in the report', async () => {
  const server = ['--', node, beside('sdk-stdio.mjs')];
  const args = ['run', 's.yaml', '--verbose', '--out', 'sdk.json', ...server];
  const { code, stdout, stderr } = await mcpBench(args, { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/ · stdio · 2025-11-25 · official 1/);
  expect(stdout).toMatch(/of\s+CPU\s+to\s+start\s+a\s+session/);
  expect(stdout).toMatch(/of\s+memory\s+a\s+session/);
  expect(stdout, 'nothing is accepted apart from being answered').not.toMatch(/call\.ack/);
  const { target, totals } = read('sdk.json');
  expect(target).toMatchObject({
    command: server.slice(1),
    transport: 'stdio',
    era: 'sessions',
    resources: { found: 'started', sessions: 2, processes: 2 },
  });
  expect(target.resources!.peakBytes).toBeGreaterThan(2e7);
  expect(target.resources!.startCpuMs).toBeGreaterThan(0);
  expect(target).not.toHaveProperty('url');
  expect(totals).toMatchObject({ started: 20, pipes: { died: 0, survivedEof: 0, leftOthers: 0 } });
  expect(totals.outcomes.ok).toBe(20);
});

test('the target of a scenario, its environment and the values of its secret options are shown nowhere', async () => {
  const command = JSON.stringify([node, scriptedStdio, '--token', 'very-secret-word']);
  writeFileSync(
    join(cwd, 'own.yaml'),
    `target: { command: ${command}, env: { MODE: "mode-of-it" }, cwd: / }\nsessions: 1\n${scenario}`,
  );
  const { code, stdout, stderr } = await mcpBench(
    ['run', 'own.yaml', '--out', 'own.json', '--report', 'html=own.html', '--report', 'md=own.md'],
    { cwd },
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const texts = [
    stdout,
    stderr,
    ...['own.json', 'own.html', 'own.md'].map((name) => readFileSync(join(cwd, name), 'utf8')),
  ];
  for (const text of texts) expect(text).not.toMatch(/very-secret-word|mode-of-it/);
  expect(read('own.json').target.command).toEqual([node, scriptedStdio, '--token', '***']);
});

test('a server of the stateless era is spoken to without sessions, and one that answers nothing to the question with them', async () => {
  writeFileSync(join(cwd, 'brief.yaml'), `sessions: 2\ntimeouts: { handshake: 4s }\n${scenario}`);
  for (const [does, era, file] of [
    ['stateless', 'stateless', 's.yaml'],
    ['silent', 'sessions', 'brief.yaml'],
  ] as const) {
    const run = ['run', file, '--quiet', '--out', `${era}.json`, '--', node, scriptedStdio, does];
    expect(await mcpBench(run, { cwd })).toMatchObject({ code: 0 });
    const { target, totals } = read(`${era}.json`);
    expect(target.era).toBe(era);
    expect(totals.outcomes.ok).toBe(20);
  }
});

test('a command with a url is an HTTP server on a free port, ended after the run', async () => {
  writeFileSync(
    join(cwd, 'http.yaml'),
    `target: { command: ${JSON.stringify([node, beside('http-server.mjs'), '{port}'])}, url: "http://127.0.0.1:{port}/mcp" }\nsessions: 1\n${scenario}`,
  );
  const outcome = await mcpBench(['run', 'http.yaml', '--quiet', '--out', 'http.json'], { cwd });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  const { target, totals } = read('http.json');
  expect(target).toMatchObject({ transport: 'streamable', resources: { found: 'started' } });
  expect(totals.outcomes.ok).toBe(20);
  await expect(fetch(target.url!)).rejects.toThrow();
});

test('probe and init take a command, too', async () => {
  const probed = await mcpBench(['probe', '--', node, beside('sdk-stdio.mjs')], { cwd });
  expect(probed).toMatchObject({ code: 0, stderr: '' });
  expect(probed.stdout).toMatch(/transport +stdio, with sessions/);
  expect(probed.stdout).toMatch(/echo\(message: string\)/);
  const drafted = await mcpBench(['init', '--out', 'draft.yaml', '--', node, beside('sdk-stdio.mjs')], {
    cwd,
  });
  expect(drafted).toMatchObject({ code: 0, stderr: '' });
  const run = [
    'run',
    'draft.yaml',
    '--quiet',
    '--duration',
    '1s',
    '--sessions',
    '1',
    '--out',
    'drafted.json',
  ];
  expect((await mcpBench(run, { cwd })).stderr).toBe('');
  expect(read('drafted.json').totals.outcomes.ok).toBeGreaterThan(0);
});

test.each(['SIGINT', 'SIGKILL'] as const)('nothing is left after %s to the generator', async (signal) => {
  const mark = `mark-${process.pid}-${signal}`;
  const does = signal === 'SIGKILL' ? ['ignores-eof', 'ignores-term'] : [];
  const outcome = await mcpBench(['run', 'long.yaml', '--', node, scriptedStdio, ...does, mark], {
    cwd,
    onStderr: (text, child) => {
      if (/main: /.test(text) && child.exitCode === null && child.signalCode === null && !child.killed) {
        expect(processesWith(mark)).toHaveLength(2);
        child.kill(signal);
      }
    },
  });
  expect(outcome.code).toBe(signal === 'SIGINT' ? 130 : null);
  await expect.poll(() => processesWith(mark), { timeout: 10_000 }).toHaveLength(0);
});

test('mistakes are told in a line', async () => {
  const one = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await mcpBench(args, { cwd });
    return `${code} ${stderr.split('\n').at(-2)}`;
  };
  expect(await one('run', 's.yaml', '--', '/no/such')).toMatch(
    /^1 mcp-bench: no session: the server cannot be started: \/no\/such ENOENT/,
  );
  expect(await one('run', 's.yaml', '--', node, scriptedStdio, 'dies-first')).toBe(
    '1 mcp-bench: no session: its process ended: exit code 3 (it said: no configuration | giving up). Does it serve stdio, or does it need an argument for that?',
  );
  expect(await one('run', 's.yaml', '--transport', 'sse', '--', node)).toMatch(
    /^2 mcp-bench: --transport: sse is spoken to a URL/,
  );
  expect(await one('probe')).toMatch(/^2 mcp-bench: probe needs a URL/);
});

test('of a server that says nothing but what is no message, one line of that is shown', async () => {
  writeFileSync(join(cwd, 'impatient.yaml'), `sessions: 1\ntimeouts: { handshake: 2s }\n${scenario}`);
  const run = ['run', 'impatient.yaml', '--quiet', '--', node, scriptedStdio, 'early', 'deaf'];
  expect(await mcpBench(run, { cwd })).toMatchObject({
    code: 1,
    stderr:
      'mcp-bench: no session: not ready within 2 s (initializing): it was started and did not answer initialize on its standard output, but wrote “starting up…” there\n',
  });
});
