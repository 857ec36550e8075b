import { expect, test } from 'vitest';
import { Correlator } from './correlator.js';

test('ids of different workers never meet and start at 1', () => {
  const [a, b] = [new Correlator(0, 2), new Correlator(1, 2)];
  const ids = [a.issue(1), b.issue(1), a.issue(1), b.issue(2)];
  expect(ids).toEqual([1, 2, 3, 4]);
  expect(a.standingOf(2, 1)).toBe('foreign');
  expect(b.standingOf(1, 1)).toBe('foreign');
});

test('tells a stray from a duplicate and from a late answer', () => {
  const correlator = new Correlator(0, 1);
  const answered = correlator.issue(7);
  const expired = correlator.issue(7);
  correlator.markAnswered(answered);
  expect(correlator.standingOf(answered, 7)).toBe('duplicate');
  expect(correlator.standingOf(expired, 7)).toBe('late');
  expect(correlator.standingOf(answered, 8)).toBe('foreign');
  for (const never of [99, 0, -1, 1.5, NaN]) expect(correlator.standingOf(never, 7)).toBe('foreign');
});

test('an id older than its memory is late, and a new one in its place is not taken for it', () => {
  const correlator = new Correlator(0, 1);
  const old = correlator.issue(1);
  correlator.markAnswered(old);
  for (let i = 0; i < 1 << 20; i++) correlator.issue(2);
  correlator.markAnswered(old);
  expect(correlator.standingOf(old, 1)).toBe('late');
  expect(correlator.standingOf(old + (1 << 20), 2)).toBe('late');
});
