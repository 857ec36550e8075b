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
