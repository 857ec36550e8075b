import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ProcessTree } from '../../machine/process-tree.js';
import type { VersusResult } from '../../versus/versus-result.js';
import { type CommandOutcome, mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const hasProc = existsSync('/proc/self/stat');
const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-versus-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(cwd, name), text);
  return name;
};
const read = (name: string): VersusResult =>
  JSON.parse(readFileSync(join(cwd, name), 'utf8')) as VersusResult;

// A server that says where to POST, and dies of the first POST.
file(
  'dies.mjs',
  `import { createServer } from 'node:http';
createServer((request, response) => {
  if (request.method === 'POST') { console.error('out of cheese'); process.exit(3); }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: endpoint\\ndata: /messages?sessionId=1\\n\\n');
}).listen(process.env.PORT, '127.0.0.1');
`,
);
file(
  'scenario.yaml',
  `name: duel
sessions: 3
warmup: 100ms
duration: 400ms
load: { model: closed, inFlight: 1 }
calls: [{ tool: echo, arguments: { message: "call {{seq}}" }, expect: echo }]
`,
);

describe('two that work, four that do not', () => {
  let outcome: CommandOutcome;
  let result: VersusResult;

  beforeAll(async () => {
    file(
      'targets.yaml',
      `targets:
  - name: quick
    mock: true
  - name: slow
    about: takes its time
    mock: { latency: 60ms }
  - name: dies
    command: node dies.mjs
    url: http://127.0.0.1:{port}/sse
  - name: ends-at-once
    command: [node, -e, "console.log('no licence'); process.exit(7)"]
    url: http://127.0.0.1:{port}/sse
  - name: never-ready
    command: [node, -e, "setInterval(() => {}, 1000)"]
    url: http://127.0.0.1:{port}/sse
    ready: 500ms
  - name: other-tool
    mock: true
    calls: [{ tool: no-such-tool }]
`,
    );
    outcome = await mcpBench(
      'versus targets.yaml scenario.yaml --rounds 4 --out out.json --report html=out.html --report md=out.md'.split(
        ' ',
      ),
      { cwd },
    );
    result = read('out.json');
  });

  test('it ends well, since somebody could be ranked', () => {
    expect(outcome.code).toBe(0);
    expect(result).toMatchObject({
      schema: 'mcp-bench/versus@2',
      name: 'duel',
      ended: 'complete',
      rounds: 4,
    });
  });

  test('the faster is first in each round, and by more than the latency of the other', () => {
    const [calls] = result.rankings;
    expect(calls).toMatchObject({ metric: 'callsPerSec' });
    expect(calls!.places.map(({ target, place }) => [target, place])).toEqual([
      ['quick', 1],
      ['slow', 2],
    ]);
    const p50 = result.rankings.find(({ metric }) => metric === 'p50')!;
    for (const value of p50.places.find(({ target }) => target === 'slow')!.values)
      expect(value).toBeGreaterThan(59e6);
  });

  test.skipIf(!hasProc)('every run has the CPU and memory of the server [needs /proc]', () => {
    for (const name of ['quick', 'slow'])
      for (const { resources, calls } of result.targets.find((target) => target.name === name)!.runs) {
        expect(resources!.processes).toBe(1);
        expect(resources!.sessions).toBe(3);
        expect(resources!.peakBytes).toBeGreaterThanOrEqual(resources!.idleBytes * 0.9);
        expect(resources!.cpuCalls).toBeGreaterThanOrEqual(calls!.started - calls!.failed);
      }
  });

  test.each([
    ['dies', 4, /it ended by itself: exit code 3 \(it said: out of cheese\)/],
    ['ends-at-once', 1, /it ended by itself: exit code 7 \(it said: no licence\)/],
    ['never-ready', 1, /not ready within 0\.5 s: nobody listens at its URL/],
    ['other-tool', 4, /all calls failed: .*(rpcError|toolError)/],
  ])('%s stays, with its reason', (name, runs, reason) => {
    const target = result.targets.find((each) => each.name === name)!;
    expect(target.reason).toMatch(reason);
    expect(target.runs).toHaveLength(runs);
    for (const text of [
      outcome.stdout,
      readFileSync(join(cwd, 'out.md'), 'utf8'),
      readFileSync(join(cwd, 'out.html'), 'utf8'),
    ])
      expect(text).toContain(name);
    for (const { places } of result.rankings) expect(places.map((place) => place.target)).not.toContain(name);
  });

  test('it was asked what the scenario or the target says', () => {
    expect(result.targets.map(({ askedInstead }) => askedInstead)).toEqual([
      ...Array.from({ length: 5 }, () => null),
      ['no-such-tool {}'],
    ]);
  });

  test('everybody runs once a round, in an order that changes', () => {
    expect(result.order).toHaveLength(4);
    expect(new Set(result.order.map((row) => row.toSorted().join())).size).toBe(1);
    expect(new Set(result.order.map((row) => row[0])).size).toBe(4);
  });
});

