import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { CeilingReport } from '../../ceiling/ceiling-report.js';
import type { ProbeReport } from '../../probe/probe-report.js';
import type { RunResult } from '../../result/result.js';
import { mcpBench } from '../fixtures/command.fixture.js';
import { accepted, event, initialized, McpServer, streamHead } from '../fixtures/scripted-mcp.js';
import { serveSurvey } from '../fixtures/survey-server.js';

// Quadratic in such a name, a report takes minutes.
vi.setConfig({ testTimeout: 60_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-names-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const long = { ascii: 'n'.repeat(800_000), wide: '漢'.repeat(300_000), words: 'a é '.repeat(200_000) };
const longest = 200;

const call = `sessions: 1
load: { model: count, calls: 4 }
calls: [{ tool: echo }]
workers: 1
`;

describe.each(Object.entries(long))('a server whose name and version are very long: %s', (_, name) => {
  const serve = () => serveSurvey({ serverInfo: { name, version: name } });

  test('run', async () => {
    const server = await serve();
    writeFileSync(join(cwd, 'call.yaml'), call);
    const args = ['run', 'call.yaml', '--target', `${server.origin}/sse`, '--out', 'run.json'];
    const files = ['html', 'md', 'junit', 'prom', 'otlp'].flatMap((kind) => [
      '--report',
      `${kind}=r.${kind}`,
    ]);
    const { code } = await mcpBench([...args, ...files], { cwd });
    await server.close();
    expect(code).toBe(0);
    const { target } = JSON.parse(readFileSync(join(cwd, 'run.json'), 'utf8')) as RunResult;
    expect(target.server!.name).toHaveLength(longest);
    expect(target.server!.version).toHaveLength(longest);
    expect(name.startsWith(target.server!.name.slice(0, -1))).toBe(true);
  });

  test('probe, init, ceiling', async () => {
    const server = await serve();
    const url = `${server.origin}/sse`;
    const probed = await mcpBench(['probe', url, '--listen', '0s', '--calls', '1', '--json'], { cwd });
    const page = await mcpBench(['probe', url, '--listen', '0s', '--calls', '1'], { cwd });
    const drafted = await mcpBench(['init', url, '--out', '-'], { cwd });
    const flood = ['ceiling', url, '--duration', '100ms', '--connections', '1', '--json'];
    const ceiling = await mcpBench(flood, { cwd });
    await server.close();
    expect([probed.code, page.code, drafted.code, ceiling.code]).toEqual([0, 0, 0, 0]);
    const { server: seen } = JSON.parse(probed.stdout) as ProbeReport;
    expect([seen!.name.length, seen!.version.length]).toEqual([longest, longest]);
    expect(page.stdout.length).toBeLessThan(10_000);
    expect(drafted.stdout.length).toBeLessThan(10_000);
    expect((JSON.parse(ceiling.stdout) as CeilingReport).server.length).toBeLessThanOrEqual(2 * longest + 1);
  });
});

test('names of methods are cut where they are read', async () => {
  const method = 'm'.repeat(5_000_000);
  const escaped = `\\u0065${'e'.repeat(5_000_000)}`;
  const server = await McpServer.listen({
    onInitialize: (post) => {
      post.connection.write(accepted);
      const { stream } = post.session;
      stream.write(event({ jsonrpc: '2.0', method }));
      stream.write(event(`{"jsonrpc":"2.0","method":"${escaped}"}`));
      stream.write(event({ jsonrpc: '2.0', id: 'theirs', method }));
      stream.write(event(initialized(post)));
    },
    onStream: (session, its) => session.stream.write(streamHead + event(its.endpointOf(session), 'endpoint')),
  });
  writeFileSync(join(cwd, 'call.yaml'), call);
  const args = ['run', 'call.yaml', '--target', server.url, '--out', 'methods.json', '--quiet'];
  const { code } = await mcpBench(args, { cwd });
  await server.close();
  expect(code).toBe(0);
  const { totals } = JSON.parse(readFileSync(join(cwd, 'methods.json'), 'utf8')) as RunResult;
  const { notification, serverRequest } = totals.oddities;
  expect(Object.keys(notification).map((name) => [name[0], name.length])).toEqual([
    ['m', longest],
    ['e', longest],
  ]);
  expect(Object.keys(serverRequest).map(({ length }) => length)).toEqual([longest]);
});
