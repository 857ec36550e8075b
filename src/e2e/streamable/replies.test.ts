import { describe, expect, test } from 'vitest';
import { answer } from '../fixtures/scripted-mcp.js';
import { afterReading } from '../fixtures/scripted-server.js';
import {
  chunk,
  echoed,
  eventsHead,
  failed,
  json,
  lastChunk,
  messageEvent,
  playStreamable,
  type Posted,
} from './scripted-streamable.js';

const eventsWith = (...lines: string[]): string =>
  ['HTTP/1.1 200 OK', 'Content-Type: text/event-stream', ...lines, '', ''].join('\r\n');
const jsonWith = (...lines: string[]): string =>
  ['HTTP/1.1 200 OK', 'content-type: Application/JSON; charset=utf-8', ...lines, '', ''].join('\r\n');
const text = (posted: Posted): string => JSON.stringify(echoed(posted));

describe('a reply in any framing ends its call, and frees its connection at its end', () => {
  const framings: [string, number, (posted: Posted) => void][] = [
    ['JSON with a length', 1, (posted) => posted.connection.write(json(200, echoed(posted)))],
    [
      'JSON in chunks, byte by byte',
      1,
      (posted) =>
        void posted.connection.writeApart([
          jsonWith('Transfer-Encoding: chunked'),
          ...[...text(posted)].map((letter) => chunk(letter)),
          lastChunk,
        ]),
    ],
    [
      'JSON until the connection closes',
      10,
      (posted) => posted.connection.end(jsonWith('Connection: close') + text(posted)),
    ],
    ['a batch of one', 1, (posted) => posted.connection.write(json(200, [echoed(posted)]))],
    [
      'events with a length',
      1,
      (posted) => {
        const body = messageEvent(echoed(posted));
        posted.connection.write(eventsWith(`Content-Length: ${Buffer.byteLength(body)}`) + body);
      },
    ],
    [
      'events in chunks',
      1,
      (posted) => posted.connection.write(eventsHead + chunk(messageEvent(echoed(posted))) + lastChunk),
    ],
    [
      'events with CRLF and a comment, in pieces',
      1,
      (posted) =>
        void posted.connection.writeApart([
          eventsHead,
          chunk(': ping - 2026\r\n\r\n'),
          chunk(`event: message\r\nda`),
          chunk(`ta: ${text(posted)}\r\n`),
          chunk('\r\n'),
          lastChunk,
        ]),
    ],
    [
      'events without a name, over several lines of data',
      1,
      (posted) => {
        const [first, second] = text(posted).split(',"result"');
        posted.connection.write(
          eventsHead + chunk(`data: ${first}\ndata:,"result"${second}\n\n`) + lastChunk,
        );
      },
    ],
    [
      'events until the connection closes',
      10,
      (posted) => posted.connection.end(eventsWith('Connection: close') + messageEvent(echoed(posted))),
    ],
  ];
  test.each(framings)('%s', async (_, connections, onCall) => {
    const { counts, result, server } = await playStreamable({ onCall });
    expect(counts).toEqual({ ok: 10 });
    expect(result.totals.oddities.strayAnswer).toBe(0);
    expect(server.wire.connections.length).toBeLessThanOrEqual(connections + 1);
  });
});

test('the call ends at its event; its connection is not used again before the end of the body', async () => {
  const open = new Map<number, boolean>();
  let tookTurns = true;
  const { counts, result, server } = await playStreamable({
    onCall: (posted) => {
      const { connection } = posted;
      if (open.get(connection.ordinal)) tookTurns = false;
      open.set(connection.ordinal, true);
      connection.write(eventsHead + chunk(messageEvent(echoed(posted))));
      afterReading(() => {
        open.set(connection.ordinal, false);
        connection.write(lastChunk);
      }, 20);
    },
  });
  expect(counts).toEqual({ ok: 10 });
  expect(tookTurns).toBe(true);
  expect(server.wire.connections).toHaveLength(2);
  const { p50 } = result.metrics['call.release']!;
  expect(p50).toBeGreaterThan(0);
  expect(result.metrics['call.release']!.count).toBe(10);
});

test('progress comes first, and is timed as the first event', async () => {
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1 } };
  const { counts, result } = await playStreamable({
    onCall: (posted) =>
      posted.connection.write(
        eventsHead + chunk(messageEvent(progress)) + chunk(messageEvent(echoed(posted))) + lastChunk,
      ),
  });
  expect(counts).toEqual({ ok: 10, 'notification:notifications/progress': 10 });
  expect(result.metrics['call.firstEvent']!.count).toBe(10);
});

describe('an RPC error is one, whatever status it comes with', () => {
  test.each([200, 400, 404, 500])('%i', async (status) => {
    const { counts, server } = await playStreamable({
      onCall: (posted) => posted.connection.write(json(status, failed(posted, -32601))),
    });
    expect(counts).toEqual({ 'rpcError:-32601': 10 });
    expect(server.sessions).toBe(1);
  });
});

