import { expect, test } from 'vitest';
import { nowNs } from '../clock.js';
import { toldContext } from '../mcp/session-context.fixture.js';
import type { CallBook } from './call-book.js';
import { Session } from './session.js';

function open() {
  const context = toldContext();
  const heard: unknown[][] = [];
  const book = {
    onResponse: (session: Session, { idNumber }: { idNumber: number }) =>
      heard.push(['response', session.ordinal, idNumber]),
    endSession: (session: Session, outcome: string, message: string) =>
      heard.push(['calls end', session.ordinal, outcome, message]),
  };
  const owner = {
    onSessionReady: (session: Session) => heard.push(['ready', session.ordinal, session.isReady]),
    onSessionFailed: (session: Session, kind: string) => heard.push(['failed', session.ordinal, kind]),
    onSessionForgotten: (session: Session) => heard.push(['forgotten', session.ordinal]),
    onSessionDropped: (session: Session) => heard.push(['dropped', session.ordinal]),
  };
  const session = new Session(context, book as unknown as CallBook, owner, 5, 1, nowNs());
  session.open();
  return { session, channel: context.transport.last, heard };
}

test('its owner hears that it is ready, its book what is answered in it', () => {
  const { channel, heard } = open();
  channel.becomesReady();
  channel.says({ jsonrpc: '2.0', id: 9, result: {} });
  expect(heard).toEqual([
    ['ready', 5, true],
    ['response', 5, 9],
  ]);
});

test('when it is lost its calls end first, as disconnected, and then its owner hears of it', () => {
  const { channel, heard } = open();
  channel.becomesReady();
  channel.loses('cut');
  expect(heard.slice(1)).toEqual([
    ['calls end', 5, 'disconnected', 'the connection was lost: cut'],
    ['dropped', 5],
  ]);
});

test('when we end it its calls are aborted, and its owner knows already', () => {
  const { session, channel, heard } = open();
  channel.becomesReady();
  session.end('abandon');
  expect(heard.slice(1)).toEqual([['calls end', 5, 'aborted', 'the session was ended by the generator']]);
  expect(channel.ended).toBe('abandon');
});

test('one that never became ready has failed', () => {
  const { channel, heard } = open();
  channel.opens();
  channel.refuses(401);
  expect(heard.at(-1)).toEqual(['failed', 5, 'http 401']);
});
