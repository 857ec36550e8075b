import { expect, test } from 'vitest';
import {
  addCounts,
  addOutcomes,
  countAnswered,
  countName,
  countOutcomes,
  noOutcomes,
  type PlainOutcome,
} from './outcomes.js';

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

test('what a response or a status ended was answered; what was waited for in vain, cut off or never sent was not', () => {
  const answered = { ok: 1, toolError: 2, checkFailed: 4, invalidResponse: 8 };
  const codes = { rpcError: { '-32601': 16, 7: 32 }, httpError: { 503: 64 } };
  const all = { ...noOutcomes(), ...answered, ...codes };
  expect(countAnswered(all)).toBe(127);
  const unanswered = {
    timeout: 1,
    acceptedNoResponse: 1,
    disconnected: 1,
    cancelled: 1,
    aborted: 1,
    notSent: 1,
  };
  expect(countAnswered({ ...all, ...unanswered })).toBe(127);
});

test('counts by name add up', () => {
  const sum = { ping: 1 };
  addCounts(sum, { ping: 2, 'roots/list': 1 });
  expect(sum).toEqual({ ping: 3, 'roots/list': 1 });
});

test('names that a server chose are counted, whatever they are and however many', () => {
  const counts: Record<string, number> = {};
  for (const name of ['constructor', '__proto__', 'constructor']) countName(counts, name);
  expect(counts).toEqual({ constructor: 2, others: 1 });
  for (let i = 0; i < 1000; i++) countName(counts, `made up ${i}`);
  expect(Object.keys(counts).length).toBe(100);
  const sum: Record<string, number> = {};
  addCounts(sum, counts);
  addCounts(sum, counts);
  expect(sum['constructor']).toBe(4);
  expect(Object.values(sum).reduce((a, b) => a + b)).toBe(2 * 1003);
});

test('names that a server chose cost little, however long', () => {
  const counts: Record<string, number> = {};
  expect(countName(counts, 'ping')).toBe('ping');
  expect(countName(counts, 'x'.repeat(200))).toBe('x'.repeat(200));
  for (const end of ['one', 'two']) countName(counts, 'y'.repeat(1e6) + end);
  expect(counts).toEqual({ ping: 1, ['x'.repeat(200)]: 1, [`${'y'.repeat(199)}…`]: 2 });
});