test('what is no answer at all is the refusal that it is', async () => {
  const { counts } = await playStreamable({
    onCall: ({ connection, n }) =>
      connection.write(
        [
          answer(503, 'busy'),
          json(500, { error: 'no' }),
          answer(307, '', ['Location: /elsewhere']),
          json(429, []),
          answer(500, 'x', ['Content-Type: application/json', 'Content-Encoding: gzip']),
        ][n % 5]!,
      ),
  });
  expect(counts).toEqual({ 'httpError:503': 2, 'httpError:500': 4, 'httpError:307': 2, 'httpError:429': 2 });
});

test('a reply that ends without the response is an acceptance that was never answered', async () => {
  const { counts, result } = await playStreamable({
    onCall: (posted) => {
      const { connection, n } = posted;
      if (n % 5 === 0) return connection.write(answer(202));
      if (n % 5 === 1) return connection.write(eventsHead + lastChunk);
      if (n % 5 === 2) return connection.write(json(200, { jsonrpc: '2.0', id: 99_999, result: {} }));
      if (n % 5 === 3) return connection.write(answer(200, '<p>hello</p>', ['Content-Type: text/html']));
      connection.write(answer(200, 'not JSON', ['Content-Type: application/json']));
    },
  });
  expect(counts).toEqual({ acceptedNoResponse: 10, foreign: 2, malformedEvent: 2 });
  expect(result.examples['acceptedNoResponse']).toContain('its reply ended without a response');
});

test('JSON under the name of events holds no response, and that is said', async () => {
  const { counts, result } = await playStreamable({
    onCall: (posted) => {
      const { connection, n } = posted;
      if (n % 5 === 0) return connection.write(eventsHead + chunk(text(posted)) + lastChunk);
      if (n % 5 === 1) return connection.write(eventsHead + chunk(`[${text(posted)}]\n\n`) + lastChunk);
      if (n % 5 === 2) return connection.end(eventsHead + chunk('{"jsonrpc"'));
      connection.write(json(200, echoed(posted)));
    },
  });
  expect(counts).toEqual({ ok: 4, acceptedNoResponse: 4, disconnected: 2 });
  expect(result.totals.replies?.jsonAsEvents).toBe(6);
  expect(result.findings.map(({ code }) => code)).toContain('json-as-events');
});

test('a connection that ends in the middle of a reply, or before it, has lost its call', async () => {
  const { counts } = await playStreamable({
    onCall: (posted) => {
      const { connection, n } = posted;
      if (n % 5 === 0) return connection.reset();
      if (n % 5 === 1) return connection.end(jsonWith('Content-Length: 1000') + '{"jsonrpc"');
      if (n % 5 === 2) return connection.end(eventsHead + chunk('data: {"jsonrpc":"2.0"'));
      if (n % 5 === 3) return connection.end(eventsHead);
      connection.write(json(200, echoed(posted)));
    },
  });
  expect(counts).toEqual({ ok: 2, disconnected: 8, truncatedEvent: 2 });
});

test('what comes behind the response is counted, and the call is over', async () => {
  const { counts } = await playStreamable({
    onCall: (posted) =>
      posted.connection.write(
        eventsHead +
          chunk(messageEvent(echoed(posted)) + messageEvent(echoed(posted))) +
          chunk(messageEvent({ jsonrpc: '2.0', method: 'notifications/message' })) +
          lastChunk,
      ),
  });
  expect(counts).toEqual({ ok: 10, duplicate: 10, 'notification:notifications/message': 10 });
});

test('a reply that never ends holds its connection for so long, and no call', async () => {
  const { counts, server } = await playStreamable(
    {
      onCall: (posted) => posted.connection.write(eventsHead + chunk(messageEvent(echoed(posted)))),
    },
    { calls: [{ tool: 'echo', timeout: '100ms' }], load: { model: 'count', calls: 6 } },
  );
  expect(counts).toEqual({ ok: 6 });
  // Each had one of its own: none was free again by itself.
  expect(server.wire.connections.length).toBeGreaterThanOrEqual(6);
});

test('neither status nor body within the time limit: a timeout, and a connection less', async () => {
  const { counts, server } = await playStreamable(
    { onCall: ({ connection, n }) => (n % 2 === 0 ? undefined : connection.write(eventsHead)) },
    { calls: [{ tool: 'echo', timeout: '50ms' }], load: { model: 'count', calls: 4 } },
  );
  expect(counts).toEqual({ timeout: 2, acceptedNoResponse: 2 });
  expect(server.wire.connections).toHaveLength(5);
});

test('a call is cancelled by a notification, and its reply may still end', async () => {
  const { counts, server } = await playStreamable(
    { onCall: ({ connection }) => connection.write(eventsHead + chunk(': working\n\n')) },
    {
      calls: [{ tool: 'echo', cancelAfter: '30ms', timeout: '200ms' }],
      load: { model: 'count', calls: 3 },
    },
  );
  expect(counts).toEqual({ cancelled: 3 });
  expect(server.methods.filter((method) => method === 'notifications/cancelled')).toHaveLength(3);
});