test('a URL alone is measured, without CPU and memory', async () => {
  const main = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
  const mock = spawn(process.execPath, [main, 'serve-mock', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) =>
    mock.stdout.once('data', (data: Buffer) => resolve(data.toString())),
  );
  try {
    const { url } = JSON.parse(line) as { url: string };
    file('url.yaml', `targets: [{ name: there, url: "${url}" }]\n`);
    const outcome = await mcpBench(['versus', 'url.yaml', 'scenario.yaml', '--rounds', '1', '--json'], {
      cwd,
    });
    expect(outcome.code).toBe(0);
    const result = JSON.parse(outcome.stdout) as VersusResult;
    expect(result.targets[0]).toMatchObject({ command: null, reason: null });
    expect(result.targets[0]!.runs.at(-1)).toMatchObject({
      state: 'ok',
      resources: null,
      figures: { peakMemory: null },
    });
    expect(readdirSync(join(cwd, 'results'))).toEqual([
      expect.stringMatching(/^versus-duel-\d{8}T\d{6}Z\.json$/),
    ]);
  } finally {
    const gone = new Promise((resolve) => mock.once('exit', resolve));
    mock.kill();
    await gone;
  }
});

test('a server whose one tool is slow is behind in that tool; one that refuses is asked three times', async () => {
  file(
    'refuses.mjs',
    `import { createServer } from 'node:http';
let asked = 0;
createServer((request, response) => {
  console.log('asked ' + ++asked);
  response.writeHead(401).end();
}).listen(process.env.PORT, '127.0.0.1');
`,
  );
  const calls = (ms: number): string =>
    `[{ tool: echo, weight: 3, arguments: { message: hi } }, { tool: sleep, arguments: { ms: ${ms} } }]`;
  file(
    'tools.yaml',
    `targets:
  - { name: even, mock: true, calls: ${calls(1)} }
  - { name: slow-sleep, mock: true, calls: ${calls(60)} }
  - { name: locked, command: node refuses.mjs, url: "http://127.0.0.1:{port}/sse", ready: 100s }
`,
  );
  const args = ['versus', 'tools.yaml', 'scenario.yaml', '--rounds', '4', '--out', 'tools.json'];
  const outcome = await mcpBench([...args, '--duration', '1s'], { cwd });
  expect(outcome.code, outcome.stderr).toBe(0);
  const { targets, toolRankings } = read('tools.json');
  const sleep = toolRankings.find(({ tool, metric }) => tool === 'sleep' && metric === 'p50')!;
  expect(sleep.places.map(({ target, place }) => [target, place])).toEqual([
    ['even', 1],
    ['slow-sleep', 2],
  ]);
  for (const value of sleep.places[1]!.values) expect(value).toBeGreaterThan(59e6);
  expect(outcome.stdout).toMatch(/p50 by tool +echo +sleep\n/);
  const locked = targets.find(({ name }) => name === 'locked')!;
  expect(locked.reason).toMatch(
    /^round 1: no session with .*: the event stream was answered 401 .*Does it need a token.*asked 9\)$/,
  );
  expect(locked.runs).toHaveLength(1);
});

test('a missed threshold is a reason, and nobody ranked is exit 1', async () => {
  file('one.yaml', 'targets: [{ name: slow, mock: { latency: 60ms } }]\n');
  file(
    'strict.yaml',
    `${readFileSync(join(cwd, 'scenario.yaml'), 'utf8')}thresholds: { call.response: "p(50) < 1ms" }\n`,
  );
  const outcome = await mcpBench(
    ['versus', 'one.yaml', 'strict.yaml', '--rounds', '1', '--out', 'strict.json'],
    { cwd },
  );
  expect(outcome.code).toBe(1);
  expect(read('strict.json').targets[0]!.reason).toMatch(
    /^round 1: threshold missed: call.response p\(50\) < 1ms/,
  );
  expect(outcome.stdout).toContain('No target could be ranked');
});

