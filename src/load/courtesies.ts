import type { PostChannel, PostHandler } from '../transport/transport.js';
import { Deadlines, type Limited } from './deadlines.js';

/**
 * Messages that nobody waits for: answers to the server's own requests, cancellations. Their POSTs have a time limit all the
 * same, or a server that leaves them unanswered would use up its sessions' connections.
 */
export class Courtesies {
  private readonly unanswered: Deadlines<Courtesy>;

  constructor(limitNs: number) {
    this.unanswered = new Deadlines(limitNs);
  }

  send(channel: PostChannel, body: string): void {
    channel.post(body, new Courtesy(channel, this.unanswered));
  }

  sweep(atNs: number): void {
    const { unanswered } = this;
    for (let item = unanswered.takeExpired(atNs); item !== null; item = unanswered.takeExpired(atNs))
      item.channel.giveUp(item);
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
  ) {}

  onPostSent(atNs: number): void {
    this.unanswered.add(this, atNs);
  }

  onPostStatus(): void {
    this.unanswered.remove(this);
  }

  onPostBody(): void {}

  onPostFailed(): void {
    this.unanswered.remove(this);
  }
}
