import { describe, expect, test } from 'vitest';
import type { MockConfigInput } from '../config/config.js';
import { coreOf } from '../core.fixture.js';
import { Router, sessionKeyOf } from './router.js';

const find = (allow: MockConfigInput['allow'], loopback: boolean, host: string, origin = ''): number => {
  const { app } = coreOf({ allow });
  const route = new Router(app, loopback).find('get', '/sse', host, origin, '');
  return route.kind === 'stream' ? 200 : route.reply!.status;
};

describe('who may be asked for, and by whom', () => {
  test.each(['localhost', 'localhost:8765', '127.0.0.1:1', '[::1]:8765', 'LOCALHOST'])(
    'loopback as %s',
    (host) => expect(find({}, true, host)).toBe(200),
  );
  test.each([
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:8765',
    '10.0.0.1',
  ])('not %j on loopback', (host) => expect(find({}, true, host)).toBe(403));
  test('more names where they are allowed, with or without their port', () => {
    expect(find({ hosts: ['bench.local'] }, true, 'bench.local:8765')).toBe(200);
    expect(find({ hosts: ['bench.local:1'] }, true, 'bench.local:2')).toBe(403);
    expect(find({ hosts: ['*'] }, true, 'evil.example')).toBe(200);
  });
  test('anyone elsewhere, unless there is a list', () => {
    expect(find({}, false, 'anything', 'http://anyone')).toBe(200);
    expect(find({ hosts: ['bench.local'] }, false, 'other.local')).toBe(403);
    expect(find({ origins: ['http://a'] }, false, 'x', 'http://b')).toBe(403);
  });
  test('origins', () => {
    expect(find({}, true, 'localhost', 'http://localhost:3000')).toBe(200);
    expect(find({}, true, 'localhost', 'https://127.0.0.1')).toBe(200);
    expect(find({}, true, 'localhost', 'null')).toBe(403);
    expect(find({}, true, 'localhost', 'http://evil.example')).toBe(403);
    expect(find({ origins: ['http://evil.example'] }, true, 'localhost', 'http://evil.example')).toBe(200);
  });
  test('a host that was good once does not make another one good', () => {
    const { app } = coreOf();
    const router = new Router(app, true);
    const kind = (host: string): string => router.find('get', '/sse', host, '', '').kind;
    expect([kind('localhost'), kind('evil.example'), kind('localhost')]).toEqual([
      'stream',
      'refused',
      'stream',
    ]);
  });
});

test.each([
  ['sessionId=abc', 'abc'],
  ['sessionId=', undefined],
  ['', undefined],
  ['sessionIdx=abc', undefined],
  ['x=1&sessionId=abc', 'abc'],
  ['sessionId=a%2Db', 'a-b'],
  ['sessionId=abc&x=1', 'abc'],
  ['SESSIONID=abc', undefined],
])('the session of ?%s', (query, key) => {
  const { router } = coreOf();
  expect(sessionKeyOf(router.find('post', '/messages', 'localhost', '', 'application/json'), query)).toBe(
    key,
  );
});

test('stream and messages may share a path', () => {
  const { router } = coreOf({ wire: { messagesPath: '/sse' } });
  expect(router.find('get', '/sse', 'localhost', '', '').kind).toBe('stream');
  expect(router.find('post', '/sse', 'localhost', '', 'application/json').kind).toBe('messages');
});
