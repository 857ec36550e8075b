import { expect, test } from 'vitest';
import { didYouMean, nearest } from './did-you-mean.js';

const keys = ['sessions', 'phases', 'calls', 'timeouts', 'seed'];

test.each([
  ['sesions', 'sessions'],
  ['Sessions', 'sessions'],
  ['call', 'calls'],
  ['clals', 'calls'],
  ['timeout', 'timeouts'],
  ['sede', 'seed'],
])('%s could have been %s', (word, meant) => {
  expect(nearest(word, keys)).toBe(meant);
});

test.each(['x', 'rate', 'connections'])('%s could not have been any of them', (word) => {
  expect(nearest(word, keys)).toBeNull();
  expect(didYouMean(word, keys)).toBe('');
});

test('names that are far too long are not looked at', () => {
  const unread = (): never => {
    throw new Error('read');
  };
  const long = { length: 4e6, toLowerCase: unread } as unknown as string;
  expect(nearest('ecko', [long, 'echo'])).toBe('echo');
  expect(nearest('other', [long])).toBeNull();
});
