import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { sampleResult } from '../result/result.fixture.js';
import type { Spoken } from '../detect/spoken.js';
import type { TransportChoice } from '../scenario/plan.js';
import { awaitReady } from './await-ready.js';

let server: Server;
let asked = 0;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Waits for a server that answers all of the n-th try with the n-th status; the last is repeated. 200 is an event stream. */
async function waitFor(
  statuses: readonly number[],
  transport: TransportChoice = 'sse',
): Promise<Spoken | string> {
  asked = 0;
  server = createServer(({ method }, response) => {
    const status = statuses[Math.min(asked, statuses.length - 1)]!;
    // With each try a stream is asked for, by whatever name it may be that the target has none.
    if (method === 'GET') asked++;
    const opens = status === 200 && method === 'GET';
    response.writeHead(opens || status !== 200 ? status : 405, { 'content-type': 'text/event-stream' });
    response.end(opens ? 'event: endpoint\ndata: /m\n\n' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  const target = { ...sampleResult().scenario.target, url, transport, protocol: 'auto' };
  return awaitReady(target, 20_000, () => null);
}

describe.each(['auto', 'sse'] as const)('with the transport %s', (transport) => {
  test.each([
    [400, /the event stream was answered 400/],
    [401, /the event stream was answered 401.*token/],
    [403, /the event stream was answered 403.*token/],
    [405, /the event stream was answered 405/],
  ])(
    'a server that refuses with %i is asked three times, and not for as long as it may take',
    async (status, reason) => {
      expect(await waitFor([status], transport)).toMatch(reason);
      expect(asked).toBe(3);
    },
  );

  test('a refusal that passes while it starts is no refusal', async () => {
    expect(await waitFor([401, 401, 503, 401, 401, 200], transport)).toMatchObject({ transport: 'sse' });
    expect(asked).toBe(6);
  });

  test.each([404, 429, 500, 503])('one that answers %i may still be starting', async (status) => {
    expect(await waitFor([status, status, status, status, status, 200], transport)).toMatchObject({
      transport: 'sse',
    });
    expect(asked).toBe(6);
  });
});

test('a server of another transport than the one that is named is told of', async () => {
  expect(await waitFor([200], 'streamable')).toMatch(/this server speaks HTTP\+SSE: use --transport sse$/);
  expect(asked).toBe(3);
});
