import { expect, test } from 'vitest';
import { parseTarget, serverName } from './address.js';

test.each([
  [
    'http://127.0.0.1:8765/sse',
    { secure: false, host: '127.0.0.1', port: 8765, hostHeader: '127.0.0.1:8765' },
    '/sse',
  ],
  [
    'https://api.example/mcp/?a=b',
    { secure: true, host: 'api.example', port: 443, hostHeader: 'api.example' },
    '/mcp/?a=b',
  ],
  ['http://[::1]:8080', { secure: false, host: '::1', port: 8080, hostHeader: '[::1]:8080' }, '/'],
  [
    'http://localhost/mcp/{session}',
    { secure: false, host: 'localhost', port: 80, hostHeader: 'localhost' },
    '/mcp/%7Bsession%7D',
  ],
])('%s', (url, address, path) => {
  expect(parseTarget(url, null)).toEqual({ address: { ...address, unixSocket: null }, path });
});

test.each([
  ['127.0.0.1:8765', /must be http: or https:|is not a URL/],
  ['ws://127.0.0.1', /must be http: or https:/],
  ['http://user:secret@h/sse', /credentials/],
])('%s is refused', (url, message) => {
  expect(() => parseTarget(url, null)).toThrow(message);
});

test('an IP address is no server name', () => {
  expect(serverName(parseTarget('https://127.0.0.1/sse', null).address)).toBeUndefined();
  expect(serverName(parseTarget('https://api.example/sse', null).address)).toBe('api.example');
});
