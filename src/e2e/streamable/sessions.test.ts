import { describe, expect, test } from 'vitest';
import { answer } from '../fixtures/scripted-mcp.js';
import {
  chunk,
  echoed,
  eventsHead,
  initializeResult,
  json,
  messageEvent,
  playStreamable,
  type Posted,
} from './scripted-streamable.js';

const sessionOf = ({ request }: Posted): string | undefined => request.headers.get('mcp-session-id')?.[0];

describe('a session that the server does not know any more', () => {
  test.each([
    ['404', () => json(404, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'gone' } })],
    ['404 and no body', () => answer(404)],
    ['400 and no RPC error', () => answer(400, 'No valid session')],
    [
      '400 and an RPC error for nobody',
      () => json(400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'x' } }),
    ],
  ] as const)('says so by %s: the call fails, one new session takes its place', async (_, refusal) => {
    const { counts, sessions, result, server } = await playStreamable({
      onCall: (posted) => posted.connection.write(posted.n === 4 ? refusal() : json(200, echoed(posted))),
    });
    const failedAs = Object.keys(counts).filter((name) => name.startsWith('httpError'));
    expect(failedAs).toHaveLength(1);
    expect(counts).toMatchObject({ ok: 9, [failedAs[0]!]: 1, sessionLost: 1, reconnect: 1 });
    expect(sessions).toMatchObject({ opened: 2, ready: 2, dropped: 1, closed: 1 });
    expect(server.callsReceived, 'nothing was sent twice').toBe(10);
    const ids = server.posts.filter(({ n }) => n >= 0).map((posted) => sessionOf(posted));
    expect(ids.filter((id) => id === 's-1')).toHaveLength(5);
    expect(ids.filter((id) => id === 's-2')).toHaveLength(5);
    // Only the one that the server knows is ended.
    expect(server.others.map(({ headers }) => headers.get('mcp-session-id')![0])).toEqual(['s-2']);
    expect(result.totals.replies).toMatchObject({ deleted: 1, left: 0 });
  });

  test('its other calls may still be answered', async () => {
    const held: Posted[] = [];
    const { counts, server } = await playStreamable(
      {
        onCall: (posted) => {
          if (posted.n > 2) return posted.connection.write(json(200, echoed(posted)));
          held.push(posted);
          if (held.length < 3) return;
          held[0]!.connection.write(answer(404));
          for (const each of held.slice(1)) each.connection.write(json(200, echoed(each)));
        },
      },
      { load: { model: 'count', calls: 9, inFlight: 3 } },
    );
    expect(counts).toEqual({ ok: 8, 'httpError:404': 1, sessionLost: 1, reconnect: 1 });
    expect(server.sessions).toBe(2);
  });

  test('a refusal of the first call is no loss: the session never worked, but for a 404', async () => {
    const refused = await playStreamable({
      onInitialized: ({ connection }) => connection.write(answer(202)),
      onCall: ({ connection }) => connection.write(answer(400, 'nothing works')),
    });
    // `notifications/initialized` did.
    expect(refused.counts['sessionLost']).toBeGreaterThan(0);
    const without = await playStreamable({
      onInitialize: (posted) => posted.connection.write(json(200, initializeResult(posted))),
      onCall: ({ connection }) => connection.write(answer(404)),
    });
    expect(without.counts, 'without an id there is nothing to be lost').toEqual({ 'httpError:404': 10 });
  });
});

describe('the session’s id', () => {
  test('is taken from what initialize is answered, and from nothing else', async () => {
    const { counts, server } = await playStreamable({
      onInitialize: (posted) => posted.connection.write(json(200, initializeResult(posted))),
      onCall: (posted) => posted.connection.write(json(200, echoed(posted), ['Mcp-Session-Id: wrong'])),
    });
    expect(counts).toEqual({ ok: 10 });
    for (const posted of server.posts) expect(sessionOf(posted)).toBeUndefined();
    expect(server.others, 'nothing to be deleted').toEqual([]);
  });

  test.each([
    ['a space', 'a b'],
    ['a letter beyond ASCII', 'é'],
    ['2,000 letters', 'x'.repeat(2000)],
  ])('with %s in it cannot be sent back: no session', async (_, id) => {
    const { counts, sessions } = await playStreamable({
      onInitialize: (posted) =>
        posted.connection.write(
          Buffer.from(json(200, initializeResult(posted), [`Mcp-Session-Id: ${id}`]), 'latin1'),
        ),
    });
    expect(counts).toEqual({});
    expect(sessions).toEqual({ opened: 1, failed: 1, 'failed:session id': 1 });
  });
});

