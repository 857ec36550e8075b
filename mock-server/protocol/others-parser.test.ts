import { createParser } from 'eventsource-parser';
import { describe, expect, test } from 'vitest';
import type { MockConfigInput } from '../config/config.js';
import { coreOf } from '../core.fixture.js';
import { dialectNames } from './dialects/dialect.js';
import type { DialectName } from './dialects/dialect.js';

// Somebody else's parser reads every dialect, however it is written, to the same events.
const ways: [string, NonNullable<MockConfigInput['wire']>][] = [
  ['crlf', { lineEnding: 'crlf' }],
  ['cr', { lineEnding: 'cr' }],
  ['mixed line ends', { lineEnding: 'mixed' }],
  ['no space after the colon', { spaceAfterColon: 'never' }],
  ['ids and retry', { eventIds: true, retryMs: 5000 }],
  ['split events', { splitEvents: true }],
  ['a byte order mark', { byteOrderMark: true }],
  ['keep-alive comments between', { keepAlive: '8ms', keepAliveAs: ['comment', 'ping-comment'] }],
];

function stream(dialect: DialectName, wire: NonNullable<MockConfigInput['wire']>): string {
  const { app, loop, open } = coreOf({ dialect, wire });
  const session = open(dialect === 'workspace' ? '/mcp/bench' : '/sse');
  session.post({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: { protocolVersion: '2025-06-18' } });
  session.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  loop.pass(10);
  for (const message of ['', 'a\nb\r\nc', ':x', 'grüße 👋 \u2028', ' data: y']) {
    const params = { name: 'echo', arguments: { message }, kwargs: { message } };
    session.post({ jsonrpc: '2.0', id: message, method: 'tools/call', params });
    loop.pass(10);
  }
  app.close('shutdown');
  // Decoded as a client does it, which takes off a byte order mark.
  return new TextDecoder().decode(Buffer.concat(session.sink.writes));
}

function read(text: string, step: number): { events: [string, string][]; ids: (string | undefined)[] } {
  const events: [string, string][] = [];
  const ids: (string | undefined)[] = [];
  const parser = createParser({
    onEvent: ({ event, data, id }) => {
      events.push([event ?? '', data]);
      ids.push(id);
    },
    onError: (error) => {
      throw error;
    },
  });
  for (let at = 0; at < text.length; at += step) parser.feed(text.slice(at, at + step));
  // A lone CR at the end of the input may still become a CRLF: only what follows tells.
  if (text.endsWith('\r')) parser.feed(':\n');
  return { events, ids };
}

describe.each(dialectNames)('%s', (dialect) => {
  const meant = read(stream(dialect, {}), Infinity).events;

  test('carries what was said', () => {
    const texts = meant.map(([, data]) => data).filter((data) => data.includes('"id":"'));
    expect(texts.length).toBe(6);
    const echoed = texts.slice(1).map((data) => {
      const { id, result } = JSON.parse(data) as {
        id: string;
        result: string | { content: [{ text: string }] };
      };
      return [id, typeof result === 'string' ? result : result.content[0].text];
    });
    for (const [id, text] of echoed) expect(text).toBe(id);
  });

  test.each(ways)('reads the same with %s, whole and character by character', (_name, wire) => {
    const text = stream(dialect, wire);
    const whole = read(text, Infinity);
    const [, ...rest] = whole.events;
    expect(rest).toEqual(meant.slice(1).map(([event, data]) => [event, data]));
    expect(read(text, 1)).toEqual(whole);
    expect(read(text, 7)).toEqual(whole);
    if (wire.eventIds) expect(whole.ids).toEqual(whole.events.map((_, index) => String(index + 1)));
  });
});
