import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mcpBench } from '../fixtures/command.fixture.js';

vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-otlp-'));
const bodies: string[] = [];
let status = 200;
const collector = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    bodies.push(body);
    response.writeHead(status).end();
  });
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  writeFileSync(
    join(cwd, 'tiny.yaml'),
    'name: tiny\nsessions: 2\nload: { model: count, calls: 20 }\ncalls: [{ tool: echo, arguments: { message: hi } }]\n',
  );
});
afterAll(() => {
  collector.close();
  rmSync(cwd, { recursive: true });
});

interface Sum {
  name: string;
  sum?: { dataPoints: { asInt: string; attributes: { key: string; value: { stringValue: string } }[] }[] };
}

test('a run sends what it counted, and a stored result can be sent again', async () => {
  const ran = await mcpBench(['run', 'tiny.yaml', '--out', 'tiny.json', '--quiet', '--otlp', url], { cwd });
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  const metrics = JSON.parse(bodies[0]!).resourceMetrics[0].scopeMetrics[0].metrics as Sum[];
  const calls = metrics.find(({ name }) => name === 'mcp_bench.calls')!.sum!.dataPoints;
  const ok = calls.find(({ attributes }) => attributes.some(({ value }) => value.stringValue === 'ok'));
  expect(ok?.asInt).toBe(String(JSON.parse(readFileSync(join(cwd, 'tiny.json'), 'utf8')).totals.outcomes.ok));

  const again = await mcpBench(['report', 'tiny.json', '--otlp', `${url}/v1/metrics`], { cwd });
  expect(again).toEqual({ code: 0, stdout: '', stderr: `mcp-bench: sent metrics to ${url}/v1/metrics\n` });
  expect(bodies[1]).toBe(bodies[0]);
});

test('a receiver that fails costs a run one line and not its exit code, but is the failure of a report', async () => {
  status = 500;
  const ran = await mcpBench(['run', 'tiny.yaml', '--out', 'two.json', '--quiet', '--otlp', url], { cwd });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toBe(
    `mcp-bench: warning: metrics not sent, ${url}/v1/metrics answered 500 (the exit code is the run's; to send them again: mcp-bench report two.json --otlp …)\n`,
  );
  const sent = await mcpBench(['report', 'two.json', '--otlp', url], { cwd });
  expect(sent).toMatchObject({
    code: 1,
    stderr: `mcp-bench: metrics not sent, ${url}/v1/metrics answered 500\n`,
  });
  const wrong = await mcpBench(['run', 'tiny.yaml', '--otlp', 'collector:4318'], { cwd });
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toMatch(/^mcp-bench: --otlp: expected a URL/);
});
