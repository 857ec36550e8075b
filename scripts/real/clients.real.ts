// The clients of the official SDKs, and of others, against our mock: what they can do here they can do outside.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { serveMock } from '../../mock-server/serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../../mock-server/serve-mock.js';
import { type ClientTransport, clientOf } from '../fleet/fleet.mjs';
import { candidates, whyLeftOut } from './servers-at-hand.js';

const sessions = 3;
const calls = 60;
const modes: Record<ClientTransport, NonNullable<ServeMockOptions['streamable']>[]> = {
  sse: [{}],
  sessions: [{}, { body: 'sse', eventIds: true, prime: 'empty', storedEvents: 100 }],
  stateless: [{}, { body: 'sse' }],
};
const clients = candidates(undefined, 'streamable').filter(
  ({ server }) => server.clientTransports.length > 0,
);

describe.each(clients)('the client of $server.library $server.version', (candidate) => {
  const { name, clientTransports } = candidate.server;
  let mock: RunningMock;
  afterEach(() => mock?.close());
  const cases = clientTransports.flatMap((transport) =>
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
    const said = await runClient(name, told);
    expect(said).toMatchObject([
      { at: 'ready', sessions, failed: 0 },
      { at: 'done', sessions, calls, errors: 0, firstError: null },
    ]);
    const stats = await mock.stats();
    expect(stats.calls.byTool['echo']).toBe(calls);
    if (transport === 'sse') expect(stats.sessions).toMatchObject({ opened: sessions, closedByServer: 0 });
    if (transport === 'sessions')
      expect(stats.streamable).toMatchObject({
        sessionsCreated: sessions,
        sessionsRefused: 0,
        postsStateless: 0,
      });
    if (transport === 'stateless')
      expect(stats.streamable).toMatchObject({ sessionsCreated: 0, sessionsRefused: 0 });
    expect(stats.streamable.bodiesSse > 0).toBe(streamable.body === 'sse');
  });
});

/** Runs the loop around a client to its end, and returns what it said. */
async function runClient(name: string, told: object): Promise<unknown[]> {
  const { command, cwd, env } = clientOf(name);
  const [program, ...words] = command;
  const child = spawn(program!, [...words, JSON.stringify(told)], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const said: { at?: string }[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const one = JSON.parse(line) as { at?: string };
    said.push(one);
    // It closes its sessions when it may.
    if (one.at === 'done') child.stdin.end();
  }
  return complaint === '' || said.length > 1 ? said : [complaint];
}
