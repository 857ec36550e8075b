import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadScenario, planScenario } from './load-scenario.js';
import type { Plan } from './plan.js';
import type { ScenarioInput } from './schema.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-scenario-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const least: ScenarioInput = {
  sessions: 10,
  load: { model: 'closed' },
  duration: '5s',
  calls: [{ tool: 'echo', arguments: { message: 'hi' } }],
};

test('the least that can be said gets all the defaults', () => {
  expect(planScenario(least)).toEqual({
    name: 'scenario',
    seed: 1,
    scenarioHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    target: {
      url: '',
      transport: 'auto',
      protocol: 'auto',
      listen: false,
      dialect: 'auto',
      headers: {},
      unixSocket: null,
      tls: { ca: null, cert: null, key: null, verify: true },
      allowForeignEndpoint: false,
    },
    sessions: {
      count: 10,
      openPerSec: null,
      lifetimeCalls: null,
      lifetimeNs: null,
      end: 'close',
      reconnect: true,
      idle: 0,
    },
    posts: { mode: 'serial' },
    warmupNs: 0,
    phases: [{ name: 'main', durationNs: 5e9, load: { model: 'closed', inFlight: 1, thinkNs: 0 } }],
    operations: [
      {
        name: 'echo',
        method: 'tools/call',
        tool: 'echo',
        weight: 1,
        arguments: { message: 'hi' },
        expect: [],
        timeoutNs: 30e9,
        cancelAfterNs: null,
      },
    ],
    data: {},
    timeouts: { connectNs: 5e9, handshakeNs: 10e9, callNs: 30e9, idleNs: null },
    openLoop: { inFlight: 16, queue: null },
    pacing: 'auto',
    thresholds: [],
    workers: Math.max(1, Math.min(10, availableParallelism() - 1)),
    tags: {},
  } satisfies Plan);
});

