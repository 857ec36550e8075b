import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualLoop } from '../core.fixture.js';
import { DueQueue } from './due-queue.js';

test('runs everything once, in the order of due times, and never early', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 60 }), (delaysUs) => {
      const loop = new ManualLoop();
      const queue = new DueQueue(loop);
      const ran: [index: number, atNs: number][] = [];
      delaysUs.forEach((us, index) => queue.add(us * 1000, () => ran.push([index, loop.nowNs()])));
      loop.pass(10);
      const expected = delaysUs
        .map((us, index) => [us, index])
        .sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
      expect(ran.map(([index]) => index)).toEqual(expected.map(([, index]) => index));
      for (const [index, atNs] of ran) expect(atNs).toBeGreaterThanOrEqual(delaysUs[index]! * 1000);
    }),
  );
});

test('what is removed does not run, and the rest keeps its order', () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const loop = new ManualLoop();
      const queue = new DueQueue(loop);
      const ran: number[] = [];
      const added = steps.map(([us], index) => queue.add(us * 1000, () => ran.push(index)));
      steps.forEach(([, removed], index) => {
        if (removed) queue.remove(added[index]!);
        if (removed) queue.remove(added[index]!);
      });
      expect(queue.size).toBe(steps.filter(([, removed]) => !removed).length);
      loop.pass(10);
      const expected = steps
        .map(([us, removed], index) => ({ us, removed, index }))
        .filter(({ removed }) => !removed)
        .sort((a, b) => a.us - b.us || a.index - b.index);
      expect(ran).toEqual(expected.map(({ index }) => index));
      expect(queue.size).toBe(0);
      for (const one of added) queue.remove(one);
    }),
  );
});

test('a timer that fires early is set again', () => {
  const loop = new ManualLoop();
  const after = loop.after.bind(loop);
  // Node's timers count in whole milliseconds of their own clock, and come up to one too early.
  loop.after = (ms, run) => after(Math.max(0.1, ms - 0.9), run);
  const queue = new DueQueue(loop);
  const ran: number[] = [];
  queue.add(3.5e6, () => ran.push(loop.nowNs()));
  for (let step = 0; step < 100 && ran.length === 0; step++) loop.pass(0.1);
  expect(ran).toHaveLength(1);
  expect(ran[0]).toBeGreaterThanOrEqual(3.5e6);
});

test('what is added while running takes its turn, and clear forgets everything', () => {
  const loop = new ManualLoop();
  const queue = new DueQueue(loop);
  const ran: string[] = [];
  queue.add(1e6, () => {
    ran.push('first');
    queue.add(0, () => ran.push('overdue'));
    queue.add(2e6, () => ran.push('later'));
  });
  loop.pass(1);
  expect(ran).toEqual(['first', 'overdue']);
  queue.clear();
  loop.pass(10);
  expect(ran).toEqual(['first', 'overdue']);
});
