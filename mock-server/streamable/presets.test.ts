import { afterEach, describe, expect, test } from 'vitest';
import type { PresetName } from '../protocol/presets.js';
import { until } from '../raw-client.fixture.js';
import { serveMock } from '../serve-mock.js';
import type { RunningMock } from '../serve-mock.js';
import { SessionClient, stateless } from './streamable-client.fixture.js';

/** What a client sees of a real server, as docs/real-servers.md has it. */
interface Seen {
  /** The session id, or none; and the body of a call. */
  readonly session: boolean;
  readonly body: 'json' | 'sse';
  readonly crlf?: true;
  readonly primed?: number;
  /** A second GET, a DELETE, and a call of an unknown session: statuses. */
  readonly statuses: readonly [secondGet: number, deleted: number, unknown: number];
  /** The head of a stream does not come before its message. */
  readonly late?: true;
  /** The body of a call of the stateless era; null where there is none. */
  readonly stateless: 'json' | 'sse' | null;
}

const table: [PresetName, Seen][] = [
  ['ts-sdk', { session: true, body: 'sse', statuses: [409, 200, 404], stateless: null }],
  ['ts-sdk-2', { session: false, body: 'sse', late: true, statuses: [405, 405, 200], stateless: 'sse' }],
  [
    'server-everything',
    { session: true, body: 'sse', primed: 0, statuses: [409, 200, 400], stateless: null },
  ],
  ['python-sdk', { session: true, body: 'sse', crlf: true, statuses: [409, 200, 404], stateless: 'json' }],
  ['rmcp-3', { session: true, body: 'sse', primed: 3000, statuses: [200, 202, 404], stateless: 'sse' }],
  ['go-sdk', { session: true, body: 'sse', late: true, statuses: [409, 204, 404], stateless: null }],
  ['mcp-go', { session: true, body: 'json', statuses: [200, 200, 404], stateless: 'json' }],
];
const types = { json: 'application/json', sse: 'text/event-stream' };

describe.each(['uws', 'node'] as const)('--like over Streamable HTTP on the %s engine', (engine) => {
  let mock: RunningMock;
  afterEach(() => mock.close());

  test.each(table)('%s', async (like, seen) => {
    mock = await serveMock({ engine, like });
    const url = mock.urls.streamable;
    const client = await SessionClient.open(url);
    expect('mcp-session-id' in client.headers).toBe(seen.session);
    const called = await client.call('counter');
    expect(called.headers['content-type']).toBe(types[seen.body]);
    expect(called.text.includes('\r\n')).toBe(seen.crlf === true);
    if (seen.primed === undefined) expect(called.ids.every((id) => id === undefined)).toBe(true);
    else
      expect([called.events.length, called.ids[0] !== undefined, called.retryMs]).toEqual([
        2,
        true,
        seen.primed,
      ]);
    const first = await client.get().begun();
    const second = await client.get().begun();
    const ended = await client.end();
    const unknown = await client.call('counter');
    expect([second.status, ended.status, unknown.status]).toEqual(seen.statuses);
    for (const each of [first, second]) each.leave();
    const other = await stateless(url, 'tools/call', { name: 'echo', arguments: { message: 'x' } }).whole();
    if (seen.stateless === null) expect(other.status).toBeGreaterThanOrEqual(400);
    else expect(other.headers['content-type']).toBe(types[seen.stateless]);
  });

  test.each(table.filter(([, { body }]) => body === 'sse'))('%s: when the head comes', async (like, seen) => {
    mock = await serveMock({ engine, like });
    const client = await SessionClient.open(mock.urls.streamable);
    const { posts } = await mock.stats();
    const held = client.begin('sleep', { ms: 3_600_000 });
    if (seen.late) await until(async () => (await mock.stats()).calls.received === 1);
    else await held.begun();
    const heads = (await mock.stats()).posts.byStatus['200']! - posts.byStatus['200']!;
    expect([held.status, heads]).toEqual(seen.late ? [0, 0] : [200, 1]);
    held.leave();
  });
});
