import { expect, test } from 'vitest';
import { checkRuleFits, knownMetric } from './known-metric.js';
import { parseThresholdRule } from './threshold-rule.js';

test.each([
  ['call.response', { name: 'call.response', tool: null, phase: null }],
  ['call.response{tool:echo}', { name: 'call.response', tool: 'echo', phase: null }],
  ['call.ack{phase:warm up}', { name: 'call.ack', tool: null, phase: 'warm up' }],
  ['errors{ phase: a , tool: tools/list }', { name: 'errors', tool: 'tools/list', phase: 'a' }],
  ['handshake.total', { name: 'handshake.total', tool: null, phase: null }],
])('%s', (text, key) => {
  expect(knownMetric(text)).toEqual(key);
});

test.each([
  ['call.latency', 'there is no metric "call.latency" (there are: call.response'],
  ['handshake.totl', 'there is no metric "handshake.totl"; did you mean "handshake.total"?'],
  ['call.response{', 'there is no metric "call.response{"; did you mean "call.response"?'],
  ['call.response{}', 'expected a label such as {tool:echo} or {phase:main}, found "{}"'],
  ['call.response{tool}', 'expected a label such as {tool:echo} or {phase:main}, found "{tool}"'],
  ['availability{phase:a}', 'availability is that of the target as a whole and has no label'],
  ['handshake.total{phase:a}', 'handshake.total is a time of sessions and has no label'],
])('%s is refused', (text, message) => {
  expect(() => knownMetric(text)).toThrow(message);
});

test.each([
  ['call.response', 'p(99) < 1s', true],
  ['call.response', 'count > 5', true],
  ['call.response', 'rate < 5%', false],
  ['handshake.total', 'rate < 5/s', false],
  ['errors', 'rate < 5%', true],
  ['errors', 'count < 5', true],
  ['errors', 'rate < 5/s', false],
  ['errors', 'mean < 5s', false],
  ['calls', 'rate > 5/s', true],
  ['calls', 'count > 5', true],
  ['calls', 'rate > 5%', false],
  ['calls', 'max > 5s', false],
  ['availability', 'rate > 99.9%', true],
  ['availability', 'rate > 99.9% for 10s', true],
  ['availability', 'rate > 5/s', false],
  ['availability', 'count > 5', false],
  ['availability', 'p(99) < 1s', false],
])('%s: %s fits: %s', (key, rule, fits) => {
  const check = (): void => checkRuleFits(knownMetric(key), parseThresholdRule(rule));
  if (fits) expect(check).not.toThrow();
  else expect(check).toThrow('takes rules such as');
});
