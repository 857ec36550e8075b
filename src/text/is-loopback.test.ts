import { expect, test } from 'vitest';
import { isLoopback } from './is-loopback.js';

test.each([
  ['http://localhost:3000/mcp', true],
  ['http://127.0.0.1/mcp', true],
  ['http://127.9.9.9:1', true],
  ['http://[::1]:3000/sse', true],
  ['https://LOCALHOST/', true],
  ['http://127.0.0.1.example.com/', false],
  ['http://localhost.example.com/', false],
  ['http://10.0.0.1:3000/', false],
  ['http://[::2]/', false],
  ['no url', false],
  ['http://user:pw@localhost/', false],
])('%s: %s', (url, local) => {
  expect(isLoopback(url)).toBe(local);
});
