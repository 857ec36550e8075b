import { constants } from 'node:buffer';
import { expect, test } from 'vitest';
import type { MockConfigInput } from '../config/config.js';
import { coreOf } from '../core.fixture.js';
import type { StreamSink } from './stream.js';

// Much in one turn of the event loop: what a client gets that sends many calls in one write and has a small appetite.
const mebibyte = 1024 * 1024;
const payloads = (count: number, bytes: number): object[] =>
  Array.from({ length: count }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'payload', arguments: { bytes } },
  }));

/** A session whose sink only counts: what is written here would not fit into one string. */
function counting(config: MockConfigInput) {
  const core = coreOf(config);
  const session = core.open();
  const seen = { bytes: 0, largest: 0, takes: true };
  const write: StreamSink['write'] = (chunk) => {
    seen.bytes += chunk.length;
    seen.largest = Math.max(seen.largest, chunk.length);
    return seen.takes;
  };
  session.sink.write = write;
  return { ...core, ...session, seen };
}

test('a reader that does not read gets no more than the limit, however much is sent in one turn', () => {
  const { app, loop, post, seen } = counting({ limits: { unreadBytes: '4MiB' } });
  seen.takes = false;
  for (const call of payloads(100, mebibyte)) post(call);
  loop.turn();
  expect(app.stats).toMatchObject({ unreadCuts: 1, closedByServer: 1 });
  expect(seen.bytes).toBeLessThan(4 * mebibyte);
  expect(app.stats.responsesSent + app.stats.lateWrites).toBe(100);
});

test('a reader that stopped reading long ago is cut when the limit is passed, turn by turn', () => {
  const { app, loop, post, stream, seen } = counting({ limits: { unreadBytes: '4MiB' } });
  stream.blocked = true;
  let calls = 0;
  for (const call of payloads(100, mebibyte / 2)) {
    if (!stream.open) break;
    calls++;
    post(call);
    loop.turn();
  }
  expect([calls, seen.bytes]).toEqual([8, 0]);
  expect(app.stats).toMatchObject({ unreadCuts: 1, closedByServer: 1, lateWrites: 8, responsesSent: 0 });
});

test.each([
  ['as it is', {}],
  ['in two pieces', { wire: { splitEvents: true } }],
  ['in two pieces by chance', { faults: { splitEvent: '50%' } }],
] as [string, MockConfigInput][])(
  'more than the longest string in one turn, %s, is written in parts',
  (_how, config) => {
    const { app, loop, post, seen } = counting(config);
    const each = 60 * mebibyte;
    const count = Math.ceil((constants.MAX_STRING_LENGTH * 1.2) / each);
    for (const call of payloads(count, each)) post(call);
    loop.pass(count);
    expect(app.stats).toMatchObject({ responsesSent: count, lateWrites: 0, unreadCuts: 0 });
    expect(seen.bytes).toBeGreaterThan(count * each);
    expect(seen.largest).toBeLessThan(each * 2);
  },
);

test('a backlog longer than the longest string is written in parts when the stream ends', () => {
  const { app, post, stream, seen } = counting({ limits: { unreadBytes: '2GiB' } });
  stream.blocked = true;
  const each = 60 * mebibyte;
  const count = Math.ceil((constants.MAX_STRING_LENGTH * 1.2) / each);
  for (const call of payloads(count, each)) post(call);
  expect(seen.bytes).toBe(0);
  app.life.end(stream, 'end');
  expect(app.stats).toMatchObject({ responsesSent: count, lateWrites: 0 });
  expect(seen.largest).toBeLessThan(each * 2);
});
