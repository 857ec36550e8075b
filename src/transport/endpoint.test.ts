import { describe, expect, test } from 'vitest';
import { parseTarget } from './address.js';
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

test.each(['', '  ', 'ftp://127.0.0.1/x', '//evil.example/m', '/a b', 'javascript:alert(1)'])(
  '%j is no endpoint',
  (given) => {
    expect(read(given).ok).toBe(false);
  },
);
