import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { dialectNames } from '../../../mock-server/protocol/dialects/dialect.js';
import { serveMock } from '../../../mock-server/serve-mock.js';
import { serveSdkSse, serveSdkStreamable } from '../../probe/sdk-server.fixture.js';
import type { ProbeReport } from '../../probe/probe-report.js';
import type { RunResult } from '../../result/result.js';
import { mcpBench } from '../fixtures/command.fixture.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-init-'));
afterAll(() => rmSync(cwd, { recursive: true }));
let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

const nobody = 'http://127.0.0.1:1/sse';

async function initAndRun(url: string, name: string): Promise<RunResult> {
  const written = await mcpBench(['init', url, '--out', `${name}.yaml`], { cwd });
  expect(written).toMatchObject({ code: 0, stderr: '' });
  const args = ['run', `${name}.yaml`, '--duration', '1s', '--out', `${name}.json`, '--quiet'];
  const run = await mcpBench(args, { cwd });
  expect(run.stderr).toBe('');
  const result = JSON.parse(readFileSync(join(cwd, `${name}.json`), 'utf8')) as RunResult;
  // Limits on latency are drafted from what was measured a second before: on a busy machine they may rightly be missed.
  const latency = result.thresholds.filter(({ metric }) => metric.startsWith('call.'));
  const others = result.thresholds.filter(({ metric }) => !metric.startsWith('call.'));
  expect(latency.length).toBeGreaterThan(0);
  expect(others.map(({ state }) => state)).toEqual(others.map(() => 'pass'));
  expect(run.code).toBe(latency.some(({ state }) => state === 'fail') ? 99 : 0);
  return result;
}

describe('a scenario drafted by init runs as it is', () => {
  test.each(dialectNames)('from the mock in the dialect %s', async (dialect) => {
    const mock = await serveMock({ dialect });
    closing.push(() => mock.close());
    const { totals, target, operations } = await initAndRun(mock.url, dialect);
    expect(target.dialect).toBe(dialect);
    expect(operations.map(({ name }) => name)).toEqual(['echo', 'sleep', 'payload', 'random', 'counter']);
    expect(totals.started).toBeGreaterThan(0);
    expect(totals.outcomes.ok).toBe(totals.started);
    const text = readFileSync(join(cwd, `${dialect}.yaml`), 'utf8');
    expect(text).toMatch(/# Left out, since it failed when it was tried .*\n {2}# - \{ tool: fail \}/);
    expect(text).toMatch(/tool: echo, .*expect: echo/);
  });

  test('from a server of the official SDK, whose schemas are kept to', async () => {
    const destroyed: unknown[] = [];
    const server = await serveSdkSse(() => {
      const mcp = new McpServer({ name: 'shop', version: '1' });
      const ok = () => ({ content: [{ type: 'text' as const, text: 'ok' }] });
      const query = { kind: z.enum(['a', 'b']), limit: z.number().int().min(1).max(9), since: z.iso.date() };
      mcp.registerTool('find', { inputSchema: query }, ok);
      mcp.registerTool(
        'price',
        { inputSchema: { item: z.object({ id: z.uuid(), n: z.number().positive() }) } },
        ok,
      );
      mcp.registerTool('drop', { inputSchema: {}, annotations: { destructiveHint: true } }, (extra) => {
        destroyed.push(extra);
        return ok();
      });
      return mcp;
    });
    closing.push(() => server.close());
    const { totals, operations } = await initAndRun(server.url, 'shop');
    expect(operations.map(({ name }) => name)).toEqual(['find', 'price']);
    expect(totals.outcomes.ok).toBe(totals.started);
    expect(destroyed).toEqual([]);
  });
});

describe('mistakes are one line', () => {
  test('nothing is overwritten unasked', async () => {
    writeFileSync(join(cwd, 'mine.yaml'), 'mine');
    const kept = await mcpBench(['init', nobody, '--out', 'mine.yaml'], { cwd });
    expect(kept.code).toBe(2);
    expect(kept.stderr).toMatch(/^mcp-bench: mine\.yaml exists already: .*--force\n$/);
    const tried = await mcpBench(['init', nobody, '--out', 'mine.yaml', '--force'], { cwd });
    expect(tried.code).toBe(1);
    expect(readFileSync(join(cwd, 'mine.yaml'), 'utf8')).toBe('mine');
  });

  test('nobody there', async () => {
    for (const command of ['probe', 'init']) {
      const outcome = await mcpBench([command, nobody], { cwd });
      expect(outcome.code).toBe(1);
      expect(outcome.stderr).toMatch(
        /^mcp-bench: cannot connect to 127\.0\.0\.1 port 1: connection refused.*\n$/,
      );
    }
  });

  test('from a server of the official SDK over Streamable HTTP', async () => {
    const server = await serveSdkStreamable(() => {
      const mcp = new McpServer({ name: 's', version: '1' });
      mcp.registerTool('add', { inputSchema: { a: z.number() } }, ({ a }) => ({
        content: [{ type: 'text', text: String(a) }],
      }));
      return mcp;
    }, true);
    closing.push(() => server.close());
    const { totals, target } = await initAndRun(server.url.replace(/\/mcp$/, ''), 'streamable');
    expect(target).toMatchObject({
      url: server.url,
      transport: 'streamable',
      era: 'sessions',
      protocolVersion: '2025-11-25',
    });
    expect(totals.outcomes.ok).toBe(totals.started);
    expect(totals.started).toBeGreaterThan(0);
    expect(readFileSync(join(cwd, 'streamable.yaml'), 'utf8')).toContain('(Streamable HTTP 2025-11-25)');
  });
});

test('probe prints a page, or JSON', async () => {
  const mock = await serveMock({});
  closing.push(() => mock.close());
  const page = await mcpBench(['probe', mock.url, '--listen', '0s'], { cwd });
  expect(page).toMatchObject({ code: 0, stderr: '' });
  expect(page.stdout).toMatch(/dialect +classic\n/);
  const json = await mcpBench(['probe', mock.url, '--listen', '0s', '--json', '--calls', '3'], { cwd });
  const report = JSON.parse(json.stdout) as ProbeReport;
  expect(report).toMatchObject({ schema: 'mcp-bench/probe@1', dialect: { name: 'classic' } });
  expect(report.calls.samples).toHaveLength(3);
});
