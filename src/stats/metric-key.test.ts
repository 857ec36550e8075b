import { expect, test } from 'vitest';
import { metricKey, parseMetricKey } from './metric-key.js';

test.each([
  ['call.response', 'call.response', null],
  ['call.response{tool:echo}', 'call.response', 'echo'],
  ['call.ack{tool:a{b}c\n}', 'call.ack', 'a{b}c\n'],
  ['call.ack{tool:tool:x}', 'call.ack', 'tool:x'],
  ['call.ack{tool:a,b}', 'call.ack', 'a,b'],
])('%s comes apart and together', (key, name, tool) => {
  expect(parseMetricKey(key)).toEqual({ name, tool, phase: null });
  expect(metricKey(name, tool)).toBe(key);
});

test.each([
  [' call.ack {tool:echo} ', { name: 'call.ack', tool: 'echo', phase: null }],
  ['call.ack{phase:warm up}', { name: 'call.ack', tool: null, phase: 'warm up' }],
  ['errors{ phase: a , tool: tools/list }', { name: 'errors', tool: 'tools/list', phase: 'a' }],
  ['errors{tool:a,b,phase:c, d}', { name: 'errors', tool: 'a,b', phase: 'c, d' }],
])('%s is read as thresholds name it', (key, read) => {
  expect(parseMetricKey(key)).toEqual(read);
});

test.each([
  '',
  '{}',
  'call.response{',
  'call.response{}',
  'call.response{tool}',
  'call.response{tool: }',
  'a{b:c}',
])('"%s" is all name', (key) => {
  expect(parseMetricKey(key)).toEqual({ name: key, tool: null, phase: null });
});
