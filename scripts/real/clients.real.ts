// The clients of the official SDKs, and of others, against our mock: what they can do here they can do outside.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { serveMock } from '../../mock-server/serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../../mock-server/serve-mock.js';
import { type ClientTransport, clientOf, type StdioEra } from '../fleet/fleet.mjs';
import { runClient } from '../peers/run-client.js';
import { clientCandidates, whyLeftOut } from './servers-at-hand.js';

const sessions = 3;
const calls = 60;
const modes: Record<Exclude<ClientTransport, StdioEra>, NonNullable<ServeMockOptions['streamable']>[]> = {
  sse: [{}],
  sessions: [{}, { body: 'sse', eventIds: true, prime: 'empty', storedEvents: 100 }],
  stateless: [{}, { body: 'sse' }],
};

describe.each(clientCandidates())('the client of $server.library $server.version', (candidate) => {
  const { name, clientTransports } = candidate.server;
  let mock: RunningMock;
  afterEach(() => mock?.close());
  const cases = clientTransports
    .filter(isHttp)
    .flatMap((transport) =>
      (['uws', 'node'] as const).flatMap((engine) =>
        modes[transport].map((streamable) => ({ transport, engine, streamable })),
      ),
    );

  test.for(cases)('$transport, $engine, $streamable', async ({ transport, engine, streamable }, { skip }) => {
    const leftOut = whyLeftOut(candidate);
    if (leftOut !== undefined) return skip(leftOut);
    mock = await serveMock({ engine, streamable });
    const url = transport === 'sse' ? mock.url : mock.urls.streamable;
    const told = {
      url,
      transport,
      sessions,
      inFlight: 4,
      tool: 'echo',
      arguments: { message: 'grüße' },
      calls,
    };
    const { ready, done, code, text } = await runClient(clientOf(name), told, { limitMs: 60_000 });
    expect(ready, `${done?.firstError} ${text}`).toMatchObject({ sessions, failed: 0 });
    expect(done, text).toMatchObject({ sessions, calls, errors: 0, firstError: null });
    expect(code).toBe(0);
    const stats = await mock.stats();
    expect(stats.calls).toMatchObject({ received: calls, cancelled: 0, byTool: { echo: calls } });
    if (transport === 'sse')
      expect(stats.sessions).toMatchObject({ opened: sessions, open: 0, closedByServer: 0 });
    if (transport === 'sessions')
      expect(stats.streamable).toMatchObject({
        sessionsCreated: sessions,
        sessionsDeleted: sessions,
        sessionsOpen: 0,
        sessionsRefused: 0,
        postsStateless: 0,
      });
    if (transport === 'stateless')
      expect(stats.streamable).toMatchObject({ sessionsCreated: 0, sessionsRefused: 0 });
    expect(stats.streamable.bodiesSse > 0).toBe(streamable.body === 'sse');
  });

  const pipes = clientTransports
    .filter((transport) => !isHttp(transport))
    .flatMap((transport) => [
      { transport, flags: [] as string[] },
      {
        transport,
        flags: ['--set', 'stdio.lineEnding=crlf', '--set', 'stdio.pieces=50', '--set', 'stdio.pieceGap=0'],
      },
      { transport, flags: ['--set', 'stdio.stderrPerCall=64KB', '--fault', 'splitEvent=20%'] },
    ]);
  test.for(pipes)('$transport, $flags', async ({ transport, flags }, { skip }) => {
    const leftOut = whyLeftOut(candidate);
    if (leftOut !== undefined) return skip(leftOut);
    const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-clients-'));
    try {
      const statsFile = join(folder, 'stats.jsonl');
      const command = [process.execPath, main, 'serve-mock', '--stdio', '--stats-file', statsFile, ...flags];
      const tool = { tool: 'echo', arguments: { message: 'grüße' } };
      const told = { command, transport, sessions, inFlight: 4, ...tool, calls };
      const { ready, done, code, text } = await runClient(clientOf(name), told, { limitMs: 60_000 });
      expect(ready, `${done?.firstError} ${text}`).toMatchObject({ sessions, failed: 0 });
      expect(done, text).toMatchObject({ sessions, calls, errors: 0, firstError: null });
      expect(code).toBe(0);
      const lines = readFileSync(statsFile, 'utf8').trim().split('\n');
      const all = lines.map((line) => (JSON.parse(line) as { stats: StdioStats }).stats);
      // The TypeScript SDK 2.x asks a process what it speaks, and starts another to speak it with.
      const probes = name === 'ts-sdk-2' && transport === 'stdio-stateless' ? sessions : 0;
      expect(all.length).toBe(sessions + probes);
      expect(all.reduce((sum, { calls: { received } }) => sum + received, 0)).toBe(calls);
      for (const {
        stdio,
        lateWrites,
        calls: { byTool, received },
      } of all)
        expect({ stdio, lateWrites, echo: byTool.echo }).toMatchObject({
          stdio: { malformed: 0, tooLong: 0 },
          lateWrites: 0,
          echo: received,
        });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

interface StdioStats {
  readonly calls: { readonly received: number; readonly byTool: { readonly echo: number } };
  readonly lateWrites: number;
  readonly stdio: object;
}

function isHttp(transport: ClientTransport): transport is Exclude<ClientTransport, StdioEra> {
  return !transport.startsWith('stdio');
}
