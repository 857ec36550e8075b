import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type RunningMock, serveMock } from '../../../mock-server/serve-mock.js';
import { chooseCall } from '../../probe/choose-call.js';
import { serveSdkStreamable } from '../../probe/sdk-server.fixture.js';
import { readResult } from '../../result/read-result.js';
import type { JsonValue } from '../../scenario/plan.js';
import { Random } from '../../scenario/random.js';
import { compileTemplate } from '../../scenario/template.js';
import { planScenario } from '../../scenario/load-scenario.js';
import { mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 60_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-flags-'));
let mock: RunningMock;
beforeAll(async () => {
  mock = await serveMock({});
});
afterAll(async () => {
  await mock.close();
  rmSync(cwd, { recursive: true });
});

test('flags alone make a run, and --save keeps it as a scenario that makes the same calls', async () => {
  const load = [
    '--tool',
    'echo',
    '--arg',
    'message=hi',
    '--sessions',
    '3',
    '--calls',
    '20',
    '--in-flight',
    '2',
  ];
  const given = ['run', '--target', mock.url, ...load, '--threshold', 'errors: count < 1', '--quiet'];
  const first = await mcpBench([...given, '--save', 'my.yaml', '--out', 'a.json'], { cwd });
  expect(first).toEqual({ code: 0, stdout: '', stderr: 'mcp-bench: wrote my.yaml\n' });
  const saved = readFileSync(join(cwd, 'my.yaml'), 'utf8');
  expect(saved).toContain('load: { model: count, calls: 20, inFlight: 2 }\ncalls:\n  - { tool: echo, ');
  const again = await mcpBench(['run', 'my.yaml', '--out', 'b.json', '--quiet'], { cwd });
  expect(again).toEqual({ code: 0, stdout: '', stderr: '' });
  const [a, b] = ['a.json', 'b.json'].map((name) => readResult(join(cwd, name)));
  expect(a!.totals.outcomes.ok).toBe(20);
  expect(b!.scenarioHash).toBe(a!.scenarioHash);
  expect(b!.thresholds.map(({ metric, rule }) => `${metric}: ${rule}`)).toEqual(['errors: count < 1']);
  const taken = await mcpBench([...given, '--save', 'my.yaml'], { cwd });
  expect(taken).toMatchObject({
    code: 2,
    stderr: 'mcp-bench: --save my.yaml: it exists already, name another file\n',
  });
});

test('a URL alone is a server to look at: a tool is chosen, and what to try next is said', async () => {
  const look = await mcpBench([mock.url, '--duration', '300ms', '--sessions', '2'], { cwd });
  expect(look.code, look.stderr).toBe(0);
  expect(look.stderr).toContain('calling echo {"message":"example"} (');
  expect(look.stdout).toMatch(/^echo\n/);
  expect(look.stdout).not.toContain('\nNext\n');
});

test('what is missing is said', async () => {
  const nothing = await mcpBench(['run'], { cwd });
  expect(nothing).toMatchObject({ code: 2, stdout: '' });
  expect(nothing.stderr).toMatch(/^mcp-bench: run needs a scenario, a server or a tool: .*\n$/);
  const dry = await mcpBench(['run', '--target', mock.url, '--dry-run'], { cwd });
  expect(dry.stderr).toMatch(/^mcp-bench: --dry-run asks no server for its tools/);
});

test('of a strange server only tools marked as reading are called, and it is pinged where there is none', async () => {
  const server = await serveSdkStreamable(() => {
    const mcp = new McpServer({ name: 's', version: '1' });
    const ok = () => ({ content: [{ type: 'text' as const, text: 'ok' }] });
    mcp.registerTool('echo', { inputSchema: {} }, ok);
    const inputSchema = { of: z.literal('{{env HOME}} {{seq}}') };
    mcp.registerTool('lookup', { inputSchema, annotations: { readOnlyHint: true } }, ok);
    return mcp;
  }, true);
  try {
    const ping = { sessions: 1, load: { model: 'count' as const, calls: 1 }, calls: [{ method: 'ping' }] };
    const { target } = planScenario(ping, { target: server.url });
    const choice = async (readOnly: boolean) =>
      (await chooseCall(target, { timeoutMs: 10_000, readOnly })).tool;
    expect(await choice(false)).toBe('lookup');
    expect(await choice(true)).toBe('lookup');
    // What a server writes into its schema is no template of ours.
    const { arguments: made } = await chooseCall(target, { timeoutMs: 10_000, readOnly: true });
    const calls = [{ tool: 'lookup', arguments: made as Record<string, JsonValue> }];
    const { operations } = planScenario({ ...ping, calls });
    const context = { seq: 7, session: 0, seed: 1, random: new Random(1), row: 0, echo: '' };
    const sent = compileTemplate(operations[0]!.arguments, {}).render(context);
    expect([made, sent]).toEqual([{ of: '{{{{env HOME}} {{{{seq}}' }, '{"of":"{{env HOME}} {{seq}}"}']);
  } finally {
    await server.close();
  }
  const { target } = planScenario(
    { sessions: 1, load: { model: 'count', calls: 1 }, calls: [{ method: 'ping' }] },
    { target: mock.url },
  );
  const chosen = await chooseCall(target, { timeoutMs: 10_000, readOnly: true });
  expect(chosen).toMatchObject({
    tool: null,
    why: expect.stringContaining('no tool is marked as only reading'),
  });
});
