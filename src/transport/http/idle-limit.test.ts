import { expect, test } from 'vitest';
import { IdleLimit } from './idle-limit.js';

const second = 1e9;

test('four seconds, unless more is known', () => {
  const limit = new IdleLimit();
  expect(limit.ns).toBe(4 * second);
  limit.onHint(60);
  limit.onClosedAfter(30 * second);
  expect(limit.ns, 'a long word is not taken').toBe(4 * second);
});

test('a second less than the server says', () => {
  const limit = new IdleLimit();
  limit.onHint(3);
  expect(limit.ns).toBe(2 * second);
  limit.onHint(0);
  expect(limit.ns).toBe(0);
});

test('less than what the server was seen to wait; what it closed at once had not idled', () => {
  const limit = new IdleLimit();
  limit.onClosedAfter(0.1 * second);
  expect(limit.ns).toBe(4 * second);
  limit.onClosedAfter(2 * second);
  expect(limit.ns).toBe(1.6 * second);
});
