import { afterEach, describe, expect, test, vi } from 'vitest';
import { Recorder } from '../../stats/recorder.js';
import { play } from '../fixtures/play.js';
import { answer, echo, event, initialized, type McpScript } from '../fixtures/scripted-mcp.js';

interface Times {
  readonly intendedNs: number;
  readonly lagNs: number;
  readonly connectNs: number;
  readonly sentNs: number;
}

/** What the recorder is told of each call that ends ok. */
function watchCalls(): Times[] {
  const times: Times[] = [];
  const record = Recorder.prototype.ok;
  vi.spyOn(Recorder.prototype, 'ok').mockImplementation(function spied(this: Recorder, ...given) {
    const [, , intendedNs, lagNs, connectNs, sentNs] = given;
    times.push({ intendedNs, lagNs, connectNs, sentNs });
    record.apply(this, given);
  });
  return times;
}

afterEach(() => void vi.restoreAllMocks());

describe('what the making of a connection takes is no fault of the server', () => {
  test.each(['serial', 'shared', 'pipelined'] as const)(
    '%s: a connection for every call: the wait for it is call.connect, apart from queue.wait',
    async (mode) => {
      const times = watchCalls();
      const { counts, result } = await play(
        {
          onCall: (post) => {
            post.connection.write(answer(202, '', ['Connection: close']));
            post.connection.socket.on('close', () => post.session.stream.write(event(echo(post))));
          },
        },
        { posts: { mode }, load: { model: 'count', calls: 10 } },
      );
      expect(counts).toEqual({ ok: 10 });
      // The first call has the connection of the handshake, or a second one beside it.
      expect(result.metrics['call.connect']?.count).toBeGreaterThanOrEqual(9);
      expect(result.totals.oddities.reconnected).toBeGreaterThanOrEqual(9);
      expect(result.metrics['queue.wait']?.count).toBe(10);
      const queueNs = times.map((call) => call.sentNs - call.intendedNs - call.lagNs - call.connectNs);
      for (const { lagNs, connectNs } of times) {
        expect(lagNs).toBeGreaterThanOrEqual(0);
        expect(connectNs).toBeGreaterThanOrEqual(0);
      }
      expect(Math.min(...queueNs)).toBeGreaterThanOrEqual(0);
      const longestNs = Math.max(...queueNs);
      expect(result.metrics['queue.wait']!.max / longestNs, 'the rest is queue.wait').toBeCloseTo(1, 2);
    },
  );

  test('connections that stand cost nothing, and no reconnect is counted', async () => {
    const { counts, result } = await play({}, { load: { model: 'count', calls: 20 } });
    expect(counts).toEqual({ ok: 20 });
    expect(result.metrics['call.connect']).toBeUndefined();
    expect(result.totals.oddities.reconnected).toBe(0);
  });

  test.each([
    ['a closed loop', { model: 'closed' as const, inFlight: 4 }],
    ['bursts', { model: 'burst' as const, calls: 4, every: '100ms' }],
  ])('%s: what the generator takes between reading and writing is its own lag', async (_, load) => {
    const { result } = await play({}, { sessions: 2, posts: { mode: 'pipelined' }, duration: '500ms', load });
    const { ok } = result.totals.outcomes;
    expect(result.metrics['queue.wait']).toMatchObject({ count: ok, max: 0 });
    expect(result.metrics['schedule.lag']!.p50).toBeGreaterThan(0);
  });

  test('a call in line for one connection waits in the queue, not for a connection', async () => {
    const { counts, result } = await play(
      {},
      {
        sessions: 1,
        posts: { mode: 'shared', connections: 1 },
        load: { model: 'count', calls: 20, inFlight: 4 },
      },
    );
    expect(counts).toEqual({ ok: 20 });
    expect(result.metrics['call.connect']).toBeUndefined();
    expect(result.metrics['queue.wait']?.count).toBe(20);
  });
});

describe('connections that a due call will need are made before it is due', () => {
  const bursts = (calls: number, every: string, duration: string) => ({
    duration,
    load: { model: 'burst' as const, calls, every },
  });

  const hint = answer(202, '', ['Keep-Alive: timeout=2']);
  const hinting: McpScript = {
    onInitialize: (post) => {
      post.connection.write(hint);
      post.session.stream.write(event(initialized(post)));
    },
    onInitialized: (post) => post.connection.write(hint),
    onCall: (post) => {
      post.connection.write(hint);
      post.session.stream.write(event(echo(post)));
    },
  };

  test('serial: a connection for each call of a burst, before the first', async () => {
    const { counts, result, server } = await play(
      {},
      { sessions: 2, posts: { mode: 'serial' }, ...bursts(4, '200ms', '300ms') },
    );
    expect(counts).toEqual({ ok: 2 * 4 * 2 });
    expect(result.metrics['call.connect']).toBeUndefined();
    expect(server.wire.connections, 'of each session: the stream, and one for each call').toHaveLength(2 * 5);
  });

  test.each(['serial', 'pipelined', 'shared'] as const)(
    '%s: what the server closes after each burst stands again before the next',
    async (mode) => {
      const { counts, result } = await play(
        {
          onCall: (post, server) => {
            server.serve(post);
            post.connection.end();
          },
        },
        { sessions: 1, posts: { mode }, ...bursts(1, '300ms', '1s') },
      );
      expect(counts).toEqual({ ok: 4 });
      expect(result.metrics['call.connect']).toBeUndefined();
      expect(result.totals.oddities.reconnected).toBeGreaterThanOrEqual(3);
    },
  );

  test.each(['serial', 'pipelined'] as const)(
    '%s: what the server will have dropped by then, by its own word, is replaced ahead',
    async (mode) => {
      const { counts, result, server } = await play(hinting, {
        sessions: 1,
        posts: { mode },
        ...bursts(1, '1300ms', '1400ms'),
      });
      expect(counts).toEqual({ ok: 2 });
      expect(result.metrics['call.connect']).toBeUndefined();
      expect(result.totals.oddities.reconnected).toBe(1);
      const calls = server.posts.filter(({ n }) => n >= 0);
      expect(new Set(calls.map(({ connection }) => connection)).size).toBe(2);
    },
  );

  test.each([
    ['a slow rate', { model: 'rate' as const, perSecond: 0.7 }],
    ['think time', { model: 'closed' as const, inFlight: 1, think: '1300ms' }],
  ])('%s: so are they there', async (_, load) => {
    const { counts, result } = await play(hinting, { sessions: 1, duration: '1500ms', load });
    expect(counts).toEqual({ ok: 2 });
    expect(result.metrics['call.connect']).toBeUndefined();
    expect(result.totals.oddities.reconnected).toBe(1);
  });
});
