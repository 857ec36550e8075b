import { expect, test } from 'vitest';
import { planFrom } from '../scenario/load-scenario.js';
import { parseYamlSource } from '../scenario/yaml-source.js';
import { draftScenario } from './draft-scenario.js';
import { keepUrl } from '../text/secrets.js';
import type { ToolSurvey, TriedTool } from './survey-tools.js';

const details = { toolVersion: '0.1.0', named: { dialect: undefined }, insecure: false, headers: [] };

function tried(name: string, more: Partial<TriedTool> = {}): TriedTool {
  const tool = {
    name,
    description: '',
    inputSchema: {},
    annotations: null,
    risk: 'unmarked' as const,
    unfit: null,
  };
  return { tool, arguments: {}, doubts: [], objection: null, bestNs: 1e6, echoes: false, ...more };
}

const survey: ToolSurvey = {
  url: 'http://127.0.0.1:3000/sse',
  server: 'Notes & "Things" 1.2.3',
  spoken: 'dialect classic',
  dialect: 'classic',
  from: 'tools/list',
  leftOut: [{ tool: '#5', reason: 'it has\n  - { no name }' }],
  problem: 'the list has\n  more than 100 pages',
  tools: [
    tried('echo', { arguments: { message: '{{seq}} {{hex 16}}' }, echoes: true }),
    tried('no', {
      bestNs: 120e6,
      arguments: { 'odd key': [1, { a: null }], on: 'a "b"\n{{{{c' },
      doubts: ['x: a\ndoubt'],
    }),
    tried('delete everything', {
      objection: 'its annotations call it destructive',
      bestNs: null,
      arguments: { id: '1' },
    }),
    tried('bad', {
      objection: 'it failed when it was tried (error\n  - { tool: smuggled })',
      bestNs: null,
    }),
  ],
};

test('a draft looks as it did, and is read as it was meant', async () => {
  const text = draftScenario(survey, details);
  await expect(text).toMatchFileSnapshot('./golden/draft.yaml');
  const plan = planFrom(parseYamlSource('draft.yaml', text), 'draft', {});
  expect(plan.name).toBe('notes-things');
  expect(plan.operations).toMatchObject([
    { name: 'echo', weight: 5, arguments: { message: '{{seq}} {{hex 16}}' }, expect: [{ kind: 'echo' }] },
    { name: 'no', weight: 1, arguments: { 'odd key': [1, { a: null }], on: 'a "b"\n{{{{c' }, expect: [] },
  ]);
  expect(plan.thresholds).toHaveLength(3);
});

test('what was left out can be put back by taking the comment away', () => {
  const text = draftScenario(survey, details).replaceAll('  # - {', '  - {');
  const names = planFrom(parseYamlSource('draft.yaml', text), 'draft', {}).operations.map(({ name }) => name);
  expect(names).toEqual(['echo', 'no', 'delete everything', 'bad']);
});

test('a server without a tool to call is asked for something else', () => {
  const methods = (from: ToolSurvey['from'], dialect = 'classic'): (string | null)[] => {
    const text = draftScenario({ ...survey, tools: [], from, dialect }, details);
    const [only] = planFrom(parseYamlSource('draft.yaml', text), 'draft', {}).operations;
    return [only!.method, only!.tool];
  };
  expect(methods('tools/list')).toEqual(['tools/list', null]);
  expect(methods(null)).toEqual(['ping', null]);
  expect(methods('describe_tools', 'pymcp')).toEqual(['describe_tools', null]);
  expect(methods('tools/call describe_tools', 'pymcp')).toEqual(['tools/call', 'describe_tools']);
});

test('weights follow the times, but not what is chance in them', () => {
  const tools = [
    tried('a', { bestNs: 0.1e6 }),
    tried('b', { bestNs: 4e6 }),
    tried('c', { bestNs: 20e6 }),
    tried('d', { bestNs: 120e6 }),
  ];
  const text = draftScenario({ ...survey, tools }, details);
  const { operations } = planFrom(parseYamlSource('draft.yaml', text), 'draft', {});
  expect(operations.map(({ weight }) => weight)).toEqual([5, 5, 2, 1]);
});

