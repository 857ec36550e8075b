import { expect, test } from 'vitest';
import { Failure } from '../failure.js';
import type { ScenarioOverrides } from './apply-overrides.js';
import { planScenario } from './load-scenario.js';
import type { Plan } from './plan.js';
import type { ScenarioInput } from './schema.js';

const scenario: ScenarioInput = {
  target: { url: 'http://a/sse', token: '$PATH', headers: { 'X-A': '1', 'x-b': '2' }, tls: { verify: true } },
  sessions: { count: 100, open: '50/s', idle: '50%' },
  warmup: '1s',
  phases: [
    { name: 'low', duration: '10s', load: { model: 'rate', perSecond: 100 } },
    { name: 'up', duration: '20s', load: { model: 'ramp', from: 0, to: 400 } },
    {
      name: 'stairs',
      load: {
        model: 'steps',
        steps: [
          { perSecond: 200, duration: '3s' },
          { perSecond: 0, duration: '7s' },
        ],
      },
    },
    { name: 'bursts', duration: '20s', load: { model: 'burst', calls: 8, every: '1s' } },
    { name: 'counted', load: { model: 'count', calls: 50 } },
  ],
  calls: [{ tool: 'echo' }],
  tags: { a: 'x' },
  thresholds: { errors: 'count < 1' },
};

function plan(overrides: ScenarioOverrides, changes: Partial<ScenarioInput> = {}): Plan {
  return planScenario({ ...scenario, ...changes }, overrides);
}

const single = (load: ScenarioInput['load'], duration?: string): Partial<ScenarioInput> => ({
  phases: undefined,
  load,
  duration,
});

test('no overrides, no change', () => {
  expect(plan({})).toEqual(planScenario(scenario));
});

test('--target keeps the rest of the target', () => {
  expect(plan({ transport: 'streamable', protocol: '2025-06-18' }).target).toMatchObject({
    transport: 'streamable',
    protocol: '2025-06-18',
  });
  expect(plan({ target: 'http://b/sse', dialect: 'rmcp', insecure: true }).target).toMatchObject({
    url: 'http://b/sse',
    dialect: 'rmcp',
    headers: { 'X-A': '1' },
    tls: { verify: false },
  });
});

test('a command takes the place of the target, and serves at a URL where one is given, too', () => {
  const command = ['node', 'server.js', '--port', '{port}'];
  const started = { command, env: {}, cwd: process.cwd() };
  const alone = plan({ command }).target;
  expect(alone).toMatchObject({
    url: '',
    transport: 'stdio',
    command: started,
    headers: {},
    tls: { verify: true },
  });
  const served = plan({ command, target: 'http://127.0.0.1:{port}/mcp' }).target;
  expect(served).toMatchObject({
    url: 'http://127.0.0.1:{port}/mcp',
    transport: 'auto',
    command: started,
    headers: { 'X-A': '1' },
  });
  const own = { target: { command: ['a'], env: { B: 'c' } } };
  expect(plan({ command: ['d'] }, own).target.command).toEqual({
    command: ['d'],
    env: { B: 'c' },
    cwd: process.cwd(),
  });
  expect(plan({ target: 'http://b/sse' }, own).target).not.toHaveProperty('command');
});

test('--header adds, replaces whatever its case, and an Authorization header replaces the token', () => {
  const headers = ['X-B:3', 'X-C:  a: b ', 'authorization: Bearer x'];
  expect(plan({ headers }).target.headers).toEqual({
    'X-A': '1',
    'X-B': '3',
    'X-C': 'a: b',
    authorization: 'Bearer x',
  });
});

test('--workers above the number of sessions that make calls is limited to it', () => {
  expect(plan({ workers: 51 }).workers).toBe(50);
  expect(plan({ sessions: 4 }, { workers: 40 }).workers).toBe(2);
});

test('--sessions, --workers, --seed, --posts, --tag', () => {
  const made = plan({ sessions: 10, workers: 5, seed: 9, posts: 'shared:3', tags: ['a=y', 'b=c=d', 'e='] });
  expect(made.sessions).toMatchObject({ count: 10, openPerSec: 50, idle: 5 });
  expect(made).toMatchObject({ workers: 5, seed: 9, posts: { mode: 'shared', connections: 3 } });
  expect(made.tags).toEqual({ a: 'y', b: 'c=d', e: '' });
  expect(plan({ posts: 'pipelined' }).posts).toEqual({ mode: 'pipelined', connections: 1 });
});

test('--threshold adds rules', () => {
  const thresholds = ['errors: rate < 1%', 'call.response{tool:echo} p(99) < 1s', 'call.ack:max<1s'];
  expect(plan({ thresholds }).thresholds.map(({ metric, rule }) => `${metric} / ${rule}`)).toEqual([
    'errors / count < 1',
    'errors / rate < 1%',
    'call.response{tool:echo} / p(99) < 1s',
    'call.ack / max<1s',
  ]);
});

test('--duration is the length of all timed phases together, and each keeps its share', () => {
  const { phases, warmupNs } = plan({ duration: '30s' });
  expect(phases.map(({ durationNs }) => durationNs)).toEqual([5e9, 10e9, 5e9, 10e9, null]);
  expect(phases[2]!.load).toMatchObject({ steps: [{ durationNs: 1.5e9 }, { durationNs: 3.5e9 }] });
  expect(phases[3]!.load).toMatchObject({ everyNs: 1e9 });
  expect(warmupNs).toBe(1e9);
});