test('a scenario file that says everything', () => {
  write('ca.pem', '-----BEGIN CERTIFICATE-----\nca\n');
  write('cert.pem', '-----BEGIN CERTIFICATE-----\ncert\n');
  write('key.pem', '-----BEGIN PRIVATE KEY-----\nkey\n');
  write('users.csv', 'name,age\nAnn,31\nBob,7\n');
  write('docs.jsonl', '{"id":1}\n{"id":2}\n{"id":3}\n');
  process.env['MCP_BENCH_TEST_TOKEN'] = 'secret';
  const file = write(
    'full.yaml',
    `
name: everything
target:
  url: https://[::1]:8443/mcp/{session}
  transport: streamable
  protocol: 2025-11-25
  listen: true
  dialect: workspace
  headers: { X-Tenant: 7, X-User: "u-{{env MCP_BENCH_TEST_TOKEN}}" }
  token: $MCP_BENCH_TEST_TOKEN
  unixSocket: run/mcp.sock
  tls: { ca: ca.pem, cert: cert.pem, key: key.pem, verify: false }
  allowForeignEndpoint: true
sessions: { count: 200, open: 30/min, lifetime: { calls: 5, time: 1m30s }, end: abandon, reconnect: false, idle: 95% }
posts: { mode: shared, connections: 4 }
warmup: 500ms
phases:
  - { duration: 10s, load: { model: closed, inFlight: 4, think: 20ms } }
  - { name: poisson, duration: 1m, load: { model: rate, perSecond: 600/min, arrivals: poisson } }
  - { name: up, duration: 5s, load: { model: ramp, from: 0, to: 1000 } }
  - name: stairs
    load: { model: steps, steps: [{ perSecond: 10, duration: 1s }, { perSecond: 20/s, duration: 2s }] }
  - { name: bursts, duration: 3s, load: { model: burst, calls: 8, every: 250ms } }
  - { name: counted, load: { model: count, calls: 5000, inFlight: 2 } }
calls:
  - { tool: echo, weight: 0.5, arguments: { message: "{{users.name}} {{seq}}", n: "{{number users.age}}" }, expect: echo }
  - { tool: echo, name: echo-2, expect: [{ isError: true, size: { min: 1KB, max: 2KiB } }, { path: "content[0].text", equals: "{{docs.id}}" }] }
  - { method: resources/read, params: { uri: "x:{{docs.id}}" }, timeout: 2s, cancelAfter: 1s, expect: { size: { min: 1 } } }
data: { users: users.csv, docs: { file: docs.jsonl, order: shuffled } }
timeouts: { connect: 1s, handshake: 2s, call: 3s, idle: 1h }
openLoop: { inFlight: 2, queue: 100 }
pacing: spin
seed: 42
workers: 2
tags: { branch: main, build: 7, clean: true }
thresholds:
  call.response: ["p(99) < 250ms", { rule: "max < 1s", abortOnFail: true }]
  "call.response{tool:echo-2,phase:up}": mean < 20ms
  errors: rate < 0.1%
`.replaceAll('\n', '\r\n'),
  );
  const plan = loadScenario(file);
  expect(plan).toMatchObject({
    name: 'everything',
    seed: 42,
    target: {
      url: 'https://[::1]:8443/mcp/{session}',
      transport: 'streamable',
      protocol: '2025-11-25',
      listen: true,
      dialect: 'workspace',
      headers: { 'X-Tenant': '7', 'X-User': 'u-secret', Authorization: 'Bearer secret' },
      unixSocket: join(folder, 'run/mcp.sock'),
      tls: { verify: false },
      allowForeignEndpoint: true,
    },
    sessions: {
      count: 200,
      openPerSec: 0.5,
      lifetimeCalls: 5,
      lifetimeNs: 90e9,
      end: 'abandon',
      reconnect: false,
      idle: 190,
    },
    posts: { mode: 'shared', connections: 4 },
    warmupNs: 500e6,
    phases: [
      { name: 'phase-1', durationNs: 10e9, load: { model: 'closed', inFlight: 4, thinkNs: 20e6 } },
      { name: 'poisson', durationNs: 60e9, load: { model: 'rate', perSecond: 10, arrivals: 'poisson' } },
      {
        name: 'up',
        durationNs: 5e9,
        load: { model: 'ramp', fromPerSecond: 0, toPerSecond: 1000, arrivals: 'uniform' },
      },
      {
        name: 'stairs',
        durationNs: 3e9,
        load: {
          model: 'steps',
          steps: [
            { perSecond: 10, durationNs: 1e9 },
            { perSecond: 20, durationNs: 2e9 },
          ],
        },
      },
      { name: 'bursts', durationNs: 3e9, load: { model: 'burst', calls: 8, everyNs: 250e6 } },
      { name: 'counted', durationNs: null, load: { model: 'count', calls: 5000, inFlight: 2 } },
    ],
    operations: [
      { name: 'echo', weight: 0.5, expect: [{ kind: 'echo' }], timeoutNs: 3e9 },
      {
        name: 'echo-2',
        tool: 'echo',
        arguments: {},
        expect: [
          { kind: 'isError', value: true },
          { kind: 'size', minBytes: 1000, maxBytes: 2048 },
          { kind: 'equals', path: 'content[0].text', value: '{{docs.id}}' },
        ],
      },
      {
        name: 'resources/read',
        method: 'resources/read',
        tool: null,
        arguments: { uri: 'x:{{docs.id}}' },
        timeoutNs: 2e9,
        cancelAfterNs: 1e9,
        expect: [{ kind: 'size', minBytes: 1, maxBytes: Number.MAX_SAFE_INTEGER }],
      },
    ],
    data: {
      users: [
        { name: 'Ann', age: '31' },
        { name: 'Bob', age: '7' },
      ],
    },
    timeouts: { connectNs: 1e9, handshakeNs: 2e9, callNs: 3e9, idleNs: 3600e9 },
    openLoop: { inFlight: 2, queue: 100 },
    pacing: 'spin',
    workers: 2,
    tags: { branch: 'main', build: '7', clean: 'true' },
    thresholds: [
      { metric: 'call.response', rule: 'p(99) < 250ms', abortOnFail: false },
      { metric: 'call.response', rule: 'max < 1s', abortOnFail: true },
      { metric: 'call.response{tool:echo-2,phase:up}', rule: 'mean < 20ms', abortOnFail: false },
      { metric: 'errors', rule: 'rate < 0.1%', abortOnFail: false },
    ],
  });
  expect(plan.target.tls.key).toContain('PRIVATE KEY');
  expect(plan.data['docs']!.map(({ id }) => id as number).sort()).toEqual([1, 2, 3]);
});

test('a file without a name gives its own', () => {
  const file = write(
    'quick.check.yaml',
    'sessions: 1\nload: { model: count, calls: 5 }\ncalls: [{ method: ping }]',
  );
  expect(loadScenario(file).name).toBe('quick.check');
});

