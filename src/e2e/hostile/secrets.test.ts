import { createServer } from 'node:http';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CommandOutcome, mcpBench } from '../fixtures/command.fixture.js';
import { answer, event, streamHead } from '../fixtures/scripted-mcp.js';
import type { ScriptedRequest, ScriptedServer } from '../fixtures/scripted-server.js';
import { serveSurvey, type SurveyScript } from '../fixtures/survey-server.js';
import type { RunResult } from '../../result/result.js';
import { runReportKinds } from '../../cli/reports/run-reports.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

/** One of each kind, all of them different from their first letters on. */
const planted = {
  query: 'Qry1-aa0b9c8d7e',
  otherQuery: 'qx/2 b8&c7=d6e5f4',
  path: 'pth3f0c9a4e1d2b4c6fa1e0aa77b2',
  header: 'Hdr4 k3y-with-3-parts',
  flagHeader: 'flg5-9b8a7c6d',
  cookie: 'ck6-0f9e8d7c6b',
  token: 'tkn7.eyJhbGciOi.J9x-y_z',
  basicPassword: 'bsc8-open-sesame',
  envHeader: 'eh9-2c4d6e8f00',
  envArgument: 'ea10-1a3b5c7d9e',
  privateKey: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIB',
  otlpHeader: 'oh12-77aa66bb55',
  otlpQuery: 'oq13-44cc33dd22',
  versusEnv: 've14-a0a1a2a3a4',
  versusFlag: 'vf15-b0b1b2b3b4',
  user: 'usr16-c0c1c2c3',
  password: 'pw17-d0d1d2d3d4',
};

const environment = {
  GITHUB_ACTIONS: 'true',
  // In the folder of each command, and searched like all that is written there.
  GITHUB_STEP_SUMMARY: 'step-summary.md',
  PLANTED_TOKEN: planted.token,
  PLANTED_HEADER: planted.envHeader,
  PLANTED_ARGUMENT: planted.envArgument,
  OTEL_EXPORTER_OTLP_HEADERS: `x-otlp-key=${planted.otlpHeader}`,
};

const basic = Buffer.from(`someone:${planted.basicPassword}`).toString('base64');