test('--duration adds up to exactly what was asked for', () => {
  const thirds: Partial<ScenarioInput> = {
    phases: ['a', 'b', 'c'].map((name) => ({ name, duration: '1s', load: { model: 'closed' } })),
  };
  const { phases } = plan({ duration: '1000000001ns' }, thirds);
  expect(phases.reduce((sum, { durationNs }) => sum + durationNs!, 0)).toBe(1_000_000_001);
  expect(plan({ duration: '7s' }, single({ model: 'closed' }, '5s')).phases[0]!.durationNs).toBe(7e9);
});

test('--rate is the highest rate, and lower ones keep their proportion', () => {
  const { phases } = plan({ rate: '40/s' });
  expect(phases[0]!.load).toMatchObject({ perSecond: 10 });
  expect(phases[1]!.load).toMatchObject({ fromPerSecond: 0, toPerSecond: 40 });
  expect(phases[2]!.load).toMatchObject({ steps: [{ perSecond: 20 }, { perSecond: 0 }] });
  expect(phases[3]!.load).toMatchObject({ calls: 8 });
  expect(plan({ rate: '500' }, single({ model: 'rate', perSecond: 1 }, '5s')).phases[0]!.load).toMatchObject({
    perSecond: 500,
  });
});

test.each<[ScenarioOverrides, string]>([
  [{ target: '' }, '--target: expected a URL such as http://127.0.0.1:8765/sse, found ""'],
  [
    { target: 'b:80' },
    '--target: expected a URL such as http://127.0.0.1:8765/sse (http or https), found "b:80"',
  ],
  [{ transport: 'http' }, '--transport: expected one of auto, sse, streamable, stdio, found "http"'],
  [
    { transport: 'streamable-http' },
    '--transport: expected one of auto, sse, streamable, stdio, found "streamable-http"; did you mean "streamable"?',
  ],
  [
    { protocol: '2025-11-52' },
    '--protocol: expected one of auto, 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28, found "2025-11-52"; did you mean "2025-11-25"?',
  ],
  [{ dialect: 'x' }, '--dialect: expected one of auto, classic, rmcp, serena, workspace, pymcp, found "x"'],
  [{ headers: ['nonsense'] }, '--header: expected "Name: value", found no colon'],
  [{ headers: ['a b: c'] }, '--header: expected the name of a header such as X-Api-Key, found "a b"'],
  [{ sessions: 0 }, '--sessions: expected a whole number of at least 1 and at most 1000000, found 0'],
  [{ sessions: NaN }, '--sessions: expected a whole number of at least 1 and at most 1000000, found NaN'],
  [{ workers: 1025 }, '--workers: expected a whole number of at least 1 and at most 1024, found 1025'],
  [{ seed: -1 }, '--seed: expected a whole number of at least 0, found -1'],
  [{ posts: 'many' }, '--posts: expected one of serial, pipelined, shared, found "many"'],
  [{ posts: 'shared:x' }, '--posts: expected a whole number of at least 1 and at most 65535, found NaN'],
  [{ posts: 'shared:1:2' }, '--posts: expected a mode such as serial or shared:16, found "shared:1:2"'],
  [
    { posts: 'serial:2' },
    '--posts: serial opens as many connections as it needs: expected connections only with pipelined or shared',
  ],
  [{ tags: ['x'] }, '--tag: expected key=value, found "x"'],
  [
    { thresholds: ['errors'] },
    '--threshold: expected "metric: rule", such as "call.response: p(99) < 250ms", found "errors"',
  ],
  [{ thresholds: ['errors: rate < 5'] }, '--threshold: rate is compared with a percentage such as 0.1%'],
  [{ thresholds: ['erors: count < 5'] }, '--threshold: there is no metric "erors"; did you mean "errors"?'],
  [{ thresholds: ['errors{phase:x}: count < 5'] }, '--threshold: this scenario has no phase "x"'],
  [{ duration: '5' }, '--duration: expected a duration with its unit'],
  [{ duration: '1ms' }, '--duration: 1ms leaves less than 1ms for one of the phases'],
  [{ rate: '-5' }, '--rate: expected calls per second such as 300'],
  [{ rate: '0/s' }, '--rate: expected calls per second such as 300'],
])('%j is refused', (overrides, message) => {
  expect(() => plan(overrides)).toThrow(Failure);
  expect(() => plan(overrides)).toThrow(message);
});

test('options that this scenario has no use for are refused', () => {
  expect(() => plan({ duration: '5s' }, single({ model: 'count', calls: 5 }))).toThrow(
    '--duration: this scenario ends after a number of calls, not after a time',
  );
  expect(() => plan({ rate: '5' }, single({ model: 'closed' }, '5s'))).toThrow(
    '--rate: this scenario has no phase with the model rate, ramp or steps (it has: closed)',
  );
});

test.each([
  [{ transport: 'stdio' }, '--transport: stdio is spoken to a command'],
  [{ command: ['node'], transport: 'sse' }, '--transport: sse is spoken to a URL'],
  [{ command: ['node'], headers: ['A: b'] }, '--header: headers is for servers with a url'],
])('what does not go with the target is said of the option that asked for it: %j', (overrides, message) => {
  const bare = { ...scenario, target: undefined };
  expect(() => planScenario(bare, overrides)).toThrow(message);
});
