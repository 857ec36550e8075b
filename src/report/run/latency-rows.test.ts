import { expect, test } from 'vitest';
import { metricOf, sampleResult } from '../../result/result.fixture.js';
import type { RunResult } from '../../result/result.js';
import { errorRows } from './error-rows.js';
import { callRows, handshakeRows } from './latency-rows.js';

const times = metricOf([1e6, 2e6, 3e6]);

function over(transport: string, change: Partial<RunResult> = {}): RunResult {
  const { target } = sampleResult();
  return sampleResult({ target: { ...target, transport: transport as 'sse' }, ...change });
}

test('over HTTP+SSE all steps and marks have a row, in their order', () => {
  const names = (rows: { name: string }[]): string[] => rows.map(({ name }) => name);
  expect(names(handshakeRows(over('sse')))).toEqual([
    'connect',
    'headers',
    'endpoint',
    'initialize',
    'initialized',
    'total',
  ]);
  const call = ['call.response', 'call.service', 'call.ack', 'call.ackToEvent', 'call.eventToAck'];
  expect(names(callRows(over('sse')))).toEqual(call);
});

test('a metric that the transport cannot have has no row, whatever a file says', () => {
  const metrics = { 'call.response': times, 'handshake.spawn': times, 'handshake.total': times };
  expect(handshakeRows(over('sse', { metrics })).map(({ name }) => name)).toEqual(['total']);
  expect(callRows(over('sse', { metrics })).map(({ name }) => name)).toEqual(['call.response']);
});

test('an error without an example is explained in the words of its transport', () => {
  const { totals } = sampleResult();
  const late = { totals: { ...totals, outcomes: { ...totals.outcomes, timeout: 3 } } };
  expect(errorRows(over('sse', late))[0]?.example).toBe('no 2xx and no response within the time limit');
  expect(errorRows(over('another', late))[0]?.example).toBe('no response within the time limit');
});
