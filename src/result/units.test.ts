import { expect, test } from 'vitest';
import {
  formatAmount,
  formatBytes,
  formatCount,
  formatDuration,
  formatDurationTight,
  formatElapsed,
  formatPercent,
  formatRate,
} from './units.js';

test.each([
  [0, '0 s'],
  [1, '1.00 ns'],
  [850, '850 ns'],
  [999.6, '1.00 µs'],
  [1_000, '1.00 µs'],
  [12_345, '12.3 µs'],
  [999_499, '999 µs'],
  [999_500, '1.00 ms'],
  [1_234_567, '1.23 ms'],
  [99_949_999, '99.9 ms'],
  [99_950_000, '100 ms'],
  [250_000_000, '250 ms'],
  [1_500_000_000, '1.50 s'],
  [98_700_000_000, '98.7 s'],
  [999_000_000_000, '999 s'],
  [1_205_000_000_000, '20 min 05 s'],
  [-1_000_000, '−1.00 ms'],
  [Infinity, 'never'],
  [Number.NaN, '–'],
])('%d ns is %s', (ns, text) => expect(formatDuration(ns)).toBe(text));

test('a tight duration has no space', () => expect(formatDurationTight(1_234_567)).toBe('1.23ms'));

test.each([
  [0, '0.0 s'],
  [1_234, '1.2 s'],
  [9_949, '9.9 s'],
  [9_951, '10 s'],
  [60_000, '60 s'],
  [125_000, '2 min 05 s'],
  [3_725_000, '1 h 02 min'],
])('%d ms of elapsed time are %s', (ms, text) => expect(formatElapsed(ms)).toBe(text));

test.each([
  [0, '0'],
  [0.25, '0.250'],
  [12.345, '12.3'],
  [99.96, '100'],
  [512.4, '512'],
  [43_012.3, '43,012'],
])('%d per second are %s', (rate, text) => expect(formatRate(rate)).toBe(text));

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [1_234_567, '1,234,567'],
  [-1_234, '-1,234'],
])('%d is counted as %s', (count, text) => expect(formatCount(count)).toBe(text));

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_234, '1.23 kB'],
  [999_600, '1.00 MB'],
  [45_600_000, '45.6 MB'],
  [7_800_000_000, '7.80 GB'],
  [1_234_000_000_000_000, '1,234 TB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [0, '0 %'],
  [0.000001, '< 0.01 %'],
  [0.001234, '0.12 %'],
  [0.05, '5 %'],
  [0.0512, '5.12 %'],
  [0.123, '12.3 %'],
  [0.5, '50 %'],
  [0.9996, '99.96 %'],
  [0.99995, '> 99.99 %'],
  [1, '100 %'],
  [12.5, '1,250 %'],
  [-0.05, '−5 %'],
])('a share of %d is %s', (share, text) => expect(formatPercent(share)).toBe(text));

test('amounts agree in number', () => {
  expect(formatAmount(1, 'call')).toBe('1 call');
  expect(formatAmount(2_000, 'call')).toBe('2,000 calls');
  expect(formatAmount(0, 'query', 'queries')).toBe('0 queries');
});
