import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ProbeReport } from '../../probe/probe-report.js';
import { type CommandOutcome, mcpBench } from '../fixtures/command.fixture.js';
import { accepted, answer, event, streamHead } from '../fixtures/scripted-mcp.js';
import { type ScriptedConnection, ScriptedServer } from '../fixtures/scripted-server.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const mostBytesAbove = 300 * 1024 * 1024;
const preload = fileURLToPath(new URL('../fixtures/peak-memory.mjs', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-tools-'));
afterAll(() => rmSync(cwd, { recursive: true }));
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

interface Measured extends CommandOutcome {
  readonly peakBytes: number;
}

async function measured(args: readonly string[]): Promise<Measured> {
  const file = join(cwd, `peak-${Math.random()}`);
  const outcome = await mcpBench(args, {
    cwd,
    env: { PEAK_MEMORY_FILE: file },
    wrap: ([node, ...rest]) => [node!, '--import', preload, ...rest],
  });
  return { ...outcome, peakBytes: Number(readFileSync(file, 'utf8')) };
}

const probing = (url: string): Promise<Measured> =>
  measured(['probe', url, '--listen', '0s', '--calls', '2', '--timeout', '5s', '--json']);
const drafting = (url: string): Promise<Measured> => measured(['init', url, '--out', '-', '--timeout', '5s']);

/** What is answered to `tools/list`: the text of the result, by the number of the page. */
type Listing = (page: number) => string;

const good = '{"name":"good","inputSchema":{"type":"object"}}';
const listed = (...tools: string[]): string => `{"tools":[${tools.join(',')}]}`;
const withSchema = (name: string, inputSchema: object): string => JSON.stringify({ name, inputSchema });

/** An HTTP+SSE server whose tools are listed so, and which answers every other request with an empty result. */
async function serving(listing: Listing): Promise<string> {
  let page = 0;
  const streams: ScriptedConnection[] = [];
  server = await ScriptedServer.listen(({ method, target, body, connection }) => {
    if (method === 'GET') {
      connection.write(streamHead + event(`/messages?sessionId=${streams.push(connection) - 1}`, 'endpoint'));
      return;
    }
    const stream = streams[Number(/sessionId=(\d+)$/.exec(target)?.[1] ?? -1)];
    const message = stream === undefined ? null : messageOf(body);
    if (stream === undefined || message === null) return connection.write(answer(400));
    connection.write(accepted);
    const { id, method: asked } = message;
    if (id === undefined) return;
    const result =
      asked === 'initialize' ? hello : asked === 'tools/list' ? listing(page++) : '{"content":[]}';
    stream.write(event(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`));
  });
  return `${server.origin}/sse`;
}

const hello = JSON.stringify({
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'hostile', version: '1' },
});

function messageOf(body: string): { id?: number; method?: string } | null {
  try {
    return JSON.parse(body) as { id?: number; method?: string };
  } catch {
    return null;
  }
}

let ordinaryBytes = 0;
beforeAll(async () => {
  const { code, peakBytes } = await probing(await serving(() => listed(good)));
  expect(code).toBe(0);
  ordinaryBytes = peakBytes;
  await server?.close();
});

function holds({ code, stderr, peakBytes }: Measured): void {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect((peakBytes - ordinaryBytes) / 1e6).toBeLessThan(mostBytesAbove / 1e6);
}

const required = (schema: unknown, more: object = {}): object => ({
  type: 'object',
  properties: { x: schema },
  required: ['x'],
  ...more,
});
const selfReferring = (): object => {
  const names = Array.from({ length: 10 }, (_, at) => `p${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
  return { type: 'object', properties, required: names };
};

// The schema of a tool called `bad`, and what is said of it: why it is left out, or what was left out of account.
const badSchemas: [string, object | string, RegExp][] = [
  [
    'ten required properties that refer to the whole',
    selfReferring(),
    /refers to itself, or branches, too often/,
  ],
  ['a text of half a billion', required({ type: 'string', minLength: 5e8 }), /more than 65,536 characters/],
  [
    'a message of half a billion',
    {
      properties: { message: { type: 'string', minLength: 5e8 } },
      required: ['message'],
    },
    /more than 65,536 characters/,
  ],
  ['a list of half a billion', required({ type: 'array', minItems: 5e8 }), /more than 5,000 values/],
  [
    'a list of half a billion that differ',
    required({ type: 'array', minItems: 5e8, uniqueItems: true }),
    /more than 5,000 values/,
  ],
  [
    'lists in lists',
    required({ type: 'array', minItems: 99, items: { $ref: '#/properties/x' } }),
    /more than 5,000 values/,
  ],
  [
    'a pattern that backtracks for ever',
    required({ pattern: '^(a+)+\\B$', minLength: 40 }),
    /takes too long to check/,
  ],
  ['an argument that YAML cannot hold', required({}, { required: ['__proto__'] }), /the name __proto__/],
  [
    'a hundred thousand levels',
    `{"name":"bad","inputSchema":${'{"items":'.repeat(1e5)}{}${'}'.repeat(1e5)}}`,
    /nested deeper than 64 levels/,
  ],
  [
    'a hundred thousand choices',
    required({ enum: Array.from({ length: 1e5 }, (_, at) => at) }),
    /more than 20,000 values/,
  ],
  [
    'a description without end',
    JSON.stringify({ name: 'bad', description: 'd'.repeat(5e6) }),
    /more than 1,000,000 characters/,
  ],
  ['a name without end', JSON.stringify({ name: 'n'.repeat(5e6) }), /its name has 5,000,000 characters/],
  ['a name that is an object', '{"name":{"toString":1}}', /it has no name/],
];

// What is said of these is a doubt: they are called like any other.
const oddSchemas: object[] = [
  required({ $ref: 5 }),
  required({ enum: 'x' }),
  required({ $ref: '#/%E0%A4%A' }),
  required(
    { $ref: '#/$defs/a' },
    { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { anyOf: [{ $ref: '#/$defs/a' }] } } },
  ),
  required({ allOf: 5, anyOf: {}, oneOf: 'x' }),
  required({ properties: null, type: 'object' }),
  required({ type: 'object', properties: 'x', required: { x: 1 } }),
  required({ pattern: 'a{500000000}' }),
  required({ pattern: '(((a{1000}){1000}){1000})' }),
  required({ pattern: '('.repeat(2000) + ')'.repeat(2000) }),
  required({ pattern: '[' }),
  required({ format: 'constructor', minLength: -1, maxLength: 'x' }),
  required({ type: { toString: 1 } }),
  required({ type: 'number', minimum: 1e308, multipleOf: 1e-300, maximum: '5' }),
  required({ default: { a: '{{env HOME}}' } }),
  required(null),
  required([[[]]]),
  { $ref: '#' },
  { properties: [], required: 'x' },
  { allOf: [{ $ref: '#' }] },
];

describe('a bad tool is left out with its reason, and the rest is surveyed', () => {
  test.each(badSchemas)('%s', async (_, schema, reason) => {
    const bad = typeof schema === 'string' ? schema : withSchema('bad', schema);
    const url = await serving(() => listed(bad, good));
    const probed = await probing(url);
    holds(probed);
    const { tools, calls } = JSON.parse(probed.stdout) as ProbeReport;
    const reasons = [
      ...tools.leftOut.map((each) => each.reason),
      ...tools.tools.flatMap(({ unfit }) => unfit ?? []),
    ];
    expect(reasons).toEqual([expect.stringMatching(reason)]);
    expect(calls.tool).toBe('good');
    const drafted = await drafting(url);
    holds(drafted);
    expect(drafted.stdout).toMatch(/^ {2}- \{ tool: good, weight: 5 \}$/m);
    expect(drafted.stdout.split('\n').filter((line) => line.startsWith('  # Left out, since'))).toEqual([
      expect.stringMatching(reason),
    ]);
  });

  test('what can be made out of odd schemas is surveyed with its doubts', async () => {
    const tools = oddSchemas.map((schema, at) => withSchema(`odd${at}`, schema));
    const url = await serving(() => listed(good, ...tools));
    const probed = await probing(url);
    holds(probed);
    expect((JSON.parse(probed.stdout) as ProbeReport).tools).toMatchObject({ leftOut: [], problem: null });
    const page = await mcpBench(['probe', url, '--listen', '0s', '--calls', '2'], { cwd });
    expect(page).toMatchObject({ code: 0, stderr: '' });
    expect(page.stdout).toContain(`${oddSchemas.length + 1} tools`);
    const drafted = await drafting(url);
    holds(drafted);
    expect(drafted.stdout.match(/^ {2}- \{ tool: /gm)).toHaveLength(oddSchemas.length + 1);
    expect(drafted.stdout).toContain('Not sure: x: `$ref` is not a text');
  });
});

describe('a list that is too long ends, and its beginning is surveyed', () => {
  const many = (from: number, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `{"name":"t${from + at}","inputSchema":{"type":"object"}}`);
  const page = (tools: readonly string[], nextCursor: string): string =>
    `{"tools":[${tools.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`;

  test.each<[string, Listing, RegExp, number]>([
    ['cursors without end', (at) => page([`{"name":"t${at}"}`], `c${at}`), /more than 100 pages/, 100],
    [
      'a cursor that comes again',
      (at) => page([`{"name":"t${at}"}`], 'c'),
      /page 2 has the cursor of a page before/,
      2,
    ],
    [
      'a cursor of a megabyte',
      (at) => page([`{"name":"t${at}"}`], 'c'.repeat(1e6)),
      /1,000,000 characters/,
      1,
    ],
    ['a million tools by pages', (at) => page(many(at * 1e4, 1e4), `c${at}`), /2,000 tools are enough/, 2000],
    ['a hundred thousand at once', () => listed(...many(0, 1e5)), /2,000 tools are enough/, 2000],
    [
      'large tools',
      (at) => page([JSON.stringify({ name: `t${at}`, description: 'd'.repeat(9e5) })], `c${at}`),
      /too large together/,
      18,
    ],
    [
      'pages of nothing but weight',
      (at) => `{"tools":[],"nextCursor":"${at}","x":"${'x'.repeat(4e6)}"}`,
      /more than 32 MiB/,
      0,
    ],
  ])('%s', async (_, listing, problem, count) => {
    const url = await serving(listing);
    const probed = await probing(url);
    holds(probed);
    const { tools } = JSON.parse(probed.stdout) as ProbeReport;
    expect(tools.problem).toMatch(problem);
    expect(tools.tools).toHaveLength(count);
    await server!.close();
    const drafted = await drafting(await serving(listing));
    holds(drafted);
    expect(drafted.stdout).toMatch(problem);
  });

  // What cannot be read at all is a problem of the list, and no end of the probe.
  test.each<[string, () => string, RegExp]>([
    ['five million values', () => `{"tools":[${'{},'.repeat(5e6)}1]}`, /more than 500,000 values/],
    [
      'millions of levels',
      () => `{"tools":${'['.repeat(6e6)}${']'.repeat(6e6)}}`,
      /more than 500,000 values/,
    ],
  ])('%s', async (_, result, problem) => {
    const text = result();
    const url = await serving(() => text);
    const probed = await probing(url);
    holds(probed);
    expect((JSON.parse(probed.stdout) as ProbeReport).tools.problem).toMatch(problem);
    holds(await drafting(url));
  });
});
