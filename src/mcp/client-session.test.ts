import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nowNs } from '../clock.js';
import { ClientSession, type SessionContext } from './client-session.js';
import { toldContext } from './session-context.fixture.js';
import { idOf, methodOf, type ToldChannel } from './told-channel.fixture.js';
import { dialects } from './dialect.js';

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  vi.useRealTimers();
});

interface Opened {
  readonly context: ReturnType<typeof toldContext>;
  readonly session: ClientSession;
  readonly channel: ToldChannel;
  /** What the listener heard, in order. */
  readonly heard: string[];
}

function open(change: Partial<SessionContext> = {}): Opened {
  const context = toldContext(change);
  const heard: string[] = [];
  const session: ClientSession = new ClientSession(
    context,
    {
      onSessionReady: () => heard.push('ready'),
      onResponse: (envelope) => heard.push(`response ${envelope.idString || envelope.idNumber}`),
      onSessionOver: (byUs, message) =>
        heard.push(`over ${byUs ? 'by us' : 'by others'}: ${message}, channel ${channelOf().ended}`),
      onSessionFailed: (kind, message) => heard.push(`failed ${kind}: ${message}`),
      onSessionForgotten: (message) => heard.push(`forgotten: ${message}`),
      onSessionDropped: (message) => heard.push(`dropped: ${message}`),
    },
    1,
    nowNs(),
  );
  const channelOf = (): ToldChannel => context.transport.last;
  session.open(7);
  return { context, session, channel: channelOf(), heard };
}

function ready(change: Partial<SessionContext> = {}): Opened {
  const opened = open(change);
  opened.channel.becomesReady();
  return opened;
}

describe('the handshake', () => {
  test('initialize, its response, notifications/initialized: ready when that is accepted', () => {
    const { session, channel, heard } = open();
    expect(channel.ordinal).toBe(7);
    channel.opens();
    expect(JSON.parse(channel.last.text)).toMatchObject({
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', clientInfo: { name: 'mcp-bench', version: '1.2.3' } },
    });
    channel.accepts();
    channel.answers(channel.last, { protocolVersion: '2025-03-26', serverInfo: { name: 's', version: '9' } });
    expect(session.server).toEqual({ name: 's', version: '9', protocolVersion: '2025-03-26' });
    expect(channel.sent.map(methodOf)).toEqual(['initialize', 'notifications/initialized']);
    expect([session.isReady, ...heard]).toEqual([false]);
    channel.accepts();
    expect([session.isReady, ...heard]).toEqual([true, 'ready']);
  });

  test('each step is timed, and the whole from the moment at which it was intended', () => {
    const { channel, context } = open();
    const pass = (ms: number) => vi.advanceTimersByTime(ms);
    pass(10);
    channel.opens();
    pass(20);
    channel.answers();
    pass(30);
    channel.accepts();
    const times = context.recorder
      .takeInterval()
      .handshakes.filter(({ edge }) => edge === 'seen')
      .map(({ metric, histogram }) => [metric, histogram.maxNs / 1e6]);
    expect(times).toEqual([
      ['handshake.connect', 0],
      ['handshake.initialize', 20],
      ['handshake.initialized', 30],
      ['handshake.total', 60],
    ]);
  });

  test('the response may come along with the acceptance, or before it', () => {
    for (const order of ['accepted first', 'answered first']) {
      const { session, channel } = open();
      channel.opens();
      const initialize = channel.last;
      if (order === 'accepted first') channel.accepts(initialize);
      const reply = { jsonrpc: '2.0', id: idOf(initialize), result: {} };
      initialize.by.onReply(Buffer.from(JSON.stringify(reply)), nowNs());
      channel.accepts(channel.last);
      if (order === 'answered first') channel.accepts(initialize);
      expect(session.isReady, order).toBe(true);
    }
  });

  test.each([
    ['pymcp', ['initialize']],
    ['workspace', []],
  ] as const)('in the dialect %s load may begin earlier', (dialect, methods) => {
    const { session, channel } = open({ dialectFor: () => dialects[dialect] });
    channel.opens();
    if (methods.length > 0) channel.answers();
    expect(channel.sent.map(methodOf)).toEqual(methods);
    expect(session.isReady).toBe(true);
    expect(session.dialect.name, 'named, whatever the channel looks like').toBe(dialect);
  });

  test('an answer that was there before the question left is somebody else’s', () => {
    const { channel, context, heard } = open();
    channel.free = false;
    channel.opens();
    channel.answers();
    expect(context.oddities.foreign).toBe(1);
    channel.letGo();
    channel.answers();
    channel.letGo();
    channel.accepts();
    expect(heard).toEqual(['ready']);
  });

  test('what comes before the channel is open is no answer', () => {
    const { channel, context, heard } = open();
    channel.reaches();
    channel.says({ jsonrpc: '2.0', method: 'notifications/message' });
    channel.says({ jsonrpc: '2.0', id: 1, result: {} });
    expect(context.oddities).toMatchObject({ notification: { 'notifications/message': 1 }, foreign: 0 });
    channel.becomesReady();
    expect(heard).toEqual(['ready']);
  });
});

