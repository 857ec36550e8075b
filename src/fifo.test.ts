import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from './fifo.js';

test('behaves like an array under any sequence of operations', () => {
  const step = fc.oneof(
    fc.record({ op: fc.constant('push' as const), value: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ op: fc.constant('shift' as const), value: fc.constant(0) }),
    fc.record({ op: fc.constant('remove' as const), value: fc.integer({ min: 0, max: 9 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const fifo = new Fifo<number>();
      let model: number[] = [];
      for (const { op, value } of steps) {
        if (op === 'push') {
          fifo.push(value);
          model.push(value);
        } else if (op === 'shift') {
          expect(fifo.shift()).toBe(model.shift());
        } else {
          expect(fifo.remove((item) => item === value)).toEqual(model.filter((item) => item === value));
          model = model.filter((item) => item !== value);
        }
        expect(fifo.length).toBe(model.length);
        expect(fifo.peek()).toBe(model[0]);
        expect(fifo.some((item) => item === 3)).toBe(model.includes(3));
      }
      expect(fifo.takeAll()).toEqual(model);
      expect(fifo.length).toBe(0);
    }),
  );
});

test('stays in order past the point where it compacts', () => {
  const fifo = new Fifo<number>();
  for (let i = 0; i < 5000; i++) fifo.push(i);
  for (let i = 0; i < 4000; i++) expect(fifo.shift()).toBe(i);
  for (let i = 5000; i < 9000; i++) fifo.push(i);
  for (let i = 4000; i < 9000; i++) expect(fifo.shift()).toBe(i);
  expect(fifo.shift()).toBeUndefined();
});
