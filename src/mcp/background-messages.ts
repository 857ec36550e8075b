import type { PostChannel, PostHandler } from '../transport/transport.js';
import { Deadlines, type Limited } from '../deadlines.js';

const mostAnswers = 64;

/**
 * Messages that nobody waits for: answers to the server's own requests, cancellations. Their POSTs have a time limit all the
 * same, or a server that leaves them unanswered would use up its sessions' connections.
 */
export class Courtesies {
  private readonly unanswered: Deadlines<Courtesy>;
  /** Answers under way, by session. */
  private readonly answering = new Map<PostChannel, number>();

  constructor(limitNs: number) {
    this.unanswered = new Deadlines(limitNs);
  }

  send(channel: PostChannel, body: string): void {
    channel.post(body, new Courtesy(channel, this.unanswered));
  }

  /** Answers the server's own request, unless it has so many answers to take that our own messages would wait behind them for long. */
  answer(channel: PostChannel, body: string): void {
    const underWay = this.answering.get(channel) ?? 0;
    if (underWay >= mostAnswers) return;
    this.answering.set(channel, underWay + 1);
    channel.post(body, new Courtesy(channel, this.unanswered, () => this.settle(channel)));
  }

  private settle(channel: PostChannel): void {
    const left = this.answering.get(channel)! - 1;
    if (left > 0) this.answering.set(channel, left);
    else this.answering.delete(channel);
  }

  sweep(atNs: number): void {
    const { unanswered } = this;
    for (let item = unanswered.takeExpired(atNs); item !== null; item = unanswered.takeExpired(atNs)) {
      item.settle();
      item.channel.giveUp(item);
    }
  }
}

class Courtesy implements PostHandler, Limited<Courtesy> {
  deadlines: Deadlines<Courtesy> | null = null;
  previous: Courtesy | null = null;
  next: Courtesy | null = null;
  limitFromNs = 0;

  constructor(
    readonly channel: PostChannel,
    private readonly unanswered: Deadlines<Courtesy>,
    private onSettled: (() => void) | null = null,
  ) {}

  /** Nothing more is waited for. */
  settle(): void {
    this.unanswered.remove(this);
    const { onSettled } = this;
    this.onSettled = null;
    onSettled?.();
  }

  onPostSent(atNs: number): void {
    this.unanswered.add(this, atNs);
  }

  onPostStatus(): void {
    this.settle();
  }

  onPostBody(): void {}

  onPostFailed(): void {
    this.settle();
  }
}
