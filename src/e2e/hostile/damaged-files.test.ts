import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RunResult } from '../../result/result.js';
import { mcpBench } from '../fixtures/command.fixture.js';

vi.setConfig({ testTimeout: 120_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-damaged-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

beforeAll(async () => {
  const call = `name: call\nsessions: 1\nload: { model: count, calls: 4 }\ncalls: [{ tool: echo, arguments: { message: hi } }]\nworkers: 1\n`;
  writeFileSync(join(cwd, 'call.yaml'), call);
  const { code } = await mcpBench(['run', 'call.yaml', '--out', 'whole.json', '--quiet'], { cwd });
  expect(code).toBe(0);
  const whole = JSON.parse(readFileSync(join(cwd, 'whole.json'), 'utf8')) as RunResult;
  const { totals } = whole;
  const broken = { ...whole, totals: { ...totals, outcomes: { ...totals.outcomes, rpcError: null } } };
  mkdirSync(join(cwd, 'results'));
  writeFileSync(
    join(cwd, 'results/broken.json'),
    JSON.stringify({ ...broken, startedAt: '2024-01-01T00:00:00.000Z' }),
  );
});

test.each([
  'report results/broken.json',
  'report results/broken.json --report junit=r.xml',
  'compare whole.json --against results/broken.json',
  'history call --in results',
  'run call.yaml --baseline results/broken.json --out ran.json',
])('of a file that is damaged inside, %s says so in a line', async (line) => {
  const { code, stderr } = await mcpBench(line.split(' '), { cwd });
  expect(stderr).toMatch(
    /^mcp-bench: \S*broken\.json is a damaged result: "totals\.outcomes\.rpcError" is wrong \(.*\)\..*\n$/,
  );
  expect(code).toBe(2);
  expect(existsSync(join(cwd, 'ran.json'))).toBe(false);
});
