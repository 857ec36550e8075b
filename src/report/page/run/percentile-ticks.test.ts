import { expect, test } from 'vitest';

// The page's own code, which is plain JavaScript for browsers.
const scales = '../browser/scales.js';
const { percentileTicks } = (await import(scales)) as {
  percentileTicks(max: number, roomPx: number): number[];
};

test('there is a label for each nine where there is room', () => {
  expect(percentileTicks(1e6, 900)).toEqual([1, 10, 100, 1e3, 1e4, 1e5, 1e6]);
  expect(percentileTicks(1e4, 640)).toEqual([1, 2, 10, 100, 1e3, 1e4]);
  expect(percentileTicks(1e3, 900)).toEqual([1, 2, 4, 10, 100, 1e3]);
});

test('on a phone labels do not run into each other', () => {
  expect(percentileTicks(2.4e5, 268)).toEqual([1, 10, 100, 1e3, 1e4]);
  expect(percentileTicks(1e6, 268)).toEqual([1, 10, 100, 1e3, 1e5]);
});
