import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { describePlan } from './describe-plan.js';
import { planScenario } from './load-scenario.js';
import type { Plan } from './plan.js';
import { printablePlan } from './printable-plan.js';
import type { ScenarioInput } from './schema.js';
import { keepUrl } from '../text/secrets.js';

const scenario: ScenarioInput = {
  name: 'everything',
  target: {
    url: 'http://127.0.0.1:1/sse/{session}?api_key=s3cret&x=1',
    headers: { 'X-Tenant': '***', 'X-Api-Key': 's3cret', Cookie: 's3cret' },
  },
  sessions: { count: 200, open: '100/s', lifetime: { calls: 5, time: '10s' }, end: 'abandon', idle: 100 },
  posts: 'shared',
  warmup: '2s',
  phases: [
    { name: 'a', duration: '1m', load: { model: 'closed', inFlight: 4, think: '5ms' } },
    { name: 'b', duration: '10s', load: { model: 'rate', perSecond: '30/min', arrivals: 'poisson' } },
    { name: 'c', duration: '10s', load: { model: 'ramp', from: 0, to: 50 } },
    {
      name: 'd',
      load: {
        model: 'steps',
        steps: [
          { perSecond: 10, duration: '1s' },
          { perSecond: 20, duration: '2s' },
        ],
      },
    },
    { name: 'e', duration: '10s', load: { model: 'burst', calls: 8, every: '500ms' } },
    { name: 'f', load: { model: 'count', calls: 5000 } },
  ],
  calls: [
    { tool: 'echo', weight: 2, arguments: { message: 'hi {{seq}}' }, expect: 'echo' },
    { tool: 'echo', name: 'other', expect: [{ isError: true }, { size: { min: '1KB' } }] },
    {
      method: 'resources/read',
      params: { uri: 'x'.repeat(100) },
      expect: { path: 'a[0]', equals: 1, size: { max: 5 } },
    },
  ],
  timeouts: { idle: '1m' },
  seed: 3,
  workers: 1,
  thresholds: { errors: 'rate < 1%' },
};
const plan = planScenario(scenario);

test('reads like this', () => {
  expect(describePlan(plan).split('\n---\n')[0]).toMatchInlineSnapshot(`
    "everything: 200 sessions, opened at 100/s, 100 of them idle, each lives for 5 calls or 10s, then is abandoned
    target: http://127.0.0.1:1/sse/{session}?api_key=***&x=***, transport auto, protocol auto, dialect auto
    POSTs: shared, 16 connections
    workers: 1, pacing auto, seed 3
    warm-up: 2s
    phases: 6, 93s in all
      a: 1m, closed loop, 4 in flight per session (400 in all), thinking 5ms
      b: 10s, 30/min, poisson
      c: 10s, from 0/s to 50/s, uniform
      d: 3s, 10/s for 1s, 20/s for 2s, uniform
      e: 10s, 8 calls per session at once, every 500ms (1600/s on average)
      f: until done, 5000 calls in all, 1 in flight per session
    calls: 3 kinds
      50 % tool echo {"message":"hi {{seq}}"}, expects the echo of its message
      25 % tool echo as other {}, expects an error and at least 1KB
      25 % resources/read {"uri":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…, expects a[0] = 1 and at most 5B
    time limits: connect 5s, handshake 10s, call 30s, silence of a stream 1m, open loops: 16 in flight per session, queue ten seconds of the rate
    threshold: errors: rate < 1%
    "
  `);
});

test('then comes the plan itself, as YAML', () => {
  expect(parse(describePlan(plan).split('\n---\n')[1]!)).toEqual(printablePlan(plan, 3));
});

test('no secret is shown, and nothing else is changed', () => {
  const secret: Plan = {
    ...plan,
    target: { ...plan.target, tls: { ...plan.target.tls, key: 's3cret PEM' } },
  };
  expect(JSON.stringify(secret)).toContain('s3cret');
  expect(describePlan(secret)).not.toContain('s3cret');
  expect(printablePlan(secret, 3).target).toMatchObject({
    url: 'http://127.0.0.1:1/sse/{session}?api_key=***&x=***',
    headers: { 'X-Tenant': '***', 'X-Api-Key': '***', Cookie: '***' },
    tls: { ca: null, key: '***' },
  });
  expect({ ...printablePlan(secret, 3), target: null }).toEqual({ ...secret, target: null });
});

test('of long data files only the first rows are shown', () => {
  const rows = Array.from({ length: 1000 }, (_, id) => ({ id }));
  expect(printablePlan({ ...plan, data: { rows } }, 3).data).toEqual({ rows: rows.slice(0, 3) });
});

test('what is certainly a secret is hidden where it stands in a call, too; any other word is data', () => {
  keepUrl('http://h/sse?api_key=open-sesame-17&mode=calendar');
  const call = {
    tool: 'echo',
    arguments: { message: 'say open-sesame-17', calendar: 'calendar' },
    expect: [{ path: 'content[0].text', equals: 'of open-sesame-17' }],
  };
  const plan = planScenario({
    sessions: 1,
    load: { model: 'count', calls: 1 },
    calls: [call],
  } as ScenarioInput);
  expect(describePlan(plan)).not.toContain('sesame');
  const [shown] = printablePlan(plan, 0).operations;
  expect(shown).toMatchObject({
    arguments: { message: 'say ***', calendar: 'calendar' },
    expect: [{ kind: 'equals', path: 'content[0].text', value: 'of ***' }],
  });
});

test('a command is shown without the values of its environment and of options that are called a secret', () => {
  const target = {
    command: ['node', 's.js', '--token', 'abc'],
    env: { MODE: 'fast', KEY: 'k' },
    cwd: '/srv',
  };
  const text = describePlan(
    planScenario({ target, sessions: 1, load: { model: 'count', calls: 1 }, calls: [{ method: 'ping' }] }),
  );
  expect(text).toContain('target: the command node s.js --token ***, transport stdio, protocol auto');
  expect(text).toContain('MODE: "***"');
  expect(text).not.toMatch(/abc|fast/);
});
