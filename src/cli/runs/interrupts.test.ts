import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { interruptible, type Stoppable, untilStopped } from './interrupts.js';

function recording(): Stoppable & { calls: string[] } {
  const calls: string[] = [];
  return { calls, stop: () => void calls.push('stop'), abort: () => void calls.push('abort') };
}

test('the first signal stops what runs, each further one breaks it off', async () => {
  const source = new EventEmitter();
  const run = recording();
  const count = await interruptible(async (interrupts) => {
    interrupts.control(run);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT']) source.emit(signal);
    return interrupts.count;
  }, source);
  expect(run.calls).toEqual(['stop', 'abort', 'abort']);
  expect(count).toBe(3);
});

test('a signal that came before there was anything to stop is not lost', async () => {
  const source = new EventEmitter();
  const [first, second] = [recording(), recording()];
  await interruptible(async ({ control }) => {
    control(first);
    control(null);
    source.emit('SIGINT');
    control(second);
  }, source);
  expect(first.calls).toEqual([]);
  expect(second.calls).toEqual(['stop']);
});

test('signals are left alone again afterwards, however it ended', async () => {
  const source = new EventEmitter();
  await expect(interruptible(() => Promise.reject(new Error('broken')), source)).rejects.toThrow('broken');
  expect(source.eventNames()).toEqual([]);
});

test.each(['SIGINT', 'SIGTERM', 'disconnect'])('a server waits until it is stopped by %s', async (event) => {
  const source = new EventEmitter();
  const stopped = untilStopped(source);
  source.emit(event);
  await stopped;
  expect(source.listenerCount(event)).toBe(0);
});
