import type { Outgoing, Refusal, ReplyKind } from '../transport/transport.js';
import type { Call } from './call.js';

/** Who judges what happens to a round. */
export interface RoundKeeper {
  onRoundRefused(round: Round, refusal: Refusal, atNs: number): void;
  /** It cannot be answered any more. */
  onRoundLost(round: Round, message: string, atNs: number): void;
  onRoundReplyEnded(round: Round, atNs: number): void;
}

/** A call asked once more, with what the server wanted to know: a message of its own, whose answer is the call's. */
export class Round implements Outgoing {
  sentNs = 0;
  ackNs = 0;
  reply: ReplyKind = 'none';
  replyOpen = false;

  constructor(
    readonly call: Call,
    /** What the call was asked as before. */
    readonly before: Call | Round,
    private readonly keeper: RoundKeeper,
  ) {}

  get answered(): boolean {
    return this.call.ended || this.call.round !== this;
  }

  onSent(atNs: number): void {
    this.sentNs = atNs;
  }

  onAccepted(_note: string, reply: ReplyKind, atNs: number): void {
    this.ackNs = atNs;
    this.reply = reply;
    this.replyOpen = reply !== 'none';
  }

  onRefused(refusal: Refusal, atNs: number): void {
    this.replyOpen = false;
    this.keeper.onRoundRefused(this, refusal, atNs);
  }

  onReply(): void {}

  onFirstMessage(): void {}

  onReplyEnded(atNs: number): void {
    this.replyOpen = false;
    this.keeper.onRoundReplyEnded(this, atNs);
  }

  onFailed(_unsent: boolean, message: string, atNs: number): void {
    this.replyOpen = false;
    this.keeper.onRoundLost(this, message, atNs);
  }
}
