import { expect, test } from 'vitest';
import { ConnectGate } from './connect-gate.js';

test('lets in up to its limit and the rest in order as places become free', () => {
  const gate = new ConnectGate(2);
  const started: number[] = [];
  for (let i = 0; i < 5; i++) gate.enter(() => started.push(i));
  expect(started).toEqual([0, 1]);
  gate.leave();
  expect(started).toEqual([0, 1, 2]);
  gate.leave();
  gate.leave();
  expect(started).toEqual([0, 1, 2, 3, 4]);
  gate.leave();
  gate.leave();
  gate.enter(() => started.push(5));
  gate.enter(() => started.push(6));
  gate.enter(() => started.push(7));
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
