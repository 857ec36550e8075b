import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { ProbeSession } from '../../probe/probe-session.js';
import { accessTarget } from '../../detect/target-access.js';
import { planScenario } from '../../scenario/load-scenario.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { plainScenario, play } from '../fixtures/play.js';
import { event, McpServer, streamHead } from '../fixtures/scripted-mcp.js';
import { type ScriptedRequest, ScriptedServer } from '../fixtures/scripted-server.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-targets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string): string => join(folder, name);
const pem = (name: string): string => readFileSync(file(name), 'utf8');

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
}

/** An authority of our own, a server certificate for 127.0.0.1 and localhost, and a client certificate. */
function makeCertificates(): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test CA',
    '-days',
    '2',
  );
  for (const [name, san] of [
    ['server', 'IP:127.0.0.1,DNS:localhost'],
    ['elsewhere', 'DNS:elsewhere.example'],
    ['client', 'DNS:client.example'],
  ]) {
    openssl(
      'req',
      ...key,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=${san}`,
    );
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-out',
      `${name}.pem`,
      '-days',
      '2',
      '-copy_extensions',
      'copy',
    );
  }
}

function hasOpenssl(): boolean {
  try {
    makeCertificates();
    return true;
  } catch {
    return false;
  }
}

describe.runIf(hasOpenssl())('TLS', () => {
  const server = () => ({ tls: { key: pem('server.key'), cert: pem('server.pem') } });

  test('verified by an authority of one’s own', async () => {
    const { counts } = await play(
      {},
      {},
      {
        listen: server(),
        scenarioFor: ({ url }) => ({ target: { url, tls: { ca: file('ca.pem') } } }),
      },
    );
    expect(counts).toEqual({ ok: 10 });
  });

  test.each(['serial', 'pipelined', 'shared'] as const)('%s POSTs, many sessions', async (mode) => {
    const { counts } = await play(
      {},
      { sessions: 5, load: { model: 'count', calls: 100, inFlight: 4 }, posts: { mode } },
      {
        listen: server(),
        scenarioFor: ({ url }) => ({ target: { url, tls: { ca: file('ca.pem') } } }),
      },
    );
    expect(counts).toEqual({ ok: 100 });
  });

  test('by name: the certificate is that of the name, wherever it is reached', async () => {
    const { counts } = await play(
      {},
      {},
      {
        listen: server(),
        scenarioFor: ({ wire }) => ({
          target: { url: `https://localhost:${wire.port}/sse`, tls: { ca: file('ca.pem') } },
        }),
      },
    );
    expect(counts).toEqual({ ok: 10 });
  });

  test.each([
    ['an unknown authority', 'server', undefined, /unable to verify|local issuer|self.signed/],
    ['a certificate for another name', 'elsewhere', 'ca.pem', /does not match/],
  ])('%s is refused, at the first try', async (_, name, ca, message) => {
    const { sessions, result, server } = await play(
      {},
      { sessions: { count: 1, reconnect: false } },
      {
        listen: { tls: { key: pem(`${name}.key`), cert: pem(`${name}.pem`) } },
        scenarioFor: ({ url }) => ({ target: { url, tls: ca === undefined ? {} : { ca: file(ca) } } }),
      },
    );
    expect(sessions).toMatchObject({ opened: 1, failed: 1, 'failed:tls': 1 });
    expect(sessions['connectRetries']).toBeUndefined();
    expect(result.examples['session tls']).toMatch(message);
    expect(server.wire.requests).toEqual([]);
  });

  test('not verified where that is asked for', async () => {
    const { counts } = await play(
      {},
      {},
      {
        listen: server(),
        scenarioFor: ({ url }) => ({ target: { url, tls: { verify: false } } }),
      },
    );
    expect(counts).toEqual({ ok: 10 });
  });

  test('a client certificate, shown and demanded', async () => {
    const listen = {
      tls: { ...server().tls, ca: pem('ca.pem'), requestCert: true, rejectUnauthorized: true },
    };
    const tls = { ca: file('ca.pem') };
    const shown = await play(
      {},
      {},
      {
        listen,
        scenarioFor: ({ url }) => ({
          target: { url, tls: { ...tls, cert: file('client.pem'), key: file('client.key') } },
        }),
      },
    );
    expect(shown.counts).toEqual({ ok: 10 });
    const missing = await play(
      {},
      { sessions: { count: 1, reconnect: false } },
      {
        listen,
        scenarioFor: ({ url }) => ({ target: { url, tls } }),
      },
    );
    expect(missing.sessions).toMatchObject({ failed: 1, 'failed:tls': 1 });
  });

  /** Streams come from a plain server, POSTs go to the same by TLS at another port. */
  async function playElsewhere(
    posts: NonNullable<ScenarioInput['posts']>,
    ca?: string,
  ): Promise<{
    played: Awaited<ReturnType<typeof play>>;
    contexts: number;
  }> {
    let take: (request: ScriptedRequest) => void = () => {};
    const other = await ScriptedServer.listen((request) => take(request), server());
    const contexts = vi.spyOn(tls, 'createSecureContext');
    syncBuiltinESMExports();
    try {
      const played = await play(
        {
          onStream: (session, mcp) => {
            take = (request) => mcp['take'](request);
            session.stream.write(streamHead + event(other.origin + mcp.endpointOf(session), 'endpoint'));
          },
        },
        {
          sessions: { count: 5, reconnect: false },
          load: { model: 'count', calls: 50, inFlight: 2 },
          posts,
        },
        {
          scenarioFor: ({ url }) => ({
            target: { url, allowForeignEndpoint: true, tls: ca === undefined ? {} : { ca: file(ca) } },
          }),
        },
      );
      return { played, contexts: contexts.mock.calls.length };
    } finally {
      contexts.mockRestore();
      syncBuiltinESMExports();
      await other.close();
    }
  }

  test('an endpoint of another origin: one context and one pool for all sessions', async () => {
    const { played, contexts } = await playElsewhere({ mode: 'shared', connections: 3 }, 'ca.pem');
    expect(played.counts).toEqual({ ok: 50 });
    expect(contexts).toBe(1);
    expect(new Set(played.server.posts.map(({ connection }) => connection)).size).toBeLessThanOrEqual(3);
  });

  test.each([
    { mode: 'serial' },
    { mode: 'pipelined', connections: 2 },
    { mode: 'shared', connections: 3 },
  ] as const)('its certificate is one that nobody vouches for: failed sessions, %o', async (posts) => {
    const { played, contexts } = await playElsewhere(posts);
    expect(played.sessions).toMatchObject({ opened: 5, failed: 5, 'failed:post': 5 });
    expect(played.result.examples['session post']).toMatch(/unable to verify|local issuer|self.signed/);
    expect(contexts).toBe(1);
    expect(played.server.posts).toEqual([]);
  });

  test('https to a plain server, and http to a TLS server', async () => {
    const once = { sessions: { count: 1, reconnect: false } };
    const web = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => web.once('listening', resolve));
    const { port } = web.address() as AddressInfo;
    const plain = await play({}, { ...once, target: `https://127.0.0.1:${port}/sse` });
    web.close();
    expect(plain.sessions).toMatchObject({ failed: 1, 'failed:tls': 1 });
    const secure = await play({}, once, {
      listen: server(),
      scenarioFor: ({ wire }) => ({ target: `http://127.0.0.1:${wire.port}/sse` }),
    });
    expect(secure.sessions).toMatchObject({ failed: 1 });
    expect(secure.result.totals.started).toBe(0);
  });
});

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');
test.runIf(hasIpv6)('IPv6, with an endpoint that is absolute', async () => {
  const { counts, server } = await play(
    {
      onStream: (session, server) => {
        const endpoint = `${server.wire.origin}${server.endpointOf(session)}`;
        session.stream.write(
          `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: endpoint\ndata: ${endpoint}\n\n`,
        );
      },
    },
    {},
    { listen: { host: '::1' } },
  );
  expect(counts).toEqual({ ok: 10 });
  for (const { headers } of server.wire.requests) expect(headers.get('host')![0]).toMatch(/^\[::1\]:\d+$/);
});

