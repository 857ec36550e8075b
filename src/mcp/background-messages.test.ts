import { expect, test } from 'vitest';
import type { PostChannel, PostHandler } from '../transport/transport.js';
import { Courtesies } from './background-messages.js';

class Posted implements PostChannel {
  readonly handlers: PostHandler[] = [];
  readonly givenUp: PostHandler[] = [];
  post(_body: string, handler: PostHandler): void {
    this.handlers.push(handler);
  }
  giveUp(handler: PostHandler): void {
    this.givenUp.push(handler);
  }
  flush(): void {}
  prepare(): boolean {
    return true;
  }
  withdraw(): boolean {
    return false;
  }
  destroy(): void {}
}

test('a session has so many answers under way to the requests of its server, and no more', () => {
  const courtesies = new Courtesies(1000);
  const [flooded, other] = [new Posted(), new Posted()];
  for (let at = 0; at < 1000; at++) courtesies.answer(flooded, 'answer');
  expect(flooded.handlers).toHaveLength(64);
  courtesies.answer(other, 'answer');
  expect(other.handlers, 'another session has its own').toHaveLength(1);
  courtesies.send(flooded, 'cancellation');
  expect(flooded.handlers, 'what is no answer is always sent').toHaveLength(65);
});

test('one that is accepted, failed or given up makes room for one more', () => {
  const courtesies = new Courtesies(1000);
  const channel = new Posted();
  for (let at = 0; at < 64; at++) courtesies.answer(channel, 'answer');
  const [accepted, failed, silent] = channel.handlers as [PostHandler, PostHandler, PostHandler];
  for (const handler of [accepted, failed, silent]) handler.onPostSent(10, 10, 10, 10);
  accepted.onPostStatus(202, '', 20);
  // Whatever comes of it later counts no second time.
  accepted.onPostFailed(false, 'gone', 30);
  failed.onPostFailed(false, 'gone', 30);
  courtesies.sweep(2000);
  expect(channel.givenUp).toEqual([silent]);
  silent.onPostStatus(202, '', 2001);
  for (let at = 0; at < 100; at++) courtesies.answer(channel, 'answer');
  expect(channel.handlers).toHaveLength(64 + 3);
});
