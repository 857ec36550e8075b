import { expect, test } from 'vitest';
import { toFirstText } from './versus-rows.js';

const place = { target: 'a', place: 2, ties: 'a', values: [], median: 1, interval: { low: 1, high: 1 } };
const text = (ratio: number, low: number | null, high: number | null): string =>
  toFirstText({ ...place, toFirst: { ratio, low, high } } as unknown as Parameters<typeof toFirstText>[0]);

test('a ratio keeps its figures, however far from the first', () => {
  expect(text(0.002_345, 0.002_1, 0.003)).toBe('0.0023 × (0.0021 … 0.003)');
  expect(text(0.31, 0.3, 0.32)).toBe('0.31 × (0.30 … 0.32)');
  expect(text(0.0994, 0.0996, null)).toBe('0.099 × (0.10 … ?)');
  expect(text(12.34, null, null)).toBe('12.3 ×');
  expect(text(2112.4, 999, 1e6)).toBe('2,112 × (999 … 1,000,000)');
});