test('one that freezes is not ranked, though hardly a call of a closed loop fails', async () => {
  file('frozen.yaml', 'targets: [{ name: frozen, mock: { freeze: "1s,60s" } }]\n');
  file(
    'patient.yaml',
    `name: patient
sessions: 3
duration: 5s
load: { model: closed, inFlight: 1 }
calls: [{ tool: echo, arguments: { message: "call {{seq}}" } }]
timeouts: { call: 3s }
`,
  );
  const args = ['versus', 'frozen.yaml', 'patient.yaml', '--rounds', '1', '--out', 'frozen.json'];
  expect((await mcpBench(args, { cwd })).code).toBe(1);
  const [target] = read('frozen.json').targets;
  const { failed } = target!.runs[0]!.calls!;
  expect(failed).toBeGreaterThan(0);
  // Each of the three slots waits out a time limit of 3 s, at most twice in 5 s.
  expect(failed).toBeLessThanOrEqual(6);
  expect(target!.reason).toMatch(/^round 1: for [\d.]+ s the server answered nothing/);
});

test.skipIf(!hasProc)(
  'Ctrl-C stops the target, writes what is there, exits with 130 [needs /proc]',
  async () => {
    // The server is a grandchild: of us the command, of that a shell, of that the mock.
    const main = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
    file(
      'long.yaml',
      `targets:
  - name: shelled
    command: "echo $$ > pid; ${process.execPath} ${main} serve-mock --port {port} & wait"
    url: http://127.0.0.1:{port}/sse
`,
    );
    const child = spawn(
      process.execPath,
      [main, 'versus', 'long.yaml', 'scenario.yaml', '--duration', '100s', '--out', 'cut.json'],
      { cwd, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const pidFile = join(cwd, 'pid');
    await expect
      .poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim() !== '', { timeout: 60_000 })
      .toBe(true);
    const leader = Number(readFileSync(pidFile, 'utf8'));
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(130);
    expect(read('cut.json')).toMatchObject({ ended: 'interrupted', targets: [{ name: 'shelled' }] });
    // Its dead may wait for whoever inherited them: nobody of it is alive.
    expect(new ProcessTree(leader).members()).toEqual([]);
  },
);

describe('mistakes are told with file and line, before anything starts', () => {
  test.each([
    [
      'targets:\n  - name: a\n    comand: x\n',
      'bad.yaml:3:5: targets[0]: unknown key "comand"; did you mean "command"?',
    ],
    [
      'targets:\n  - name: a\n',
      'bad.yaml:2:5: targets[0]: expected command and url, url alone, or mock: true',
    ],
    ['targets:\n  - { name: a, command: x }\n', 'bad.yaml:2:5: targets[0]: "url" is missing'],
    ['targets:\n  - { name: a, mock: true, cwd: x }\n', 'bad.yaml:2:28: targets[0]: cwd is for a command'],
    [
      'targets:\n  - { name: a, url: "http://x:{port}/" }\n',
      'bad.yaml:2:16: targets[0]: {port} is for servers',
    ],
    [
      'targets:\n  - { name: a, mock: true }\n  - { name: a, mock: true }\n',
      'bad.yaml:3:7: targets[1]: a second target named "a"',
    ],
    ['targets:\n  - { name: a, mock: { latncy: 5ms } }\n', 'unknown key "latncy"; did you mean "latency"?'],
    [
      'targets:\n  - { name: a, mock: true, dialect: rcmp }\n',
      'bad.yaml:2:37: targets[0].dialect: expected one of',
    ],
    [
      'targets:\n  - name: a\n    mock: true\n    calls: [{ tool: x, arguments: { a: "{{nope}}" } }]\n',
      'bad.yaml:4:41: targets[0].calls[0].arguments.a: there is no template {{nope}}',
    ],
    ['targets: []\n', 'bad.yaml:1:10: targets: expected at least one target'],
    ['- a\n', 'bad.yaml:1:1: expected a map with targets'],
  ])('%j', async (text, message) => {
    file('bad.yaml', text);
    const outcome = await mcpBench(['versus', 'bad.yaml', 'scenario.yaml'], { cwd });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });

  test.each([
    [['--rounds', '0'], '--rounds: expected a whole number from 1 to 1000'],
    [['--only', 'x'], '--only: one.yaml has no target "x": it has slow'],
    [['--report', 'pdf=x'], '--report: expected kind=FILE with one of the kinds html, md, json'],
  ])('%j', async (flags, message) => {
    file('one.yaml', 'targets: [{ name: slow, mock: { latency: 60ms } }]\n');
    const outcome = await mcpBench(['versus', 'one.yaml', 'scenario.yaml', ...flags], { cwd });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });
});

test('--dry-run says what it would do', async () => {
  file('two.yaml', 'targets: [{ name: a, mock: true }, { name: b, mock: { latency: 5ms } }]\n');
  const outcome = await mcpBench(['versus', 'two.yaml', 'scenario.yaml', '--rounds', '2', '--dry-run'], {
    cwd,
  });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toContain('round 1: a, b\n  round 2: b, a\n');
  expect(outcome.stdout).toContain('closed loop, 1 in flight per session');
});
