import { describe, expect, test } from 'vitest';
import { parseTarget } from '../http/address.js';
import { readEndpoint } from './endpoint.js';

const { address, path } = parseTarget('http://127.0.0.1:8765/api/sse?x=1', null);
const read = (given: string, allow = false) => readEndpoint(given, address, path, allow);

describe('an endpoint is used as given', () => {
  test.each([
    ['/messages/?session_id=abc', '/messages/?session_id=abc'],
    ['/a%2Fb//c/?s=%20x', '/a%2Fb//c/?s=%20x'],
    ['http://127.0.0.1:8765/messages/?session_id=abc', '/messages/?session_id=abc'],
    ['HTTP://127.0.0.1:8765?session_id=abc', '/?session_id=abc'],
    ['messages?sessionId=1', '/api/messages?sessionId=1'],
    ['?sessionId=1', '/api/sse?sessionId=1'],
    [' /messages?sessionId=1 ', '/messages?sessionId=1'],
    ['/messages?sessionId=1#part', '/messages?sessionId=1'],
    ['http://127.0.0.1:8765/messages?a=1#?b=/2', '/messages?a=1'],
    ['http://127.0.0.1:8765#part', '/'],
  ])('%s', (given, expected) => {
    expect(read(given)).toEqual({ ok: true, path: expected, address: null });
  });
});

describe('an endpoint of another origin', () => {
  test.each(['http://evil.example/m?s=1', 'https://127.0.0.1:8765/m', 'http://127.0.0.1:8766/m'])(
    '%s is refused',
    (given) => {
      const reading = read(given);
      expect(reading.ok).toBe(false);
      expect(!reading.ok && reading.message).toMatch(/is not the stream's http:\/\/127\.0\.0\.1:8765/);
    },
  );

  test('localhost against 127.0.0.1 gets a message of its own', () => {
    const reading = read('http://localhost:8765/m?s=1');
    expect(!reading.ok && reading.message).toMatch(/name the target localhost as the server does/);
  });

  test('is reached where that is allowed', () => {
    const reading = read('https://other.example:444/m?s=1', true);
    expect(reading).toMatchObject({
      ok: true,
      path: '/m?s=1',
      address: { secure: true, host: 'other.example', port: 444 },
    });
  });

  test('with the default port spelt out is none', () => {
    const plain = parseTarget('http://h.example/sse', null);
    expect(readEndpoint('http://h.example:80/m', plain.address, plain.path, false)).toMatchObject({
      ok: true,
      path: '/m',
    });
    const v6 = parseTarget('http://[::1]:9/sse', null);
    expect(readEndpoint('http://[::1]:9/m', v6.address, v6.path, false)).toMatchObject({
      ok: true,
      path: '/m',
    });
  });
});

// Written as latin1, the lower byte of these is CR, LF and SP: a request of the server's own, with the user's token in it.
test.each(['\u010d', '\u010a', '\u0120', '\r', '\n', '\0', '\x7f', '\x1b', 'é', '\u2028', '🦜'])(
  'an endpoint with %j in it is refused, and the character is named',
  (character) => {
    for (const given of [`/m${character}x`, `http://127.0.0.1:8765/m?s=${character}1`, `?s=${character}1`]) {
      const reading = read(given, true);
      const codePoint = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      expect(!reading.ok && reading.message).toContain(`U+${codePoint}`);
    }
  },
);

test('an endpoint of another origin is held to the same', () => {
  expect(read('http://other.example/m?s=\u010d1', true).ok).toBe(false);
  expect(read('http://oth\u010der.example/m', true).ok).toBe(false);
});

test.each(['', '  ', '#part', 'ftp://127.0.0.1/x', '//evil.example/m', '/a b', 'javascript:alert(1)'])(
  '%j is no endpoint',
  (given) => {
    expect(read(given).ok).toBe(false);
  },
);

test('an endpoint beyond any length that a server has use for is refused unread', () => {
  const long = read(`http://${'@'.repeat(1e6)}:x/`);
  expect(long).toEqual({ ok: false, message: 'the endpoint is 1000010 characters long' });
});

test('an origin of nothing but @ is taken apart at the last of them', () => {
  const { ok } = read(`http://${'@'.repeat(8000)}:x/`);
  expect(ok).toBe(false);
});
