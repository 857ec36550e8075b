import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { sampleResult } from '../result/result.fixture.js';
import { awaitReady } from './await-ready.js';

let server: Server;
let asked = 0;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Waits for a server whose n-th answer has the n-th status; the last is repeated. 200 is an event stream. */
async function waitFor(
  statuses: readonly number[],
  limitMs = 20_000,
  headers: OutgoingHttpHeaders = {},
): Promise<string | null> {
  asked = 0;
  server = createServer((_, response) => {
    const status = statuses[Math.min(asked++, statuses.length - 1)]!;
    response.writeHead(status, { 'content-type': 'text/event-stream', ...headers }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  return awaitReady({ ...sampleResult().scenario.target, url }, limitMs, () => null);
}

test.each([
  [400, /^GET \/sse answered 400/],
  [401, /^GET \/sse answered 401.*token or headers/],
  [403, /^GET \/sse answered 403.*token or headers/],
  [405, /^GET \/sse answered 405/],
])(
  'a server that refuses with %i is asked three times, and not for as long as it may take',
  async (status, reason) => {
    expect(await waitFor([status])).toMatch(reason);
    expect(asked).toBe(3);
  },
);

test('where a redirect leads is said, without what is asked for there', async () => {
  const reason = await waitFor([302], 300, { location: 'https://h/login?key=S' });
  expect(reason).toBe(
    'not ready within 0.3 s: GET /sse answered 302, a redirect to https://h/login…, which is not followed',
  );
});

test('a type without end is cut', async () => {
  const reason = await waitFor([200], 300, { 'content-type': 'x'.repeat(10_000) });
  expect(reason!.length).toBeLessThan(300);
});

test('a refusal that passes while it starts is no refusal', async () => {
  expect(await waitFor([401, 401, 503, 401, 401, 200])).toBeNull();
  expect(asked).toBe(6);
});

test.each([404, 429, 500, 503])('one that answers %i may still be starting', async (status) => {
  expect(await waitFor([status, status, status, status, status, 200])).toBeNull();
  expect(asked).toBe(6);
});
