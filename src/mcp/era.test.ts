import { expect, test } from 'vitest';
import { eraOf } from './era.js';

test.each([
  ['2024-11-05', 'sessions'],
  ['2025-03-26', 'sessions'],
  ['2025-11-25', 'sessions'],
  ['2026-07-28', 'stateless'],
  ['2027-01-01', 'stateless'],
  // Of pymcp; and what has not been found out yet.
  ['0.3.0', 'sessions'],
  ['auto', 'sessions'],
] as const)('%s is of the era %s', (protocol, era) => expect(eraOf(protocol)).toBe(era));
