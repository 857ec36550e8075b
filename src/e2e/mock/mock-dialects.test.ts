import { describe, expect, test } from 'vitest';
import { presetNames } from '../../../mock-server/protocol/presets.js';
import type { ServeMockOptions } from '../../../mock-server/serve-mock.js';
import { againstMock, expectAllSeen, settle } from '../fixtures/against-mock.js';

const dialects = ['classic', 'rmcp', 'serena', 'workspace', 'pymcp'] as const;
const policies = ['serial', 'pipelined', 'shared'] as const;
const load = { name: 'main', load: { model: 'count', calls: 200, inFlight: 4 } } as const;

describe.each(dialects)('%s, found out by itself', (dialect) => {
  test.each(policies)('%s POSTs: every call received, every response seen', async (mode) => {
    const played = await againstMock({ dialect }, { sessions: 5, posts: { mode }, phases: [load] });
    const { counts, result, stats } = played;
    expect(counts).toEqual({ ok: 200 });
    expect(result.target.dialect).toBe(dialect);
    expect(stats.calls.byTool).toMatchObject({ echo: 200 });
    expect(stats.sessions).toMatchObject({ opened: 5, closedByClient: 5 });
    expectAllSeen(played);
  });

  test('named, it speaks the same', async () => {
    const targetFor = ({ url }: { url: string }) => ({ url: url.replace('bench', '{session}'), dialect });
    const played = await againstMock({ dialect }, { sessions: 2, phases: [load] }, { targetFor });
    expect(played.counts).toEqual({ ok: 200 });
    expectAllSeen(played);
  });
});

test('one workspace for all: every stream sees every response, and counts those of the others', async () => {
  const played = await againstMock(
    { dialect: 'workspace' },
    { sessions: 4, phases: [load, settle] },
    { targetFor: ({ url }) => url },
  );
  expect(played.counts).toEqual({ ok: 201, foreign: 3 * 201 });
  expectAllSeen(played);
});

describe.each(presetNames)('like %s', (like) => {
  test('every call ends ok', async () => {
    const played = await againstMock({ like }, { sessions: 3, phases: [{ ...load }, settle] });
    const { counts, stats } = played;
    const oddities: Record<string, number> = {};
    if (like === 'fastmcp-ts') oddities['notification:notifications/message'] = stats.notificationsSent;
    // Pings come every so many seconds: perhaps one in this time, perhaps none.
    const { 'serverRequest:ping': pings = 0, ...others } = counts;
    expect(pings).toBeLessThanOrEqual(stats.serverRequestsSent);
    expect(others).toEqual({ ok: 201, ...oddities });
    expectAllSeen(played);
  });
});

describe('ways of writing', () => {
  const ways: [string, ServeMockOptions['wire']][] = [
    [
      'mixed line ends, ids, retry, a mark',
      { lineEnding: 'mixed', eventIds: true, retryMs: 1000, byteOrderMark: true },
    ],
    [
      'CR, no spaces, every event in two pieces',
      { lineEnding: 'cr', spaceAfterColon: 'never', splitEvents: true },
    ],
    ['200 with a chunked body', { acceptedStatus: 200, acceptedBody: 'fine', acceptedChunked: true }],
    ['acknowledged after the event', { ack: 'after-event' }],
    ['acknowledged after the work', { ack: 'after-work' }],
    ['calls before initialized hang', { initialized: 'gate' }],
    [
      'comments and pings all the time',
      { keepAlive: '5ms', keepAliveAs: ['comment', 'ping-comment', 'ping-event'] },
    ],
  ];
  test.each(ways)('%s', async (_, wire) => {
    const played = await againstMock({ dialect: 'classic', wire }, { sessions: 3, phases: [load, settle] });
    expect(played.counts).toEqual({ ok: 201 });
    expectAllSeen(played);
  });

  test('the response in the body of the POST and as an event: each a duplicate, initialize’s too', async () => {
    const played = await againstMock(
      { dialect: 'classic', wire: { jsonInPost: true } },
      { sessions: 3, phases: [load, settle] },
    );
    expect(played.counts).toEqual({ ok: 201, duplicate: 201 + 3 });
  });

  test('a broadcast to all sessions', async () => {
    const played = await againstMock(
      { dialect: 'classic', wire: { broadcast: true } },
      { sessions: 4, phases: [load, settle] },
    );
    const { ok, foreign } = played.counts;
    expect(ok).toBe(201);
    expect(foreign).toBeGreaterThanOrEqual(3 * 201);
    expectAllSeen(played);
  });

  test('requests of the server, with ids that collide with ours, are answered', async () => {
    const { counts, stats } = await againstMock(
      { dialect: 'classic', wire: { serverPing: '10ms', serverPingIds: 'count' } },
      { sessions: 3, phases: [load, settle] },
    );
    expect(counts).toEqual({ ok: 201, 'serverRequest:ping': counts['serverRequest:ping'] });
    expect(counts['serverRequest:ping']).toBeGreaterThan(0);
    expect(stats.messages.responses).toBeGreaterThan(0);
  });

  test('responses dropped after their 202 where the queue is full', async () => {
    const { counts, stats } = await againstMock(
      { dialect: 'classic', wire: { queueLimit: 4, queueFull: 'drop' } },
      {
        sessions: 1,
        posts: 'pipelined',
        phases: [{ name: 'main', load: { model: 'count', calls: 64, inFlight: 32 } }, settle],
        timeouts: { call: '1s' },
      },
    );
    expect(stats.queueDropped).toBeGreaterThan(0);
    expect(counts).toEqual({ ok: 65 - stats.queueDropped, acceptedNoResponse: stats.queueDropped });
  });
});
