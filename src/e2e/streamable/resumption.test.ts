import { describe, expect, test } from 'vitest';
import { answer } from '../fixtures/scripted-mcp.js';
import {
  chunk,
  echoed,
  eventsHead,
  initializeResult,
  json,
  lastChunk,
  messageEvent,
  playStreamable,
  type Posted,
  type StreamableScript,
} from './scripted-streamable.js';
import { serveOfficial } from './sdk-server.js';
import { planScenario } from '../../scenario/load-scenario.js';
import { plainScenario, runChecked } from '../fixtures/play.js';

const primed = (n: number, retry = 'retry: 10\n'): string => chunk(`id: e-${n}\n${retry}data:\n\n`);

/** Breaks each reply off behind its first event, and goes on where it is asked to. */
function breaking(script: StreamableScript = {}): StreamableScript {
  const held = new Map<string, Posted>();
  return {
    onCall: (posted) => {
      held.set(`e-${posted.n}`, posted);
      posted.connection.write(eventsHead + primed(posted.n) + lastChunk);
    },
    onGet: ({ connection, headers }) => {
      const posted = held.get(headers.get('last-event-id')![0]!)!;
      connection.write(eventsHead + chunk(messageEvent(echoed(posted))));
    },
    ...script,
  };
}

test('a reply that breaks off behind an event goes on by a GET, and the call with it', async () => {
  const { counts, result, server } = await playStreamable(breaking());
  expect(counts).toEqual({ ok: 10 });
  expect(result.totals.replies).toMatchObject({ priming: 10, resumed: 10, resumeRefused: 0 });
  expect(server.callsReceived, 'nothing is sent twice').toBe(10);
  const gets = server.others.filter(({ method }) => method === 'GET');
  expect(gets.map(({ headers }) => headers.get('last-event-id')![0])).toEqual(
    Array.from({ length: 10 }, (_, n) => `e-${n}`),
  );
  for (const { headers } of gets) {
    expect(headers.get('mcp-session-id')).toEqual(['s-1']);
    expect(headers.get('mcp-protocol-version')).toEqual(['2025-11-25']);
    expect(headers.get('accept')).toEqual(['text/event-stream']);
  }
  // The connection of the POST was free long before; what ended the GET was us.
  expect(result.metrics['call.release']).toBeUndefined();
});

test('so does one whose connection is cut', async () => {
  const { counts, result } = await playStreamable(
    breaking({
      onCall: (posted) => {
        held.set(`e-${posted.n}`, posted);
        posted.connection.end(eventsHead + primed(posted.n));
      },
      onGet: ({ connection, headers }) => {
        const posted = held.get(headers.get('last-event-id')![0]!)!;
        connection.write(eventsHead + chunk(messageEvent(echoed(posted))) + lastChunk);
      },
    }),
  );
  expect(counts).toEqual({ ok: 10 });
  expect(result.totals.replies!.resumed).toBe(10);
});
const held = new Map<string, Posted>();

test('it may break off again and again', async () => {
  const seen = new Map<string, number>();
  const { counts, result } = await playStreamable(
    breaking({
      onCall: (posted) => {
        held.set(`e-${posted.n}`, posted);
        posted.connection.write(eventsHead + primed(posted.n) + lastChunk);
      },
      onGet: ({ connection, headers }) => {
        const id = headers.get('last-event-id')![0]!;
        const times = (seen.get(id) ?? 0) + 1;
        seen.set(id, times);
        if (times < 3) return connection.write(eventsHead + chunk(': nothing yet\n\n') + lastChunk);
        connection.write(eventsHead + chunk(messageEvent(echoed(held.get(id)!), 'done')) + lastChunk);
      },
    }),
    { load: { model: 'count', calls: 3 } },
  );
  expect(counts).toEqual({ ok: 3 });
  expect(result.totals.replies!.resumed).toBe(9);
});

