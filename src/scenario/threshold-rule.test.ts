import { expect, test } from 'vitest';
import { Failure } from '../failure.js';
import { parseThresholdRule } from './threshold-rule.js';
import type { ThresholdRule } from './threshold-rule.js';

const rule = (fields: Partial<ThresholdRule>): ThresholdRule => ({
  measure: 'percentile',
  percentile: null,
  operator: '<',
  limit: 0,
  unit: 'ns',
  windowNs: null,
  ...fields,
});

test.each<[string, Partial<ThresholdRule>]>([
  ['p(99) < 250ms', { percentile: 99, limit: 250e6 }],
  ['p(99.9)<=1.5s', { percentile: 99.9, operator: '<=', limit: 1.5e9 }],
  ['  p( 50 )  <  20ms  for 10s ', { percentile: 50, limit: 20e6, windowNs: 10e9 }],
  ['mean < 20ms', { measure: 'mean', limit: 20e6 }],
  ['max <= 1s', { measure: 'max', operator: '<=', limit: 1e9 }],
  ['min > 1us', { measure: 'min', operator: '>', limit: 1e3 }],
  ['count >= 100', { measure: 'count', operator: '>=', limit: 100, unit: 'count' }],
  ['count == 0', { measure: 'count', operator: '==', limit: 0, unit: 'count' }],
  ['rate < 0.1%', { measure: 'rate', limit: 0.001, unit: 'share' }],
  ['rate > 500/s', { measure: 'rate', operator: '>', limit: 500, unit: 'perSec' }],
  ['rate > 30/min for 1m', { measure: 'rate', operator: '>', limit: 0.5, unit: 'perSec', windowNs: 60e9 }],
])('%s', (text, fields) => {
  expect(parseThresholdRule(text)).toEqual(rule(fields));
});

test.each([
  ['', 'expected a rule such as'],
  ['p(99)', 'expected a rule such as'],
  ['p99 < 1s', 'expected a rule such as'],
  ['p(99) = 1s', 'expected a rule such as'],
  ['p(99) < 1s 2s', 'expected a rule such as'],
  ['p(0) < 1s', 'expected a percentile above 0 and below 100 such as p(99.9), found p(0)'],
  ['p(101) < 1s', 'expected a percentile above 0 and below 100 such as p(99.9), found p(101)'],
  ['median < 1s', 'expected one of p(99), mean, min, max, count, rate before the sign, found "median"'],
  ['mean < 20', 'mean is compared with a duration with its unit'],
  ['mean < 20%', 'mean is compared with a duration with its unit'],
  ['max < -1s', 'max is compared with a duration with its unit'],
  ['count > 5ms', 'count is compared with a whole number such as 100, found "5ms"'],
  [
    'rate < 5',
    'rate is compared with a percentage such as 0.1%, or a rate such as 500/s or 30/min, found "5"',
  ],
  ['rate < 101%', 'rate is compared with a percentage'],
  ['rate < 1% for 500ms', 'expected whole seconds after "for", such as for 10s, found "500ms"'],
  ['rate < 1% for ever', 'expected whole seconds after "for", such as for 10s, found "ever"'],
])('"%s" is refused', (text, message) => {
  expect(() => parseThresholdRule(text)).toThrow(Failure);
  expect(() => parseThresholdRule(text)).toThrow(message);
});
