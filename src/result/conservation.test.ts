import { expect, test } from 'vitest';
import { countOutcomes } from '../stats/outcomes.js';
import { failedCalls, isConserved, outcomeKinds } from './conservation.js';
import { sampleOutcomes } from './result.fixture.js';

const outcomes = sampleOutcomes({
  ok: 1000,
  toolError: 1,
  rpcError: { '-32601': 2, '-32602': 4 },
  httpError: { '503': 8 },
  checkFailed: 16,
  invalidResponse: 32,
  timeout: 64,
  acceptedNoResponse: 128,
  disconnected: 256,
  cancelled: 512,
  aborted: 2048,
  notSent: 4096,
});

test('each outcome is counted once', () => {
  const listed = outcomeKinds(outcomes).reduce((sum, kind) => sum + kind.count, 0);
  expect(listed).toBe(1000 + 1023 + 2048 + 4096);
  expect(isConserved(countOutcomes(outcomes), outcomes)).toBe(true);
  expect(isConserved(countOutcomes(outcomes) + 1, outcomes)).toBe(false);
  expect(isConserved(0, sampleOutcomes())).toBe(true);
});

test('all but ok calls and those that we cut off count as failed', () => {
  expect(failedCalls(outcomes)).toBe(1023 + 4096);
});

test('kinds have a key of their own for each code, the most frequent first', () => {
  const kinds = outcomeKinds(outcomes).filter((kind) => kind.outcome === 'rpcError');
  expect(kinds.map((kind) => [kind.key, kind.code, kind.count])).toEqual([
    ['rpcError -32602', '-32602', 4],
    ['rpcError -32601', '-32601', 2],
  ]);
});