describe('the handshake', () => {
  test('fails where initialize is refused, answered with an error, or not at all', async () => {
    const of = async (play: (posted: Posted) => void): Promise<Record<string, number>> =>
      (await playStreamable({ onInitialize: play }, { timeouts: { handshake: '300ms' } })).sessions;
    expect(await of(({ connection }) => connection.write(answer(401)))).toMatchObject({
      'failed:http 401': 1,
    });
    expect(
      await of((posted) =>
        posted.connection.write(
          json(400, { jsonrpc: '2.0', id: posted.message.id, error: { code: -32022, message: 'version' } }),
        ),
      ),
    ).toMatchObject({ 'failed:initialize': 1 });
    expect(await of(({ connection }) => connection.write(answer(202)))).toMatchObject({
      'failed:initialize': 1,
    });
    expect(await of(() => {})).toMatchObject({ 'failed:timeout': 1 });
    expect(await of(({ connection }) => connection.write(eventsHead))).toMatchObject({ 'failed:timeout': 1 });
    expect(await of(({ connection }) => connection.end())).toMatchObject({ 'failed:post': 1 });
  });

  test('goes on with what the server agrees to', async () => {
    const { server, result } = await playStreamable({
      onInitialize: (posted) =>
        posted.connection.write(json(200, initializeResult(posted, '2025-06-18'), ['Mcp-Session-Id: s-1'])),
    });
    expect(result.target.protocolVersion).toBe('2025-06-18');
    for (const { request } of server.posts.slice(1))
      expect(request.headers.get('mcp-protocol-version')).toEqual(['2025-06-18']);
  });

  test('takes events for an answer, too', async () => {
    const { counts } = await playStreamable({
      onInitialize: (posted) =>
        posted.connection.write(eventsHead + chunk(messageEvent(initializeResult(posted))) + '0\r\n\r\n'),
    });
    expect(counts).toEqual({ ok: 10 });
  });
});

describe('at the end', () => {
  test.each([200, 202, 204])('%i to a DELETE ends the session', async (status) => {
    const { result } = await playStreamable({
      onDelete: ({ connection }) => connection.write(answer(status)),
    });
    expect(result.totals.replies).toMatchObject({ deleted: 1, deleteRefused: 0, left: 0 });
  });

  test('405 is borne, and counted', async () => {
    const { counts, result } = await playStreamable({
      onDelete: ({ connection }) => connection.write(answer(405)),
    });
    expect(counts).toEqual({ ok: 10 });
    expect(result.totals.replies).toMatchObject({ deleted: 0, deleteRefused: 1, left: 0 });
  });

  test('a server that does not answer is left', async () => {
    const { result } = await playStreamable({ onDelete: () => {} });
    expect(result.totals.replies).toMatchObject({ deleted: 0, deleteRefused: 0, left: 1 });
  });
});

describe('the stream for the server’s own messages', () => {
  const listen = { target: { listen: true } };

  test.each([405, 409, 404])('%i is borne: the session has none', async (status) => {
    const { counts, result, server } = await playStreamable(
      { onGet: ({ connection }) => connection.write(answer(status)) },
      {},
      listen,
    );
    expect(counts).toEqual({ ok: 10 });
    expect(result.totals.replies!.listenRefused).toBe(1);
    expect(server.sessions).toBe(1);
  });

  test('what comes on it is answered and counted, and it is opened again where it ends', async () => {
    let gets = 0;
    const { counts, server, result } = await playStreamable(
      {
        onGet: ({ connection }) => {
          connection.write(
            eventsHead + chunk(messageEvent({ jsonrpc: '2.0', id: 5, method: 'ping' }, 'e-1')),
          );
          if (gets++ === 0) connection.end();
        },
      },
      { phases: [{ duration: '1500ms', load: { model: 'rate', perSecond: 10 } }] },
      listen,
    );
    expect(counts).toEqual({ ok: 15, 'serverRequest:ping': 2 });
    expect(server.methods.filter((method) => method === 'response')).toHaveLength(2);
    const again = server.others.filter(({ method }) => method === 'GET');
    expect(again.map(({ headers }) => headers.get('last-event-id')?.[0])).toEqual([undefined, 'e-1']);
    expect(again.every(({ headers }) => headers.get('mcp-session-id')![0] === 's-1')).toBe(true);
    expect(result.metrics['handshake.listen']!.count).toBe(1);
  });

  test('a session without one is not silent, however long nothing comes', async () => {
    const { counts, sessions } = await playStreamable(
      {},
      {
        timeouts: { idle: '50ms' },
        phases: [{ duration: '600ms', load: { model: 'rate', perSecond: 4 } }],
      },
    );
    expect(counts).toEqual({ ok: 3 });
    expect(sessions).toMatchObject({ opened: 1 });
    expect(sessions['dropped']).toBeUndefined();
  });
});