test.runIf(process.platform !== 'win32')('a Unix socket, with the Host of the URL', async () => {
  const unixSocket = file('server.sock');
  const { counts, server } = await play(
    {},
    {},
    {
      listen: { unixSocket },
      scenarioFor: () => ({ target: { url: 'http://api.example/sse', unixSocket } }),
    },
  );
  expect(counts).toEqual({ ok: 10 });
  for (const { headers } of server.wire.requests) expect(headers.get('host')).toEqual(['api.example']);
});

describe('headers', () => {
  test('own headers and the token go on the stream and on every POST', async () => {
    process.env['MCP_BENCH_TEST_TOKEN'] = 'secret-token';
    const { counts, server, result } = await play(
      {},
      {},
      {
        scenarioFor: ({ url }) => ({
          target: {
            url,
            headers: { 'X-Tenant': 'a b', 'X-Env': '{{env MCP_BENCH_TEST_TOKEN}}' },
            token: '$MCP_BENCH_TEST_TOKEN',
          },
        }),
      },
    );
    expect(counts).toEqual({ ok: 10 });
    expect(server.wire.requests).toHaveLength(13);
    for (const { headers } of server.wire.requests) {
      expect(headers.get('x-tenant')).toEqual(['a b']);
      expect(headers.get('x-env')).toEqual(['secret-token']);
      expect(headers.get('authorization')).toEqual(['Bearer secret-token']);
    }
    expect(JSON.stringify(result), 'no secret in the result').not.toContain('secret-token');
  });

  test('a Host of one’s own replaces the URL’s', async () => {
    const { counts, server } = await play(
      {},
      {},
      {
        scenarioFor: ({ url }) => ({ target: { url, headers: { host: 'virtual.example' } } }),
      },
    );
    expect(counts).toEqual({ ok: 10 });
    for (const { headers } of server.wire.requests) expect(headers.get('host')).toEqual(['virtual.example']);
  });

  test('and so it does in a probe', async () => {
    const server = await McpServer.listen({});
    const { target } = planScenario({
      ...plainScenario,
      target: { url: server.url, headers: { HOST: 'virtual.example' } },
    });
    const session = await ProbeSession.open(await accessTarget(target, 5000), 5000, 1);
    session.close();
    await server.close();
    expect(server.methods).toEqual(['initialize', 'notifications/initialized']);
    for (const { headers } of server.wire.requests) expect(headers.get('host')).toEqual(['virtual.example']);
  });

  test('what the protocol wants: JSON out, one length, no other framing', async () => {
    const { server } = await play(
      {},
      { calls: [{ tool: 'echo', arguments: { message: 'ünïcode 🦜 {{seq}}' }, expect: 'echo' }] },
    );
    for (const { headers, body } of server.posts.map(({ request }) => request)) {
      expect(headers.get('content-type')).toEqual(['application/json']);
      expect(headers.get('content-length')).toEqual([String(Buffer.byteLength(body))]);
      expect(headers.get('transfer-encoding')).toBeUndefined();
    }
  });

  test('letters beyond ASCII in a body leave the head as it is', async () => {
    const { counts, server } = await play(
      {},
      { calls: [{ tool: 'echo', arguments: { message: '🦜 {{seq}}' }, expect: 'echo' }] },
      { scenarioFor: ({ url }) => ({ target: { url, headers: { 'X-Name': 'M\tller' } } }) },
    );
    expect(counts).toEqual({ ok: 10 });
    const seen = server.wire.requests.map(({ headers }) => headers.get('x-name')![0]);
    expect(new Set(seen)).toEqual(new Set(['M\tller']));
  });
});