describe('a handshake that fails', () => {
  const failures: [string, (channel: ToldChannel) => void, string, string][] = [
    [
      'initialize is answered with an error',
      (channel) =>
        channel.says({ jsonrpc: '2.0', id: idOf(channel.last), error: { code: -32602, message: 'no' } }),
      'initialize',
      'initialize was answered {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}',
    ],
    [
      'initialize is refused',
      (channel) => channel.refuses(503),
      'http 503',
      'initialize: it was answered 503',
    ],
    [
      'initialize is lost',
      (channel) => channel.last.by.onFailed(false, 'cut', nowNs()),
      'post',
      'initialize: cut',
    ],
    [
      'notifications/initialized is refused',
      (channel) => {
        channel.answers();
        channel.refuses(400);
      },
      'http 400',
      'initialized: it was answered 400',
    ],
    ['the channel ends', (channel) => channel.loses('it ended'), 'closed', 'it ended'],
    ['the channel breaks', (channel) => channel.loses('ECONNRESET', 'socket'), 'socket', 'ECONNRESET'],
  ];

  test.each(failures)('%s', (_, fails, kind, message) => {
    const { session, channel, heard } = open();
    channel.opens();
    fails(channel);
    expect(heard).toEqual([`over by others: ${message}, channel null`, `failed ${kind}: ${message}`]);
    expect([session.isOver, channel.ended]).toEqual([true, 'abandon']);
    // Nothing that still comes matters.
    channel.answers(channel.sent[0]);
    channel.accepts(channel.sent[0]);
    vi.advanceTimersByTime(60_000);
    expect(heard).toHaveLength(2);
  });

  test('its time limit begins when the server is reached, and says what it waited for and why', () => {
    const { channel, heard } = open({ handshakeLimitNs: 3e9 });
    vi.advanceTimersByTime(60_000);
    expect(heard, 'until then it is the connect’s').toEqual([]);
    channel.opens();
    channel.accepts(channel.last, 'the POST was answered 200 with an empty body');
    vi.advanceTimersByTime(2999);
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(heard[1]).toBe(
      'failed timeout: not ready within 3 s (initializing) (the POST was answered 200 with an empty body)',
    );
  });

  test('an acceptance of initialize that never comes is given up, and the session lives', () => {
    const { session, channel } = open();
    channel.opens();
    const initialize = channel.last;
    channel.answers();
    channel.accepts();
    expect(session.isReady).toBe(true);
    vi.advanceTimersByTime(4999);
    expect(channel.givenUp).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(channel.givenUp).toEqual([initialize.by]);
  });
});

describe('a session that is ready', () => {
  test('hands responses on, and answers what the server asks', () => {
    const { channel, context, heard } = ready();
    channel.says({ jsonrpc: '2.0', id: 41, result: {} });
    channel.says([
      { jsonrpc: '2.0', id: 42, result: {} },
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
    ]);
    expect(heard.slice(1)).toEqual(['response 41', 'response 42']);
    expect(JSON.parse(channel.last.text)).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
    expect(context.oddities.serverRequest).toEqual({ ping: 1 });
  });

  test('does not answer under an id that it would have to hold for ever', () => {
    const { channel } = ready();
    const before = channel.sent.length;
    channel.says({ jsonrpc: '2.0', id: 'x'.repeat(2000), method: 'ping' });
    expect(channel.sent).toHaveLength(before);
  });

  test('cancels by telling the server', () => {
    const { session, channel } = ready();
    session.cancel(5);
    expect(JSON.parse(channel.last.text)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 5 },
    });
  });

  test('is dropped once when it is lost', () => {
    const { channel, heard } = ready();
    channel.loses('cut');
    channel.loses('cut again');
    expect(heard.slice(1)).toEqual([
      'over by others: the connection was lost: cut, channel null',
      'dropped: the connection was lost: cut',
    ]);
    expect(channel.ended).toBe('abandon');
  });

  test.each(['close', 'abandon'] as const)('is ended by us: %s', (how) => {
    const { session, channel, heard } = ready();
    session.end(how);
    session.end(how);
    session.drop('too late');
    expect(heard.slice(1)).toEqual(['over by us: the session was ended by the generator, channel null']);
    expect(channel.ended).toBe(how);
  });
});

test('one that is ended while it opens has neither failed nor been dropped', () => {
  const { session, channel, heard } = open();
  channel.opens();
  session.end('close');
  vi.advanceTimersByTime(60_000);
  expect(heard).toEqual(['over by us: the session was ended by the generator, channel null']);
});
