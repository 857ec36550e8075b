import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writtenDuration, parseDuration } from './duration.js';

test.each([
  ['0s', 0],
  ['500us', 500e3],
  ['500µs', 500e3],
  ['250ms', 250e6],
  ['1.5s', 1500e6],
  ['2s', 2e9],
  ['1m', 60e9],
  ['1min', 60e9],
  ['1m30s', 90e9],
  ['1h', 3600e9],
  ['0.1ms', 100e3],
])('%s is %d ns', (text, ns) => {
  expect(parseDuration(text)).toBe(ns);
});

test.each(['', '5', '-5s', '5 s', '5sec', 's', '5S', '1e3s', '.5s', '5s!', '99999999h'])(
  '"%s" is none',
  (text) => {
    expect(parseDuration(text)).toBeNull();
  },
);

test('what is written is read back to the nanosecond', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (ns) => {
      expect(parseDuration(writtenDuration(ns))).toBe(ns);
    }),
  );
});

test.each([
  [0, '0s'],
  [1, '1ns'],
  [1500e6, '1500ms'],
  [90e9, '90s'],
  [7200e9, '2h'],
])('%d ns is written %s', (ns, text) => {
  expect(writtenDuration(ns)).toBe(text);
});
