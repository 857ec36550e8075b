import dns from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { play, type PlayOptions } from '../fixtures/play.js';
import { event, type McpScript, streamHead } from '../fixtures/scripted-mcp.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-foreign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** The same server by its other name: to a client that is another origin. */
function elsewhere(scheme = 'http'): McpScript {
  return {
    onStream: (session, { wire, endpointOf }) => {
      const endpoint = `${scheme}://localhost:${wire.port}${endpointOf(session)}`;
      session.stream.write(streamHead + event(endpoint, 'endpoint'));
    },
  };
}

const allowed: PlayOptions = { scenarioFor: ({ url }) => ({ target: { url, allowForeignEndpoint: true } }) };
const crowd = { sessions: 6, load: { model: 'count', calls: 60, inFlight: 2 } } as const;

describe('an endpoint of another origin', () => {
  test('shares its connections as the stream’s own does', async () => {
    const { counts, server } = await play(
      elsewhere(),
      { ...crowd, posts: { mode: 'shared', connections: 2 } },
      allowed,
    );
    expect(counts).toEqual({ ok: 60 });
    expect(server.posts).toHaveLength(60 + 2 * 6);
    expect(server.wire.connections, 'six streams, two for POSTs').toHaveLength(6 + 2);
  });

  test.each(['serial', 'pipelined', 'shared'] as const)('is looked up once for all: %s', async (mode) => {
    const lookUps = vi.spyOn(dns, 'lookup');
    syncBuiltinESMExports();
    const { counts, server } = await play(elsewhere(), { ...crowd, posts: { mode } }, allowed);
    expect(counts).toEqual({ ok: 60 });
    expect(server.wire.connections.length).toBeGreaterThan(7);
    expect(lookUps.mock.calls.filter(([host]) => host === 'localhost')).toHaveLength(1);
  });

  test('by TLS with certificates of ours that are of no use: failed sessions, and nothing is thrown', async () => {
    const file = join(folder, 'bad.pem');
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n');
    const { sessions, result } = await play(
      elsewhere('https'),
      { sessions: { count: 3, reconnect: false } },
      {
        scenarioFor: ({ url }) => ({
          target: { url, allowForeignEndpoint: true, tls: { cert: file, key: file } },
        }),
      },
    );
    expect(sessions).toMatchObject({ failed: 3, 'failed:endpoint': 3 });
    expect(result.examples['session endpoint']).toMatch(/the TLS certificates cannot be used/);
  });

  // Linux takes all of 127.0.0.0/8 for its own.
  test.runIf(process.platform === 'linux')('after 64 others is refused', async () => {
    const { counts, sessions, result } = await play(
      {
        onStream: (session, { wire, endpointOf }) => {
          const origin = `http://127.0.0.${session.ordinal + 2}:${wire.port}`;
          session.stream.write(streamHead + event(origin + endpointOf(session), 'endpoint'));
        },
      },
      { sessions: { count: 70, reconnect: false }, posts: { mode: 'shared' } },
      {
        listen: { host: '0.0.0.0' },
        scenarioFor: ({ wire }) => ({
          target: { url: `http://127.0.0.1:${wire.port}/sse`, allowForeignEndpoint: true },
        }),
      },
    );
    expect(sessions).toMatchObject({ ready: 64, failed: 6, 'failed:endpoint': 6 });
    expect(result.examples['session endpoint']).toMatch(/more than 64 origins/);
    expect(counts).toEqual({ ok: 10 });
  });
});
