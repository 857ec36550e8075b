import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DueQueue } from './due-queue.js';
import { realLoop } from './loop.js';

const dayMs = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
});
afterEach(() => {
  vi.useRealTimers();
});

// Node fires a timer of more than 2³¹ − 1 ms, which is not quite 25 days, after one millisecond.
test('what is due later than any timer can wait for is waited for in steps, and not run early', () => {
  const loop = realLoop();
  const { after: real } = loop;
  let timers = 0;
  const after = vi.spyOn(loop, 'after').mockImplementation((ms, run) => {
    if (++timers > 10) throw new Error('timers fire far too early');
    return real(ms, run);
  });
  const queue = new DueQueue(loop);
  const ran: number[] = [];
  queue.add(60 * dayMs * 1e6, () => ran.push(loop.nowNs()));
  vi.advanceTimersByTime(59 * dayMs);
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(2 * dayMs);
  expect(ran).toHaveLength(1);
  expect(ran[0]).toBeGreaterThanOrEqual(60 * dayMs * 1e6);
  expect(after).toHaveBeenCalledTimes(3);
});
