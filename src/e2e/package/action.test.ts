import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runAction, type ActionOutcome, type Job } from './action.fixture.js';

// Starting processes takes seconds where the machine is busy, and an action starts many.
vi.setConfig({ testTimeout: 600_000 });

const main = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
const knownFigures = fileURLToPath(new URL('../fixtures/known-figures.mjs', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'mcp-bench-action-'));
const artifacts = join(place, 'artifacts');
const listed: Record<string, unknown>[] = [];
let api: Server;
let apiUrl = '';

beforeAll(async () => {
  mkdirSync(artifacts, { recursive: true });
  api = createServer((request, response) => {
    const asked = new URL(request.url!, 'http://api');
    const found = listed.filter(({ name }) => name === asked.searchParams.get('name'));
    const known = request.headers.authorization === 'Bearer secret-token';
    response.writeHead(known ? 200 : 403).end(JSON.stringify({ artifacts: found }));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(() => {
  api.close();
  rmSync(place, { recursive: true });
});

/** A job of a repository, in folders of its own. */
function newJob(name: string, env: Record<string, string> = {}): Job {
  const [workspace, temp] = [join(place, name, 'work'), join(place, name, 'temp')];
  for (const folder of [workspace, temp]) mkdirSync(folder, { recursive: true });
  const event = join(place, name, 'event.json');
  writeFileSync(event, JSON.stringify({ repository: { default_branch: 'trunk' } }));
  const github = {
    GITHUB_API_URL: apiUrl,
    GITHUB_SERVER_URL: `file://${place}/server`,
    GITHUB_REPOSITORY: 'me/it',
    GITHUB_SHA: 'abc',
    GITHUB_EVENT_PATH: event,
    GITHUB_EVENT_NAME: 'push',
    GITHUB_REF: 'refs/heads/trunk',
    RUNNER_TEMP: temp,
  };
  return { workspace, temp, artifacts, env: { ...github, ...env } };
}

function writeScenario(job: Job, file: string, name = 'tiny'): void {
  writeFileSync(
    join(job.workspace, file),
    `name: ${JSON.stringify(name)}
sessions: 8
load: { model: count, calls: 16 }
calls: [{ tool: echo, arguments: { message: hello }, expect: echo }]
`,
  );
}

async function freePort(): Promise<number> {
  const server = createNetServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The inputs that start a mock and measure it. */
async function mockInputs(): Promise<Record<string, string>> {
  const port = await freePort();
  const start = `echo starting; ${process.execPath} ${main} serve-mock --port ${port}`;
  return { start, target: `http://127.0.0.1:${port}/sse`, repeat: '4' };
}

/** Has all later runs of a job find this latency, however busy the machine is. */
function knowLatency(job: Job, p50Ms: number): void {
  job.env['NODE_OPTIONS'] = `--import=${knownFigures}`;
  job.env['KNOWN_FIGURES'] = JSON.stringify({ p50Ms });
}

test('the first run has no baseline and becomes it; a slower server then fails the job', async () => {
  const job = newJob('gate');
  writeScenario(job, 'load test.yaml');
  const given = { scenario: 'load test.yaml', baseline: 'artifact' };
  knowLatency(job, 300);
  const first = await runAction(job, { ...given, ...(await mockInputs()) });
  expect(first.exitCode, first.log).toBe(0);
  expect(first.outputs).toMatchObject({ 'exit-code': '0', 'baseline-found': 'false' });
  expect(first.log).toContain(
    '::notice title=mcp-bench::no artifact mcp-bench-baseline-load-test of trunk yet',
  );
  expect(first.summary).toContain('tiny');
  const kept = join(artifacts, 'mcp-bench-baseline-load-test');
  expect(first.outputs['verdict'], first.log).toBe('passed');
  expect(readdirSync(kept).sort()).toEqual([1, 2, 3, 4].map((number) => `run-${number}.json`));
  const uploaded = join(artifacts, 'mcp-bench-load-test');
  expect(readdirSync(uploaded).sort()).toEqual([
    ...[1, 2, 3, 4].map((number) => `report-${number}.html`),
    ...[1, 2, 3, 4].map((number) => `run-${number}.json`),
  ]);
  const ours = { repository_id: 1, head_repository_id: 1, head_branch: 'trunk' };
  const artifact = { name: 'mcp-bench-baseline-load-test', expired: false };
  listed.push(
    { ...artifact, created_at: '2026-01-03', workflow_run: { ...ours, id: 3, head_repository_id: 2 } },
    { ...artifact, created_at: '2026-01-01', workflow_run: { ...ours, id: 1 } },
  );

  job.env['GITHUB_EVENT_NAME'] = 'pull_request';
  job.env['GITHUB_REF'] = 'refs/pull/7/merge';
  const keptAt = statSync(join(kept, 'run-1.json')).mtimeMs;
  knowLatency(job, 600);
  const slower = await runAction(job, { ...given, ...(await mockInputs()) });
  expect(slower.outputs['baseline-found']).toBe('true');
  expect(statSync(join(kept, 'run-1.json')).mtimeMs).toBe(keptAt);
  expect(slower.exitCode, slower.log).toBe(4);
  expect(slower.outputs).toMatchObject({ verdict: 'regression', 'exit-code': '4' });
  expect(slower.log).toMatch(/^::error title=mcp-bench tiny%3A regression of p50::\+\d+/m);
  expect(slower.summary).toContain('<code>p50</code>');
  expect(readdirSync(slower.outputs['results']!)).toEqual(
    expect.arrayContaining(['comparison.html', 'comparison.json', 'comparison.md', 'comparison.xml']),
  );

  const other = { args: '--sessions\n3', repeat: '1' };
  const changed = await runAction(job, { ...given, ...(await mockInputs()), ...other });
  expect(changed.exitCode, changed.log).toBe(0);
  expect(changed.outputs).toMatchObject({ 'baseline-found': 'true', 'exit-code': '0' });
  expect(changed.outputs['verdict']).toBe('incomparable');
  expect(changed.log).toContain('::warning title=mcp-bench%3A not comparable with the baseline::');
});

test('thresholds fail or do not, as the workflow wishes, and hostile names stay text', async () => {
  const job = newJob('hostile');
  const name = '100%,a:b\n::error::x\r\n<img src=x> | `y`';
  writeScenario(job, '$(touch pwned);"x.yaml', name);
  const given = {
    scenario: '$(touch pwned);"x.yaml',
    args: '--threshold\n  calls: rate > 1000000/s\n--mock\nlatency=5ms',
    repeat: '1',
  };
  const failed = await runAction(job, given);
  expect(failed.exitCode, failed.log).toBe(99);
  expect(failed.outputs).toMatchObject({ verdict: 'thresholds', 'exit-code': '99' });
  const title = 'title=mcp-bench 100%25%2Ca%3Ab %3A%3Aerror%3A%3Ax <img src=x> | `y`%3A threshold missed';
  expect(failed.log).toContain(`::error ${title}::calls rate > 1000000/s: `);
  const commands = failed.log.split('\n').filter((line) => line.startsWith('::error'));
  expect(commands).toHaveLength(1);
  expect(failed.summary).not.toContain('<img');
  expect(readdirSync(job.workspace)).not.toContain('pwned');

  const calm = await runAction(job, { ...given, 'fail-on': 'never' });
  expect(calm.exitCode, calm.log).toBe(0);
  expect(calm.outputs).toMatchObject({ verdict: 'thresholds', 'exit-code': '99' });
});

test('a baseline can live in a branch', async () => {
  const remote = join(place, 'server', 'me', 'it.git');
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const job = newJob('branch');
  writeScenario(job, 'tiny.yaml');
  knowLatency(job, 300);
  const measure = async (scenario: string): Promise<ActionOutcome> =>
    runAction(job, { scenario, baseline: 'branch:bench/base', ...(await mockInputs()), repeat: '1' });
  const files = (): string =>
    execFileSync('git', ['-C', remote, 'ls-tree', '-r', '--name-only', 'bench/base'], { encoding: 'utf8' });
  const first = await measure('tiny.yaml');
  expect(first.exitCode, first.log).toBe(0);
  expect(first.outputs['baseline-found']).toBe('false');
  expect(first.log).toContain('::notice title=mcp-bench::no baseline yet in the branch bench/base');
  expect(files()).toBe('tiny/run.json\n');
  writeScenario(job, 'other.yaml', 'other');
  const second = await measure('other.yaml');
  expect(second.exitCode, second.log).toBe(0);
  expect(files()).toBe('other/run.json\ntiny/run.json\n');
  const third = await measure('tiny.yaml');
  expect(third.exitCode, third.log).toBe(0);
  expect(third.outputs['baseline-found']).toBe('true');
  expect(JSON.stringify(third)).not.toContain('secret-token');
});

test('the transport is found out; where a wrong one is named, the job says what the server speaks', async () => {
  const job = newJob('transports');
  writeScenario(job, 'tiny.yaml');
  const { target, ...inputs } = await mockInputs();
  const given = { scenario: 'tiny.yaml', ...inputs, repeat: '1', target: target!.replace('/sse', '/mcp') };
  const found = await runAction(job, given);
  expect(found.exitCode, found.log).toBe(0);
  const [file] = readdirSync(found.outputs['results']!).filter((name) => /^run.*json$/.test(name));
  const result = readFileSync(join(found.outputs['results']!, file!), 'utf8');
  expect(JSON.parse(result)).toMatchObject({ target: { transport: 'streamable', era: 'stateless' } });

  const wrong = await runAction(job, { ...given, args: '--transport\nsse' });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.outputs).toMatchObject({ verdict: 'failed', 'exit-code': '1' });
  expect(wrong.log).toMatch(
    /::error title=mcp-bench::.*this server speaks Streamable HTTP 2026-07-28 \(stateless\): use --transport streamable/,
  );
});

test.each([
  [
    'a server that ends',
    { start: 'echo no such port >&2; exit 7', target: 'http://127.0.0.1:9/sse' },
    /did not start: it ended with 7%0A.*no such port/,
  ],
  ['a start without a target', { start: 'sleep 1' }, /start: say with the input target/],
  ['no scenario', { scenario: 'none.yaml' }, /there is no file none\.yaml/],
  ['a fail-on that is not known', { 'fail-on': 'regresion' }, /fail-on: expected never, or any of/],
  [
    'a target that is not there',
    { target: 'http://127.0.0.1:9/sse', repeat: '1' },
    /cannot connect to 127\.0\.0\.1 port 9/,
  ],
])('%s fails the job, and says why', async (_, given, expected) => {
  const job = newJob('wrong');
  writeScenario(job, 'tiny.yaml');
  const outcome = await runAction(job, { scenario: 'tiny.yaml', ...given });
  expect(outcome.exitCode, outcome.log).toBe(1);
  expect(
    outcome.log
      .split('\n')
      .filter((line) => line.startsWith('::error title=mcp-bench::'))
      .join(''),
  ).toMatch(expected);
});

test('the steps name only inputs and outputs that there are', () => {
  const text = readFileSync(fileURLToPath(new URL('../../../action.yml', import.meta.url)), 'utf8');
  const inputs = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name!);
  for (const name of inputs) expect(text).toMatch(new RegExp(`^  ${name}:$`, 'm'));
});
