import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Server as TlsServer } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { endpointOf } from '../../ceiling/flood-place.js';
import { flood } from '../../ceiling/flood.js';
import { ProbeSession } from '../../probe/probe-session.js';
import { accessTarget } from '../../detect/target-access.js';
import { planScenario } from '../../scenario/load-scenario.js';
import type { TargetPlan } from '../../scenario/plan.js';
import { mcpBench } from '../fixtures/command.fixture.js';
import { accepted, answer, event, streamHead } from '../fixtures/scripted-mcp.js';
import { type ScriptedConnection, ScriptedServer } from '../fixtures/scripted-server.js';
import { serveSurvey } from '../fixtures/survey-server.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const cwd = mkdtempSync(join(tmpdir(), 'mcp-bench-ceiling-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

function targetOf(target: object): TargetPlan {
  return planScenario({
    target: target as { url: string },
    sessions: 1,
    load: { model: 'count', calls: 1 },
    calls: [{ method: 'ping' }],
  }).target;
}

const flooding = { connections: 3, durationMs: 300 };

describe('the user’s Host is the only one, in every request of', () => {
  const scenario = 'sessions: 1\nload: { model: count, calls: 3 }\ncalls: [{ method: ping }]\n';
  test.each([
    ['probe', ['--listen', '0s', '--calls', '2'], 8],
    ['init', ['--out', '-'], 6],
    ['ceiling', ['--duration', '200ms', '--connections', '2'], 20],
    ['run', ['--quiet'], 5],
  ] as const)('%s', async (command, more, atLeast) => {
    const server = await serveSurvey();
    const url = `${server.origin}/sse`;
    writeFileSync(join(cwd, 'ping.yaml'), scenario);
    const args = command === 'run' ? [command, 'ping.yaml', '--target', url] : [command, url];
    const outcome = await mcpBench([...args, ...more, '--header', 'hOsT: behind.example'], { cwd });
    const { requests } = server;
    await server.close();
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(requests.length).toBeGreaterThanOrEqual(atLeast);
    const hosts = requests.map(({ headers }) => (headers.get('host') ?? []).join(' and '));
    expect([...new Set(hosts)]).toEqual(['behind.example']);
  });
});

function certificates(): boolean {
  const make = (name: string): void => {
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ');
    const out = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`];
    const san = ['-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', ['req', '-x509', ...key, ...out, ...san], { cwd, stdio: 'ignore' });
  };
  try {
    make('good');
    make('bad');
    return true;
  } catch {
    return false;
  }
}

const pem = (name: string): string => readFileSync(join(cwd, name), 'utf8');

describe.runIf(certificates())('a flood over TLS', () => {
  test('goes to nobody who shows another certificate than the one trusted', async () => {
    const servers = vi.spyOn(TlsServer.prototype, 'listen');
    const server = await serveSurvey({}, { tls: { key: pem('good.key'), cert: pem('good.pem') } });
    const tls = servers.mock.contexts[0] as TlsServer;
    const headers = { Authorization: 'Bearer for-this-server-alone' };
    const target = { url: `${server.origin}/sse`, tls: { ca: join(cwd, 'good.pem') }, headers };
    const access = await accessTarget(targetOf(target), 5000);
    const session = await ProbeSession.open(access, 5000, 1);
    const before = server.requests.length;
    expect(before).toBeGreaterThan(0);
    tls.setSecureContext({ key: pem('bad.key'), cert: pem('bad.pem') });
    await expect(flood([endpointOf(access, session)], flooding)).rejects.toThrow(
      /a connection of the flood was given up: self.signed certificate/,
    );
    session.close();
    expect(server.requests.slice(before).map(({ headers: sent }) => sent.get('authorization'))).toEqual([]);
    await server.close();
  });

  test('is counted as any other', async () => {
    const server = await serveSurvey({}, { tls: { key: pem('good.key'), cert: pem('good.pem') } });
    const target = { url: `${server.origin}/sse`, tls: { ca: join(cwd, 'good.pem') } };
    const access = await accessTarget(targetOf(target), 5000);
    const session = await ProbeSession.open(access, 5000, 1);
    const { accepted: taken, refused, errors } = await flood([endpointOf(access, session)], flooding);
    session.close();
    const received = server.requests.filter(({ body }) => body.includes('mcp-bench ceiling')).length;
    await server.close();
    expect({ refused, errors }).toEqual({ refused: {}, errors: 0 });
    expect(taken).toBeGreaterThan(0);
    // Those of the last moment were not waited for.
    expect(received - taken).toBeGreaterThanOrEqual(0);
    expect(received - taken).toBeLessThanOrEqual(flooding.connections);
  });
});

describe('a flood', () => {
  // The stream and its handshake as usual; what the flood's POSTs are answered is the test's.
  async function floodOf(onPost: (number: number) => { bytes: string; end?: boolean }) {
    let posts = 0;
    let stream: ScriptedConnection | null = null;
    const wire = await ScriptedServer.listen(({ connection, method, body }) => {
      if (method === 'GET') {
        stream = connection;
        return connection.write(streamHead + event('/messages?sessionId=0', 'endpoint'));
      }
      if (body.includes('"initialize"')) {
        const { id } = JSON.parse(body) as { id: number };
        const result = {
          protocolVersion: '2025-06-18',
          capabilities: {},
          serverInfo: { name: 'x', version: '1' },
        };
        stream!.write(event({ jsonrpc: '2.0', id, result }));
      }
      if (!body.includes('mcp-bench ceiling')) return connection.write(accepted);
      const { bytes, end } = onPost(posts++);
      if (end) connection.end(bytes);
      else connection.write(bytes);
    });
    const access = await accessTarget(targetOf({ url: `${wire.origin}/sse` }), 5000);
    const session = await ProbeSession.open(access, 5000, 1);
    const result = await flood([endpointOf(access, session)], flooding);
    session.close();
    await wire.close();
    return { result, posts: () => posts };
  }

  test('opens a new connection for each that the server ends after its answer', async () => {
    const closing = answer(202, '', ['Connection: close']);
    const { result, posts } = await floodOf(() => ({ bytes: closing, end: true }));
    expect(result).toMatchObject({ refused: {}, errors: 0 });
    expect(result.accepted).toBeGreaterThan(flooding.connections);
    expect(posts() - result.accepted).toBeLessThanOrEqual(flooding.connections);
  });

  test('counts what is refused by its status', async () => {
    const { result } = await floodOf((number) => ({ bytes: answer(number % 2 === 0 ? 202 : 429) }));
    expect(Object.keys(result.refused)).toEqual(['429']);
    expect(Math.abs(result.accepted - result.refused[429]!)).toBeLessThanOrEqual(1);
    expect(result.errors).toBe(0);
  });

  test('never takes one answer of two for that of its next request', async () => {
    const { result, posts } = await floodOf((number) => ({
      bytes: number === 0 ? accepted + answer(500) : accepted,
    }));
    expect(result.refused).toEqual({});
    expect(result.errors).toBe(1);
    expect(posts() - result.accepted).toBeLessThanOrEqual(flooding.connections);
  });

  test('survives bytes that are no answer', async () => {
    const { result } = await floodOf((number) => ({
      bytes: number % 50 === 49 ? 'nonsense\r\n\r\n' : accepted,
    }));
    expect(result.errors).toBeGreaterThan(0);
    expect(result.accepted).toBeGreaterThan(result.errors);
  });
});