test.each([
  // What the tools took, the limits for p50 and p99, and what the comment says of them.
  [
    [0.4],
    3,
    20,
    'took 0.4 ms for a typical call and 0.4 ms for its slowest tool. The limits are 7.5 ×',
    '50 ×',
  ],
  [[3], 15, 30, 'took 3 ms for a typical call and 3 ms for its slowest tool. The limits are 5 ×', '10 ×'],
  [
    [12],
    70,
    150,
    'took 12 ms for a typical call and 12 ms for its slowest tool. The limits are 5.8 ×',
    '13 ×',
  ],
  // A slow tool that is asked seldom decides the p99, and not the p50.
  [
    [1, 120],
    5,
    1500,
    'took 1 ms for a typical call and 120 ms for its slowest tool. The limits are 5 ×',
    '13 ×',
  ],
  // Of two halves the median may be either.
  [
    [10, 20],
    100,
    200,
    'took 20 ms for a typical call and 20 ms for its slowest tool. The limits are 5 ×',
    '10 ×',
  ],
])(
  'limits for tools that took %j ms are a few times that, and say so',
  (timesMs, p50Ms, p99Ms, first, second) => {
    const tools = timesMs.map((ms, at) => tried(`t${at}`, { bestNs: ms * 1e6 }));
    const text = draftScenario({ ...survey, tools }, details);
    const { thresholds } = planFrom(parseYamlSource('draft.yaml', text), 'draft', {});
    const limits = thresholds.filter(({ metric }) => metric === 'call.response').map(({ rule }) => rule);
    expect(limits).toEqual([`p(50) < ${p50Ms}ms`, `p(99) < ${p99Ms}ms`]);
    expect(text).toContain(first);
    expect(text).toContain(`and ${second} the second`);
  },
);

test('limits that nothing was measured for are called guesses', () => {
  expect(draftScenario({ ...survey, tools: [] }, details)).toContain(
    '# No tool was timed, so these are guesses: put in what your users would wait.\nthresholds:',
  );
});

test('where all tools are marked destructive, it says what to do', () => {
  const marked = survey.tools.map((each) => ({
    ...each,
    objection: 'its annotations call it destructive',
    tool: { ...each.tool, risk: 'destructive' as const },
  }));
  const advice = /# All its tools are marked destructive.*--allow-destructive\n/;
  expect(draftScenario({ ...survey, tools: marked }, details)).toMatch(advice);
  expect(draftScenario({ ...survey, tools: [marked[0]!, survey.tools[3]!] }, details)).not.toMatch(advice);
});

test('how the server was reached is kept, but for the values of headers', () => {
  const text = draftScenario(survey, {
    ...details,
    named: { dialect: 'serena' },
    insecure: true,
    headers: ['X-Key'],
  });
  const { target } = planFrom(parseYamlSource('draft.yaml', text), 'draft', {});
  expect(target).toMatchObject({ url: survey.url, dialect: 'serena', tls: { verify: false }, headers: {} });
  expect(text).toContain('with --header: X-Key');
});

test('calls are drafted as they have to be sent; a tool that holds a secret is left out', () => {
  keepUrl('http://h/sse?toolset=calendar&kind=event-2024-x&token=k7-open-sesame');
  const tools = [
    tried('list_calendar_events', { arguments: { kind: 'event-2024-x', of: 'calendar' } }),
    tried('tell', { arguments: { what: 'k7-open-sesame' } }),
    tried('of-k7-open-sesame'),
  ];
  const text = draftScenario({ ...survey, tools }, details);
  const { operations } = planFrom(parseYamlSource('draft.yaml', text), 'draft', {});
  expect(operations).toMatchObject([
    { tool: 'list_calendar_events', arguments: { kind: 'event-2024-x', of: 'calendar' } },
  ]);
  expect(text).not.toContain('open-sesame');
  expect(text).toContain('# Left out, since its name or its arguments hold a secret');
});
