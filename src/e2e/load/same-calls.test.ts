import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { mcpBench } from '../fixtures/command.fixture.js';
import { McpServer } from '../fixtures/scripted-mcp.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-same-calls-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** What a server is asked by so many workers: tool and arguments of every call, sorted. */
async function askedBy(workers: number, load: string): Promise<string[]> {
  const server = await McpServer.listen({});
  writeFileSync(join(cwd, 'colours.csv'), 'name\nred\ngreen\nblue\n');
  writeFileSync(
    join(cwd, 's.yaml'),
    `sessions: 6
seed: 42
${load}
data: { colours: colours.csv }
calls:
  - { tool: echo, weight: 3, arguments: { message: "{{seq}} {{hex 8}} {{string 60}}", colour: "{{colours.name}}" } }
  - { tool: sleep, arguments: { message: "{{uuid}} {{pick a b c}}", n: "{{int 1 1000000}}" } }
`,
  );
  try {
    const args = [
      'run',
      's.yaml',
      '--target',
      server.url,
      '--workers',
      `${workers}`,
      '--out',
      'r.json',
      '-q',
    ];
    const { code, stderr } = await mcpBench(args, { cwd });
    expect(code, stderr).toBe(0);
    return server.posts
      .filter(({ message }) => message.method === 'tools/call')
      .map(({ message }) => JSON.stringify(message.params))
      .sort();
  } finally {
    await server.close();
  }
}

test.each([
  ['a number of calls', 'load: { model: count, calls: 90, inFlight: 2 }', 90],
  [
    'arrivals by chance',
    'warmup: 300ms\nload: { model: rate, perSecond: 150, arrivals: poisson }\nduration: 500ms',
    null,
  ],
  ['a steady rate', 'load: { model: rate, perSecond: 150 }\nduration: 500ms', 75],
  ['bursts', 'load: { model: burst, calls: 3, every: 200ms }\nduration: 500ms', 54],
])('the server is asked the same by 1, 2 and 3 workers: %s', async (_, load, count) => {
  const asked = await askedBy(1, load);
  expect(new Set(asked).size, 'no two calls are alike').toBe(asked.length);
  if (count !== null) expect(asked).toHaveLength(count);
  expect(await askedBy(2, load)).toEqual(asked);
  expect(await askedBy(3, load)).toEqual(asked);
});
