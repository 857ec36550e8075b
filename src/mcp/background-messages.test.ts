import { expect, test } from 'vitest';
import type { Channel, Outgoing, Refusal } from '../transport/transport.js';
import { BackgroundMessages } from './background-messages.js';

class Sent implements Channel {
  readonly messages: Outgoing[] = [];
  readonly givenUp: Outgoing[] = [];
  send(_text: string, _ascii: boolean, by: Outgoing): void {
    this.messages.push(by);
  }
  giveUp(by: Outgoing): void {
    this.givenUp.push(by);
  }
  readonly listens = true;
  agree(): void {}
  listen(): boolean {
    return false;
  }
  flush(): void {}
  prepare(): boolean {
    return true;
  }
  withdraw(): boolean {
    return false;
  }
  end(): void {}
}

test('a session has so many answers under way to the requests of its server, and no more', () => {
  const background = new BackgroundMessages(1000);
  const [flooded, other] = [new Sent(), new Sent()];
  for (let at = 0; at < 1000; at++) background.answer(flooded, 'answer');
  expect(flooded.messages).toHaveLength(64);
  background.answer(other, 'answer');
  expect(other.messages, 'another session has its own').toHaveLength(1);
  background.send(flooded, 'cancellation');
  expect(flooded.messages, 'what is no answer is always sent').toHaveLength(65);
});

test('one that is accepted, failed or given up makes room for one more', () => {
  const background = new BackgroundMessages(1000);
  const channel = new Sent();
  for (let at = 0; at < 64; at++) background.answer(channel, 'answer');
  const [accepted, failed, silent] = channel.messages as [Outgoing, Outgoing, Outgoing];
  for (const message of [accepted, failed, silent]) message.onSent(10, 10, 10, 10);
  accepted.onAccepted('', 'none', 20);
  // Whatever comes of it later counts no second time.
  accepted.onFailed(false, 'gone', 30);
  failed.onFailed(false, 'gone', 30);
  background.sweep(2000);
  expect(channel.givenUp).toEqual([silent]);
  silent.onRefused({} as Refusal, 2001);
  for (let at = 0; at < 100; at++) background.answer(channel, 'answer');
  expect(channel.messages).toHaveLength(64 + 3);
});
