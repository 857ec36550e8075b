import { expect, test } from 'vitest';
import { nowNs } from './clock.js';

test('the clock yields integers that never go back', () => {
  let previousNs = nowNs();
  for (let i = 0; i < 1000; i++) {
    const ns = nowNs();
    expect(Number.isSafeInteger(ns)).toBe(true);
    expect(ns).toBeGreaterThanOrEqual(previousNs);
    previousNs = ns;
  }
});
