import { expect, test } from 'vitest';
import { metricKey, parseMetricKey } from './metric-key.js';

test.each([
  ['call.response', 'call.response', null],
  ['call.response{tool:echo}', 'call.response', 'echo'],
  ['call.ack{tool:a{b}c\n}', 'call.ack', 'a{b}c\n'],
  ['call.ack{tool:tool:x}', 'call.ack', 'tool:x'],
])('%s comes apart and together', (key, name, tool) => {
  expect(parseMetricKey(key)).toEqual({ name, tool });
  expect(metricKey(name, tool)).toBe(key);
});
