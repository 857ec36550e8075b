import { expect, test } from 'vitest';
import { addCounts, addOutcomes, countOutcomes, noOutcomes, type PlainOutcome } from './outcomes.js';

test('outcomes add up, by code where there is one', () => {
  const sum = noOutcomes();
  const more = { ...noOutcomes(), ok: 3, timeout: 1, rpcError: { '-32601': 2 }, httpError: { 503: 4 } };
  addOutcomes(sum, more);
  addOutcomes(sum, more);
  expect(sum).toEqual({
    ...noOutcomes(),
    ok: 6,
    timeout: 2,
    rpcError: { '-32601': 4 },
    httpError: { 503: 8 },
  });
  expect(countOutcomes(sum)).toBe(20);
});

test('every plain outcome is counted', () => {
  const plain = Object.keys(noOutcomes()).filter((name) => name !== 'rpcError' && name !== 'httpError');
  const all = noOutcomes();
  for (const name of plain) all[name as PlainOutcome] = 1;
  expect(countOutcomes(all)).toBe(plain.length);
});

test('counts by name add up', () => {
  const sum = { ping: 1 };
  addCounts(sum, { ping: 2, 'roots/list': 1 });
  expect(sum).toEqual({ ping: 3, 'roots/list': 1 });
});
