import { Deadlines, type Limited } from '../deadlines.js';
import type { Channel, Outgoing } from '../transport/transport.js';

const mostAnswers = 64;

/**
 * Messages that nobody waits for: answers to the server's own requests, cancellations. Their acceptance has a time limit all the
 * same, or a server that leaves them unanswered would use up its sessions' connections.
 */
export class BackgroundMessages {
  private readonly unanswered: Deadlines<BackgroundMessage>;
  /** Answers under way, by session. */
  private readonly answering = new Map<Channel, number>();

  constructor(limitNs: number) {
    this.unanswered = new Deadlines(limitNs);
  }

  send(channel: Channel, text: string): void {
    channel.send(text, false, new BackgroundMessage(channel, this.unanswered));
  }

  /** Answers the server's own request, unless it has so many answers to take that our own messages would wait behind them for long. */
  answer(channel: Channel, text: string): void {
    const underWay = this.answering.get(channel) ?? 0;
    if (underWay >= mostAnswers) return;
    this.answering.set(channel, underWay + 1);
    channel.send(text, false, new BackgroundMessage(channel, this.unanswered, () => this.settle(channel)));
  }

  /** Gives up those whose time is up; called every so often. */
  sweep(atNs: number): void {
    const { unanswered } = this;
    for (let item = unanswered.takeExpired(atNs); item !== null; item = unanswered.takeExpired(atNs)) {
      item.settle();
      item.channel.giveUp(item);
    }
  }

  private settle(channel: Channel): void {
    const left = this.answering.get(channel)! - 1;
    if (left > 0) this.answering.set(channel, left);
    else this.answering.delete(channel);
  }
}

class BackgroundMessage implements Outgoing, Limited<BackgroundMessage> {
  deadlines: Deadlines<BackgroundMessage> | null = null;
  previous: BackgroundMessage | null = null;
  next: BackgroundMessage | null = null;
  limitFromNs = 0;

  constructor(
    readonly channel: Channel,
    private readonly unanswered: Deadlines<BackgroundMessage>,
    private onSettled: (() => void) | null = null,
  ) {}

  /** Nothing more is waited for. */
  settle(): void {
    this.unanswered.remove(this);
    const { onSettled } = this;
    this.onSettled = null;
    onSettled?.();
  }

  onSent(atNs: number): void {
    this.unanswered.add(this, atNs);
  }

  onAccepted(): void {
    this.settle();
  }

  onRefused(): void {
    this.settle();
  }

  onReply(): void {}

  onFailed(): void {
    this.settle();
  }
}
