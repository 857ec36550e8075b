import { expect, test } from 'vitest';
import { parseBytes, parseDurationNs, parseShare } from './units.js';

test.each([
  ['5ms', 5e6],
  ['1.5s', 1.5e9],
  ['200us', 2e5],
  ['200µs', 2e5],
  ['7ns', 7],
  ['2m', 120e9],
  ['1h', 3600e9],
  [' 3 s ', 3e9],
  ['0', 0],
  ['5', undefined],
  ['-5ms', undefined],
  ['5 minutes', undefined],
  ['', undefined],
])('duration %j', (text, ns) => expect(parseDurationNs(text)).toBe(ns));

test.each([
  ['1%', 0.01],
  ['0.5%', 0.005],
  ['100%', 1],
  ['0.25', 0.25],
  ['1', 1],
  ['1/8', 0.125],
  ['1e-3', 0.001],
  ['101%', undefined],
  ['2', undefined],
  ['1/0', undefined],
  ['-1%', undefined],
  ['often', undefined],
])('share %j', (text, share) => expect(parseShare(text)).toBe(share));

test.each([
  ['4096', 4096],
  ['64KB', 64_000],
  ['4MiB', 4_194_304],
  ['1.5kb', 1500],
  ['1 GiB', 1_073_741_824],
  ['many', undefined],
  ['-1', undefined],
])('size %j', (text, bytes) => expect(parseBytes(text)).toBe(bytes));