test.each([
  ['20 calls', { lifetimeCalls: 20, lifetimeNs: null }],
  ['1 call', { lifetimeCalls: 1, lifetimeNs: null }],
  ['10s', { lifetimeCalls: null, lifetimeNs: 10e9 }],
  [{ calls: 3 }, { lifetimeCalls: 3, lifetimeNs: null }],
])('the lifetime %j', (lifetime, expected) => {
  expect(planScenario({ ...least, sessions: { count: 1, lifetime } }).sessions).toMatchObject(expected);
});

test.each([
  ['serial', { mode: 'serial' }],
  ['shared', { mode: 'shared', connections: 16 }],
  [{ mode: 'pipelined' }, { mode: 'pipelined', connections: 1 }],
] as const)('the posts %j', (posts, expected) => {
  expect(planScenario({ ...least, posts }).posts).toEqual(expected);
});

test('a single data file is called data', () => {
  write('one.csv', 'q\nhello\n');
  const file = write(
    'one.yaml',
    'sessions: 1\nload: { model: count, calls: 5 }\ndata: one.csv\ncalls: [{ tool: echo, arguments: { message: "{{data.q}}" }, expect: echo }]',
  );
  expect(loadScenario(file).data).toEqual({ data: [{ q: 'hello' }] });
});

test('a column that is missing is told at the template, a file that cannot be read at its name, and only there', () => {
  const scenario = (data: string): string =>
    write(
      'columns.yaml',
      `sessions: 1\nload: { model: count, calls: 5 }\ndata: ${data}\ncalls: [{ tool: echo, arguments: { message: "hi {{data.age}}" } }]`,
    );
  write('no-age.csv', 'name\nAnn\n');
  write('ragged.csv', 'name,age\nAnn\n');
  expect(() => loadScenario(scenario('no-age.csv'))).toThrow(
    `${join(folder, 'columns.yaml')}:4:49: calls[0].arguments.message: {{data.age}}: row 1 of the data has no column "age" (it has: name)`,
  );
  expect(() => loadScenario(scenario('ragged.csv'))).toThrow(
    `${join(folder, 'columns.yaml')}:3:7: data: ${join(folder, 'ragged.csv')}:2: expected 2 fields as in the first line, found 1`,
  );
});

test('mistakes in a scenario that a program made', () => {
  expect(() => planScenario({ ...least, sessions: { count: 0 } })).toThrow(
    'scenario: sessions.count: expected a whole number of at least 1 and at most 1000000, found 0',
  );
  expect(() => planScenario({ ...least, sesions: 3 } as ScenarioInput)).toThrow(
    'scenario: unknown key "sesions"; did you mean "sessions"?',
  );
});

test('a plan is frozen through and through, can be cloned into a worker, and its scenario is left as it was', () => {
  const scenario = structuredClone({ ...least, sessions: { count: 2, lifetime: '5 calls' }, tags: { a: 1 } });
  const before = structuredClone(scenario);
  const plan = planScenario(scenario, { sessions: 3, tags: ['b=2'] });
  expect(scenario).toEqual(before);
  const check = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    expect(Object.isFrozen(value)).toBe(true);
    Object.values(value).forEach(check);
  };
  check(plan);
  expect(structuredClone(plan)).toEqual(plan);
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  expect(Object.isFrozen(scenario.calls[0]!.arguments)).toBe(false);
});

test('the hash is of the load alone', () => {
  const hash = (changes: Partial<ScenarioInput>): string =>
    planScenario({ ...least, ...changes }).scenarioHash;
  const same: Partial<ScenarioInput>[] = [
    { name: 'other' },
    { target: { url: 'http://localhost:1/sse', headers: { a: 'b' } } },
    { tags: { a: 1 } },
    { workers: 2 },
    { thresholds: { errors: 'count < 1' } },
    { duration: '5000ms' },
    { sessions: { count: 10 } },
    {
      phases: [{ name: 'main', duration: '5s', load: { model: 'closed' } }],
      load: undefined,
      duration: undefined,
    },
  ];
  const others: Partial<ScenarioInput>[] = [
    { sessions: 11 },
    { duration: '6s' },
    { seed: 2 },
    { posts: 'shared' },
    { warmup: '1s' },
    { calls: [{ tool: 'echo', arguments: { message: 'ho' } }] },
    { timeouts: { call: '1s' } },
  ];
  expect(new Set(same.map(hash))).toEqual(new Set([hash({})]));
  expect(new Set(others.map(hash)).size).toBe(others.length);
  expect(others.map(hash)).not.toContain(hash({}));
});