// Not a word of theirs may be left: neither whole nor cut, however it is written.
function found(text: string): string[] {
  const lower = text.toLowerCase();
  return Object.entries(planted).flatMap(([name, secret]) =>
    [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      secret.replaceAll('&', '&amp;'),
      Buffer.from(secret).toString('base64').slice(0, 16),
      secret.slice(0, 7),
      encodeURIComponent(secret).slice(0, 9),
    ]
      .filter((form) => lower.includes(form.toLowerCase()))
      .map(
        (form) =>
          `${name} as ${form}: …${text.slice(Math.max(0, lower.indexOf(form.toLowerCase()) - 60)).slice(0, 120)}`,
      ),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that a server has been told, in every way in which a careless one gives it back. */
function echoOf({ target, headers, body }: ScriptedRequest): string {
  const told = [...headers].map(([name, values]) => `${name}: ${values.join(', ')}`).join(' ');
  return `refused ${target} = ${decodeURIComponent(target)} ${told} ${encodeURIComponent(told)} key <${planted.otherQuery.replace('&', '&amp;')}> ${body}`;
}

let get: ScriptedRequest | null = null;
const remember = (request: ScriptedRequest): void => void (get = request);

/** How the server leaks; a new way is one more line. */
const leaks: Record<string, SurveyScript> = {
  'in its name, its endpoint and the errors of its tool': {
    serverInfo: { name: `for ${planted.query}`, version: planted.flagHeader },
    stream: (request, ordinal) => {
      remember(request);
      const query = encodeURIComponent(planted.query);
      return streamHead + event(`/messages?sessionId=${ordinal}&api_key=${query}`, 'endpoint');
    },
    respond: ({ method, params }, post) => {
      if (method !== 'tools/call' || !JSON.stringify(params).includes('fail')) return undefined;
      // At most of these lengths an example is cut in the middle of something.
      const pad = '.'.repeat((params?.arguments?.message?.length ?? 0) % 40);
      return {
        result: { isError: true, content: [{ type: 'text', text: pad + echoOf(get!) + echoOf(post) }] },
      };
    },
  },
  'in the refusal of initialize': {
    stream: (request, ordinal) => {
      remember(request);
      return streamHead + event(`/messages?sessionId=${ordinal}`, 'endpoint');
    },
    respond: ({ method }, post) =>
      method === 'initialize' ? { error: { code: -1, message: echoOf(post) } } : undefined,
  },
  'in an endpoint of no use': {
    stream: (request) =>
      `${streamHead}event: endpoint\ndata: ${request.target}&\u0001x=${request.headers.get('authorization')?.[0]}\n\n`,
  },
  'in a redirect': {
    stream: (request) =>
      answer(302, echoOf(request), [`Location: https://127.0.0.1:1${request.target}&again=1`]),
  },
  'in a type that is none': {
    stream: (request) => answer(200, '', [`Content-Type: text/${request.headers.get('x-flag')?.[0]}`]),
  },
};

const all = (flag: string, name: string, kinds: readonly string[]): string[] =>
  kinds.flatMap((kind) => [flag, `${kind}=${name}.${kind}`]);
const otlp = { url: '' };
const flags = ['--header', `X-Flag: ${planted.flagHeader}`];
const quick = ['--timeout', '2s', ...flags];

const commands: Record<string, (url: string) => readonly string[]> = {
  run: (url) => [
    'run',
    'call.yaml',
    '--target',
    url,
    ...flags,
    '--out',
    'result.json',
    ...all('--report', 'r', runReportKinds),
    '--otlp',
    otlp.url,
  ],
  calibrate: (url) => [
    'calibrate',
    'call.yaml',
    '--target',
    url,
    ...flags,
    '--runs',
    '5',
    '--no-ceiling',
    '--out',
    'calibration.json',
  ],
  'run --dry-run': (url) => ['run', 'call.yaml', '--target', url, ...flags, '--dry-run'],
  probe: (url) => ['probe', url, '--listen', '0s', '--calls', '2', ...quick],
  'probe --json': (url) => ['probe', url, '--listen', '0s', '--calls', '2', '--json', ...quick],
  init: (url) => ['init', url, '--out', 'drafted.yaml', ...quick],
  ceiling: (url) => ['ceiling', url, '--duration', '100ms', '--connections', '2', ...quick],
  'ceiling --json': (url) => [
    'ceiling',
    url,
    '--duration',
    '100ms',
    '--connections',
    '2',
    '--json',
    ...quick,
  ],
  versus: () => [
    'versus',
    'targets.yaml',
    'call.yaml',
    '--rounds',
    '1',
    '--out',
    'versus.json',
    ...all('--report', 'v', ['html', 'md', 'json']),
  ],
  'versus --json': () => [
    'versus',
    'targets.yaml',
    'call.yaml',
    '--rounds',
    '1',
    '--out',
    'versus.json',
    '--json',
  ],
  'versus --dry-run': () => ['versus', 'targets.yaml', 'call.yaml', '--rounds', '1', '--dry-run'],
};

const collector = createServer((request, response) => {
  // A careless one, too.
  response.writeHead(403).end(`${request.url} ${JSON.stringify(request.headers)}`);
  request.resume();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  otlp.url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/metrics?otlp=${planted.otlpQuery}`;
});
afterAll(() => void collector.close());

const urlOf = (server: ScriptedServer): string =>
  `${server.origin}/${planted.path}/sse?api_key=${planted.query}&k=${encodeURIComponent(planted.otherQuery)}`;

function prepare(url: string): string {
  const cwd = mkdtempSync(join(folder, 'x-'));
  mkdirSync(join(cwd, 'in'));
  const target = [
    `  headers:`,
    `    X-Api-Key: '${planted.header}'`,
    `    X-Basic: 'Basic ${basic}'`,
    `    Cookie: 'theme=dark; sid=${planted.cookie}'`,
    `    X-Env: '{{env PLANTED_HEADER}}'`,
    `  token: $PLANTED_TOKEN`,
  ];
  const calls = [
    `calls:`,
    `  - { tool: echo, arguments: { message: 'hello {{seq}}' } }`,
    `  - { tool: echo, name: failing, arguments: { message: 'fail {{seq}} {{env PLANTED_ARGUMENT}}' } }`,
  ];
  const load = [
    'sessions: 1',
    'load: { model: count, calls: 40 }',
    'workers: 1',
    'timeouts: { connect: 2s, handshake: 2s, call: 2s }',
  ];
  writeFileSync(join(cwd, 'call.yaml'), ['target:', ...target, ...load, ...calls, ''].join('\n'));
  const failing = `node -e "console.error(process.env.API_SECRET, process.argv); process.exit(1)" -- --api-key=${planted.versusFlag}`;
  const targets = [
    'targets:',
    `  - name: leaky`,
    `    url: '${url}'`,
    `    ready: 2s`,
    `    headers: { X-Flag: '${planted.flagHeader}', X-Api-Key: '${planted.header}' }`,
    `  - name: crashing`,
    `    command: '${failing}'`,
    `    url: 'http://127.0.0.1:{port}/sse?api_key=${planted.query}'`,
    `    env: { API_SECRET: '${planted.versusEnv}' }`,
    `    ready: 2s`,
  ];
  writeFileSync(join(cwd, 'targets.yaml'), `${targets.join('\n')}\n`);
  return cwd;
}

/** Where a secret is left: in what was printed, or in a file that was written. */
function leaked(cwd: string, { stdout, stderr }: CommandOutcome): string[] {
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !['call.yaml', 'targets.yaml', 'key.pem'].includes(entry.name))
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')] as const);
  return [['stdout', stdout], ['stderr', stderr], ...files].flatMap(([name, text]) =>
    found(text!).map((secret) => `${name}: ${secret}`),
  );
}

describe.each(Object.entries(leaks))('from a server that gives them back %s', (_, script) => {
  test.each(Object.entries(commands))('no secret is left by %s', async (command, argumentsFor) => {
    const server = await serveSurvey(script);
    const cwd = prepare(urlOf(server));
    const outcome = await mcpBench(argumentsFor(urlOf(server)), { cwd, env: environment });
    await server.close();
    expect(outcome.code, outcome.stderr).toBeLessThan(130);
    expect(leaked(cwd, outcome), command).toEqual([]);
  });
});

test('what was stored is as clean where it is read again: report, compare, history', async () => {
  const server = await serveSurvey(Object.values(leaks)[0]);
  const cwd = prepare(urlOf(server));
  const run = (name: string) => [
    'run',
    'call.yaml',
    '--target',
    urlOf(server),
    ...flags,
    '--out',
    `results/${name}.json`,
    '--quiet',
  ];
  for (const name of ['a', 'b']) await mcpBench(run(name), { cwd, env: environment });
  const compared = [
    '--baseline',
    'results',
    ...all('--comparison-report', 'cr', ['html', 'md', 'junit', 'json']),
  ];
  const again = await mcpBench([...run('again'), '--repeat', '2', ...compared], { cwd, env: environment });
  expect(readdirSync(cwd)).toEqual(expect.arrayContaining(['cr.json', 'step-summary.md']));
  expect(leaked(cwd, again)).toEqual([]);
  await server.close();
  // As an older version stored it, and nothing in the environment says what is secret.
  const old = readFileSync(join(cwd, 'results/a.json'), 'utf8').replaceAll(
    '?api_key=***',
    `?api_key=${planted.query}`,
  );
  expect(old).toContain(planted.query);
  mkdirSync(join(cwd, 'old'));
  writeFileSync(join(cwd, 'old/call.yaml'), old);
  cpSync(join(cwd, 'old/call.yaml'), join(cwd, 'old/targets.yaml'));
  for (const args of [
    ['report', 'results/a.json', ...all('--report', 'again', runReportKinds)],
    ['report', 'old/call.yaml', ...all('--report', 'older', runReportKinds)],
    ['report', 'old/call.yaml', '--otlp', otlp.url],
    [
      'compare',
      'results/a.json',
      '--against',
      'results/b.json',
      ...all('--report', 'c', ['html', 'md', 'junit', 'json']),
    ],
    ['history', 'call', '--in', 'results', ...all('--report', 'h', ['html', 'json'])],
  ]) {
    const outcome = await mcpBench(args, { cwd, env: environment });
    expect(leaked(cwd, outcome), args.join(' ')).toEqual([]);
  }
});

test('the rest of what a server said is still there', async () => {
  const server = await serveSurvey(Object.values(leaks)[0]);
  const cwd = prepare(urlOf(server));
  const args = commands['run']!(urlOf(server));
  await mcpBench([...args, '--quiet'], { cwd, env: environment });
  const drafted = await mcpBench(commands['init']!(urlOf(server)), { cwd, env: environment });
  const again = { MCP_API_KEY: planted.query, MCP_K: planted.otherQuery, MCP_PATH: planted.path };
  const next = ['run', 'drafted.yaml', '--quiet', '--duration', '1s', '--out', 'next.json', ...flags];
  const ran = await mcpBench(next, { cwd, env: again });
  await server.close();
  const { target, examples, scenario } = JSON.parse(
    readFileSync(join(cwd, 'result.json'), 'utf8'),
  ) as RunResult;
  expect(target.url).toBe(`${server.origin}/***/sse?api_key=***&k=***`);
  expect(target.server).toEqual({ name: 'for ***', version: '***' });
  expect(examples['toolError']).toMatch(/refused \/\*\*\*\/sse\?api_key=\*\*\*/);
  expect(scenario.target.headers).toMatchObject({ 'X-Api-Key': '***', Authorization: '***' });
  expect(drafted.stdout).toMatch(/Next: MCP_PATH=… MCP_API_KEY=… MCP_K=… mcp-bench run drafted\.yaml/);
  expect(ran.stderr).toBe('');
  const { totals } = JSON.parse(readFileSync(join(cwd, 'next.json'), 'utf8')) as RunResult;
  expect(totals.started).toBeGreaterThan(0);
  expect(totals.outcomes.ok).toBe(totals.started);
});

test('mistakes and failures do not give them away', async () => {
  const cwd = prepare('http://127.0.0.1:1/sse');
  const key = `-----BEGIN PRIVATE KEY-----\n${planted.privateKey}\n-----END PRIVATE KEY-----\n`;
  writeFileSync(join(cwd, 'key.pem'), key);
  const tls = `target: { url: 'https://127.0.0.1:1/sse?key=${planted.query}', tls: { cert: key.pem, key: key.pem } }\nsessions: 1\nload: { model: count, calls: 1 }\ncalls: [{ method: ping }]\n`;
  writeFileSync(join(cwd, 'in', 'call.yaml'), tls.replaceAll('key.pem', '../key.pem'));
  const { query, user, password, header } = planted;
  for (const args of [
    ['run', 'call.yaml', '--target', `http://127.0.0.1:1/sse?api_key=${query}`],
    ['run', 'call.yaml', '--target', `http://${user}:${password}@127.0.0.1:1/sse`],
    ['run', 'call.yaml', '--target', `htp://${user}:${password}@127.0.0.1:1/sse?api_key=${query}`],
    ['run', 'call.yaml', '--target', `127.0.0.1:1/sse?api_key=${query}`],
    ['run', 'call.yaml', `http://127.0.0.1:1/sse?api_key=${query}`],
    ['run', 'call.yaml', '--header', header],
    ['run', 'call.yaml', `X-Api-Key: ${header}`],
    ['run', 'call.yaml', `Authorization: Bearer ${planted.token}`],
    ['run', 'in/call.yaml'],
    ['run', 'in/call.yaml', '--dry-run'],
    ['probe', `http://${user}:${password}@127.0.0.1:1/sse`],
    ['probe', `https://127.0.0.1:1/${planted.path}/sse?x=${query}`],
    ['init', `http://127.0.0.1:1/sse?api_key=${query}`],
    ['ceiling', `http://127.0.0.1:1/sse?api_key=${query}`],
    ['ceiling', `http://192.0.2.1:1/sse?api_key=${query}`, '--timeout', '200ms'],
    ['report', 'none.json', '--otlp', `http://${user}:${password}@h/`],
  ]) {
    const outcome = await mcpBench(args, { cwd, env: environment });
    if (!args.includes('--dry-run')) expect(outcome.code, args.join(' ')).toBeGreaterThan(0);
    expect(outcome.stderr).not.toMatch(/ {4}at /);
    expect(leaked(cwd, outcome), args.join(' ')).toEqual([]);
  }
});
