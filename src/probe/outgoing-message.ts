import type { ReadMessage } from '../mcp/read-messages.js';
import type { Channel, Outgoing, Refusal, ReplyKind } from '../transport/transport.js';
import type { Exchange } from './exchange.js';
import type { PostAnswer } from './observed-posts.js';

/** One message of a probe on its way out, and all that came of it. */
export class OutgoingMessage implements Outgoing {
  readonly post: PostAnswer = {
    sentNs: 0,
    status: null,
    ackNs: null,
    headers: null,
    body: '',
    note: '',
    reusedConnection: false,
    failure: null,
  };
  via: Exchange['via'] = null;
  private reply: ReplyKind = 'none';
  private response: (ReadMessage & { kind: 'response' }) | null = null;
  private responseNs: number | null = null;
  private characters = 0;
  private settle: () => void = () => {};
  private readonly settled = new Promise<void>((resolve) => (this.settle = resolve));

  constructor(
    /** null of what nobody answers. */
    private readonly id: number | null,
  ) {}

  get answered(): boolean {
    return this.id === null || this.response !== null;
  }

  /** Waits until it has been answered, refused or lost, or for so long. */
  async outcome(limitMs: number, channel: Pick<Channel, 'giveUp'>): Promise<{ post: PostAnswer }> {
    const timer = setTimeout(() => {
      this.post.failure ??= `no answer within ${limitMs / 1000} s`;
      channel.giveUp(this);
      this.settle();
    }, limitMs);
    await this.settled;
    clearTimeout(timer);
    return this;
  }

  /** The response to it has come. */
  take(message: ReadMessage & { kind: 'response' }, characters: number, atNs: number): void {
    if (this.response !== null) return;
    this.response = message;
    this.responseNs = atNs;
    this.characters = characters;
    this.via = this.reply === 'events' ? 'event' : 'post';
    // The reply may have more to say; what comes of it does not matter any more.
    this.settle();
  }

  /** As what a probe knows of any transport; `lost` is why it was never sent. */
  toExchange(method: string, lost: string | null = null): Exchange {
    const { response, post } = this;
    if (lost !== null) post.failure = lost;
    return {
      method,
      post,
      response: response?.body ?? null,
      responseNs: this.responseNs,
      via: this.via,
      eventName: null,
      cameTwice: false,
      coercedId: response !== null && response.id !== null && typeof response.id !== 'number',
      unread: response?.unread ?? null,
      characters: this.characters,
    };
  }

  onSent(atNs: number): void {
    this.post.sentNs = atNs;
  }

  onAccepted(note: string, reply: ReplyKind, atNs: number): void {
    this.post.status = 200;
    this.post.ackNs = atNs;
    this.post.note = note === '' ? '' : ` (${note})`;
    this.reply = reply;
    // Of others the end of the reply is told, too, and the response before that.
    if (this.id === null) this.settle();
  }

  onRefused({ status, text }: Refusal): void {
    this.post.status = status;
    this.post.note = text.replace(/^.*?answered \d+/, '');
    this.settle();
  }

  onReply(): void {}

  onFirstMessage(): void {}

  onReplyEnded(): void {
    this.settle();
  }

  onFailed(_unsent: boolean, message: string): void {
    this.post.failure ??= message;
    this.settle();
  }
}
