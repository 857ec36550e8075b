import { describe, expect, test } from 'vitest';
import type { Exchange, ProbeClient } from './exchange.js';
import { listTools } from './list-tools.js';

test('what a pymcp server fills in by itself is not asked for', async () => {
  const result = {
    counter: {
      description: '',
      parameters: {
        server_session_id: { type: "<class 'str'>", required: true },
        step: { type: "<class 'int'>", required: true },
      },
    },
  };
  const client = {
    argumentsKey: 'kwargs',
    request: async (method: string) =>
      ({
        response: method === 'tools/call' ? { result } : { error: { code: -32601 } },
        unread: null,
      }) as unknown as Exchange,
  } satisfies ProbeClient;
  const { tools } = await listTools(client, {});
  expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([
    { type: 'object', properties: { step: { type: 'integer' } }, required: ['step'] },
  ]);
});

describe('a list without end', () => {
  const tool = (at: number): object => ({ name: `t${at}`, inputSchema: { type: 'object' } });
  const serving = (
    page: (at: number) => { tools: unknown[]; nextCursor?: string },
    characters = 100,
  ): { client: ProbeClient; asked: () => number } => {
    let at = 0;
    const client = {
      argumentsKey: 'arguments' as const,
      request: async () =>
        ({ response: { result: page(at++) }, unread: null, characters }) as unknown as Exchange,
    };
    return { client, asked: () => at };
  };

  test.each<[string, (at: number) => { tools: unknown[]; nextCursor?: string }, number, number, RegExp]>([
    [
      'cursors that are always new',
      (at) => ({ tools: [tool(at)], nextCursor: `c${at}` }),
      100,
      100,
      /more than 100 pages/,
    ],
    [
      'a cursor that comes again',
      (at) => ({ tools: [tool(at)], nextCursor: `c${at % 3}` }),
      4,
      4,
      /page 4 has the cursor of a page before/,
    ],
    ['pages of nothing', (at) => ({ tools: [], nextCursor: `c${at}` }), 100, 0, /more than 100 pages/],
    [
      'a cursor of a megabyte',
      () => ({ tools: [tool(1)], nextCursor: 'c'.repeat(1e6) }),
      1,
      1,
      /cursor of page 1 has 1,000,000/,
    ],
    [
      'a thousand tools a page',
      (at) => ({ tools: Array.from({ length: 1000 }, (_, n) => tool(at * 1000 + n)), nextCursor: `c${at}` }),
      2,
      2000,
      /2,000 tools are enough/,
    ],
    [
      'a thousand that are none',
      (at) => ({ tools: Array(999).fill(at), nextCursor: `c${at}` }),
      2,
      0,
      /1,000 bad ones/,
    ],
  ])('%s', async (_, page, pages, count, problem) => {
    const { client, asked } = serving(page);
    const list = await listTools(client, {});
    expect([asked(), list.tools.length]).toEqual([pages, count]);
    expect(list.problem).toMatch(problem);
  });

  test('exactly as many tools as there is room for are a whole list', async () => {
    const tools = Array.from({ length: 2000 }, (_, at) => tool(at));
    expect(await listTools(serving(() => ({ tools })).client, {})).toMatchObject({ problem: null });
    const more = await listTools(serving(() => ({ tools: [...tools, tool(2000)] })).client, {});
    expect(more.tools).toHaveLength(2000);
    expect(more.problem).toMatch(/2,000 tools are enough/);
  });

  test('pages that come too slowly, or are too large together', async () => {
    const page = (at: number): { tools: unknown[]; nextCursor: string } => ({
      tools: [],
      nextCursor: `c${at}`,
    });
    const slow = serving(page);
    expect((await listTools(slow.client, {}, 0)).problem).toBe('the list did not end within 0 s (1 pages)');
    expect(slow.asked()).toBe(1);
    const large = serving(page, 10 * 1024 * 1024);
    expect((await listTools(large.client, {})).problem).toBe('the list has more than 32 MiB (4 pages)');
  });
});

test.each<[string, unknown, string, RegExp]>([
  ['no object', 7, '#2', /it has no name/],
  ['no name', { inputSchema: {} }, '#2', /it has no name/],
  ['an empty name', { name: '' }, '#2', /it has no name/],
  ['a name that is no text', { name: { toString: 1 } }, '#2', /it has no name/],
  ['a name without end', { name: 'n'.repeat(5e6) }, '#2', /its name has 5,000,000 characters: nnn/],
  [
    'a large description',
    { name: 'bad', description: 'd'.repeat(2e6) },
    'bad',
    /more than 1,000,000 characters/,
  ],
  [
    'many values',
    { name: 'bad', inputSchema: { enum: Array(30_000).fill(1) } },
    'bad',
    /more than 20,000 values/,
  ],
  [
    'a hundred thousand levels',
    { name: 'bad', inputSchema: JSON.parse('{"items":'.repeat(1e5) + '{}' + '}'.repeat(1e5)) as unknown },
    'bad',
    /nested deeper than 64 levels/,
  ],
])('%s is left out with its reason, and the others are not', async (_, bad, name, reason) => {
  const tools = [{ name: 'good' }, bad, { name: 'better', inputSchema: { $ref: 5 } }];
  const client: ProbeClient = {
    argumentsKey: 'arguments',
    request: async () => ({ response: { result: { tools } }, unread: null }) as unknown as Exchange,
  };
  const list = await listTools(client, {});
  expect(list.tools.map((tool) => tool.name)).toEqual(['good', 'better']);
  expect(list.leftOut).toEqual([{ tool: name, reason: expect.stringMatching(reason) as string }]);
});
