import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tieLetters } from './tie-letters.js';

test('those that overlap share a letter, as in any table of that kind', () => {
  // a–b and b–c cannot be told apart, a–c can.
  expect(tieLetters(3, (a, b) => b - a > 1)).toEqual(['a', 'ab', 'b']);
  expect(tieLetters(3, () => true)).toEqual(['a', 'b', 'c']);
  expect(tieLetters(3, () => false)).toEqual(['a', 'a', 'a']);
  expect(tieLetters(0, () => false)).toEqual([]);
});

test('two share a letter exactly where they are not told apart', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.boolean(), { minLength: 64, maxLength: 64 }),
      (n, table) => {
        const differ = (a: number, b: number): boolean => table[Math.min(a, b) * 8 + Math.max(a, b)]!;
        const letters = tieLetters(n, differ);
        for (let a = 0; a < n; a++)
          for (let b = a + 1; b < n; b++) {
            const shared = [...letters[a]!].some((letter) => letters[b]!.includes(letter));
            expect(shared).toBe(!differ(a, b));
          }
      },
    ),
  );
});