describe('nothing is resumed', () => {
  test('without an event id', async () => {
    const { counts, result } = await playStreamable(
      breaking({ onCall: ({ connection }) => connection.write(eventsHead + chunk('data:\n\n') + lastChunk) }),
    );
    expect(counts).toEqual({ acceptedNoResponse: 10 });
    expect(result.totals.replies).toMatchObject({ priming: 0, resumed: 0 });
  });

  test.each(['2025-06-18', '2025-03-26'] as const)('in %s', async (protocol) => {
    const { counts, result, server } = await playStreamable(
      {
        ...breaking(),
        onInitialize: (posted) =>
          posted.connection.write(json(200, initializeResult(posted, protocol), ['Mcp-Session-Id: s-1'])),
      },
      {},
      { protocol },
    );
    expect(counts).toEqual({ acceptedNoResponse: 10 });
    expect(result.totals.replies!.resumed).toBe(0);
    expect(server.others.map(({ method }) => method)).toEqual(['DELETE']);
  });

  test('once the response is there', async () => {
    const { counts, result } = await playStreamable(
      breaking({
        onCall: (posted) =>
          posted.connection.end(eventsHead + primed(posted.n) + chunk(messageEvent(echoed(posted), 'last'))),
      }),
    );
    expect(counts).toEqual({ ok: 10 });
    expect(result.totals.replies!.resumed).toBe(0);
  });

  test.each([
    ['too long to be sent back', `id: ${'x'.repeat(5000)}\ndata:\n\n`],
    ['no text for a header', 'id: é\u0001\ndata:\n\n'],
  ])('where the id is %s', async (_, event) => {
    const { counts, result } = await playStreamable(
      breaking({ onCall: ({ connection }) => connection.write(eventsHead + chunk(event) + lastChunk) }),
    );
    expect(counts).toEqual({ acceptedNoResponse: 10 });
    expect(result.totals.replies!.resumed).toBe(0);
  });
});

test('where it is refused the call has lost its connection; a 404 has lost the session', async () => {
  const refused = await playStreamable(
    breaking({ onGet: ({ connection }) => connection.write(answer(405)) }),
  );
  expect(refused.counts).toEqual({ disconnected: 10 });
  expect(refused.result.totals.replies).toMatchObject({ resumed: 10, resumeRefused: 10 });
  expect(refused.result.examples['disconnected']).toContain('its resumption was answered 405');
  const lost = await playStreamable(breaking({ onGet: ({ connection }) => connection.write(answer(404)) }), {
    load: { model: 'count', calls: 2 },
  });
  expect(lost.counts).toMatchObject({ 'httpError:404': 2, sessionLost: 2 });
});

test('the time limit of the call holds all the same, whatever the server would have us wait', async () => {
  const { counts } = await playStreamable(
    breaking({
      onCall: (posted) =>
        posted.connection.write(eventsHead + primed(posted.n, 'retry: 999999999\n') + lastChunk),
    }),
    { calls: [{ tool: 'echo', timeout: '100ms' }], load: { model: 'count', calls: 2 } },
  );
  expect(counts).toEqual({ acceptedNoResponse: 2 });
});

test('a server that breaks every reply off at once is not asked without a pause', async () => {
  const { counts, result } = await playStreamable(
    breaking({
      onCall: (posted) => posted.connection.write(eventsHead + primed(posted.n, 'retry: 0\n') + lastChunk),
      onGet: ({ connection }) => connection.write(eventsHead + lastChunk),
    }),
    { calls: [{ tool: 'echo', timeout: '300ms' }], load: { model: 'count', calls: 1 } },
  );
  expect(counts).toEqual({ acceptedNoResponse: 1 });
  expect(result.totals.replies!.resumed).toBeLessThanOrEqual(31);
});

test('the official server’s priming events are seen, and its event store is not needed', async () => {
  const events: { id: string; message: unknown }[] = [];
  const server = await serveOfficial({
    eventStore: {
      storeEvent: async (_stream, message) => {
        events.push({ id: String(events.length), message });
        return Promise.resolve(String(events.length - 1));
      },
      replayEventsAfter: async () => Promise.resolve('none'),
    },
    retryInterval: 20,
  });
  try {
    const target = { url: server.url, transport: 'streamable', protocol: '2025-11-25' } as const;
    const { counts, result } = await runChecked(planScenario({ ...plainScenario, target }));
    expect(counts).toEqual({ ok: 10 });
    expect(result.totals.replies!.priming).toBeGreaterThanOrEqual(10);
    expect(result.totals.replies!.resumed).toBe(0);
  } finally {
    await server.close();
  }
});
