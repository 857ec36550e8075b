// The clients of the official SDKs, and of others, against our mock: what they can do here they can do outside.
import { afterEach, describe, expect, test } from 'vitest';
import { serveMock } from '../../mock-server/serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../../mock-server/serve-mock.js';
import type { ClientTransport } from '../fleet/fleet.mjs';
import { runFleetClient } from '../peers/fleet-client.js';
import { clientCandidates, whyLeftOut } from './servers-at-hand.js';

const sessions = 3;
const calls = 60;
const modes: Record<ClientTransport, NonNullable<ServeMockOptions['streamable']>[]> = {
  sse: [{}],
  sessions: [{}, { body: 'sse', eventIds: true, prime: 'empty', storedEvents: 100 }],
  stateless: [{}, { body: 'sse' }],
};

describe.each(clientCandidates())('the client of $server.library $server.version', (candidate) => {
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
    const { ready, done, code, text } = await runFleetClient(name, told, { limitMs: 60_000 });
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
});
