import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteSizePattern, writtenByteSize, parseByteSize } from './byte-size.js';

test.each([
  ['512', 512],
  ['512B', 512],
  ['64KB', 64_000],
  ['1.5KB', 1500],
  ['1MiB', 1_048_576],
  ['2GB', 2e9],
])('%s is %d bytes', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
  expect(text).toMatch(byteSizePattern);
});

test.each(['', 'KB', '-1KB', '64kb', '64 KB', '64XB', '1toString', '9999999999GB'])(
  '"%s" is none',
  (text) => {
    expect(parseByteSize(text)).toBeNull();
  },
);

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (bytes) => {
      expect(parseByteSize(writtenByteSize(bytes))).toBe(bytes);
    }),
  );
});
