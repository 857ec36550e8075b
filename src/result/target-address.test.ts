import { expect, test } from 'vitest';
import { targetAddress } from './target-address.js';

test('a server is known by its URL, or by the command that it is', () => {
  expect(targetAddress({ url: 'http://h/sse' })).toBe('http://h/sse');
  expect(targetAddress({ command: ['node', 'server.js', '--quick'] })).toBe('node server.js --quick');
});
