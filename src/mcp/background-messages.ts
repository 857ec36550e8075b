import { Deadlines, type Limited } from '../deadlines.js';
import type { Channel, Outgoing, ReplyKind } from '../transport/transport.js';
import { plainKind } from './message-kind.js';

const mostAnswers = 64;
// Neither has a name, nor anything else that is said beside it.
const kind = plainKind('');

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
    channel.send(text, false, new BackgroundMessage(channel, this.unanswered), kind);
  }

  /** Answers the server's own request, unless it has so many answers to take that our own messages would wait behind them for long. */
  answer(channel: Channel, text: string): void {
    const underWay = this.answering.get(channel) ?? 0;
    if (underWay >= mostAnswers) return;
    this.answering.set(channel, underWay + 1);
    const message = new BackgroundMessage(channel, this.unanswered, () => this.settle(channel));
    channel.send(text, false, message, kind);
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
  readonly answered = true;
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

  onAccepted(_note: string, reply: ReplyKind): void {
    // A stream might go on for ever.
    if (reply === 'none') this.settle();
  }

  onRefused(): void {
    this.settle();
  }

  onReply(): void {}

  onFirstMessage(): void {}

  onReplyEnded(): void {
    this.settle();
  }

  onFailed(): void {
    this.settle();
  }
}
