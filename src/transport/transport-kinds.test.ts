import { expect, test } from 'vitest';
import { callMetrics } from '../stats/recorder.js';
import { allHandshakeMetrics, callMetricsOf, handshakeMetricsOf, transportKinds } from './transport-kinds.js';

test('each transport is found under its own name', () => {
  for (const [name, kind] of Object.entries(transportKinds)) expect(kind.name).toBe(name);
});

test('HTTP+SSE has all the times of a call but those of a reply that is a stream', () => {
  const others = ['call.firstEvent', 'call.release'];
  expect(callMetricsOf(transportKinds.sse)).toEqual(callMetrics.filter((name) => !others.includes(name)));
});

test('what a transport cannot time of a call is not among its metrics', () => {
  expect(callMetricsOf(transportKinds.stdio)).toEqual([
    'call.response',
    'call.service',
    'queue.wait',
    'schedule.lag',
    'failed.response',
  ]);
  expect(handshakeMetricsOf(transportKinds.stdio)).toEqual([
    'handshake.spawn',
    'handshake.initialize',
    'handshake.initialized',
    'handshake.total',
  ]);
});

test('over Streamable HTTP the response never comes before the acceptance', () => {
  const others = ['call.eventToAck'];
  expect(callMetricsOf(transportKinds.streamable)).toEqual(
    callMetrics.filter((name) => !others.includes(name)),
  );
});

test('the steps of a handshake are in the order in which they are taken', () => {
  expect(allHandshakeMetrics()).toEqual([
    'handshake.connect',
    'handshake.headers',
    'handshake.endpoint',
    'handshake.initialize',
    'handshake.initialized',
    'handshake.discover',
    'handshake.listen',
    'handshake.spawn',
    'handshake.total',
  ]);
});
