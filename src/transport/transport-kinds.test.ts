import { expect, test } from 'vitest';
import { callMetrics } from '../stats/recorder.js';
import { plainWords } from './transport-words.js';
import { allHandshakeMetrics, callMetricsOf, handshakeMetricsOf, transportKinds } from './transport-kinds.js';

test('each transport is found under its own name', () => {
  for (const [name, kind] of Object.entries(transportKinds)) expect(kind.name).toBe(name);
});

test('HTTP+SSE has all the times of a call', () => {
  expect(callMetricsOf(transportKinds.sse)).toEqual(callMetrics);
});

test('what a transport cannot time of a call is not among its metrics', () => {
  const pipe = { name: 'pipe', title: 'pipe', steps: ['spawn'], beside: [], marks: [], words: plainWords };
  expect(callMetricsOf(pipe)).toEqual([
    'call.response',
    'call.service',
    'queue.wait',
    'schedule.lag',
    'failed.response',
  ]);
  expect(handshakeMetricsOf(pipe)).toEqual([
    'handshake.spawn',
    'handshake.initialize',
    'handshake.initialized',
    'handshake.total',
  ]);
});

test('the steps of a handshake are in the order in which they are taken', () => {
  expect(allHandshakeMetrics()).toEqual([
    'handshake.connect',
    'handshake.headers',
    'handshake.endpoint',
    'handshake.initialize',
    'handshake.initialized',
    'handshake.total',
  ]);
});
