import { nowNs } from '../clock.js';
import { noTraffic } from '../transport/traffic.js';
import type {
  Channel,
  ChannelEnding,
  ChannelHandler,
  MessageKind,
  Outgoing,
  Refusal,
  ReplyKind,
  Transport,
} from '../transport/transport.js';

/** A message that a channel was given to send. */
export interface Sent {
  readonly text: string;
  readonly by: Outgoing;
  readonly kind: MessageKind;
}

/** A channel that carries nothing: it keeps what it was given to send, and says what the test has it say. */
export class ToldChannel implements Channel {
  readonly sent: Sent[] = [];
  readonly givenUp: Outgoing[] = [];
  ended: ChannelEnding | null = null;
  /** Messages leave at once; else they wait until they are let go. */
  free = true;
  private waiting: Outgoing[] = [];

  constructor(
    /** The place in the run of the session that it was opened for. */
    readonly ordinal: number,
    private readonly handler: ChannelHandler,
  ) {}

  readonly listens = true;
  readonly agreed: string[] = [];

  agree(protocolVersion: string): void {
    this.agreed.push(protocolVersion);
  }

  listen(): boolean {
    return false;
  }

  send(text: string, _ascii: boolean, by: Outgoing, kind: MessageKind): void {
    this.sent.push({ text, by, kind });
    if (this.free) by.onSent(nowNs(), 0, 0, 0);
    else this.waiting.push(by);
  }

  flush(): void {}

  prepare(): boolean {
    return true;
  }

  withdraw(by: Outgoing): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((each) => each !== by);
    return this.waiting.length < before;
  }

  giveUp(by: Outgoing): void {
    this.givenUp.push(by);
  }

  end(how: ChannelEnding): void {
    this.ended = how;
    for (const by of this.waiting.splice(0)) by.onFailed(true, 'the channel ended', nowNs());
  }

  /** The last message that it was given. */
  get last(): Sent {
    return this.sent.at(-1)!;
  }

  /** What waits leaves. */
  letGo(): void {
    this.free = true;
    for (const by of this.waiting.splice(0)) by.onSent(nowNs(), 0, 0, 0);
  }

  reaches(): void {
    this.handler.onStep('connect', nowNs(), nowNs());
  }

  opens(): void {
    this.reaches();
    this.handler.onOpen('classic', nowNs());
  }

  /** The server says something: an object as JSON, a text as it is. */
  says(message: object | string, atNs = nowNs()): void {
    const bytes = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
    this.handler.onAlive(atNs);
    this.handler.onMessage(bytes, 0, bytes.length, atNs);
  }

  /** The server answers a message, or the last one, with a result. */
  answers(sent: Sent = this.last, result: object = {}): void {
    this.says({ jsonrpc: '2.0', id: idOf(sent), result });
  }

  accepts(sent: Sent = this.last, note = '', reply: ReplyKind = 'none'): void {
    sent.by.onAccepted(note, reply, nowNs());
  }

  refuses(status: number, sent: Sent = this.last): void {
    sent.by.onRefused(refusal(status), nowNs());
  }

  /** The reply that the acceptance began is over. */
  endsReply(sent: Sent = this.last): void {
    sent.by.onReplyEnded(nowNs(), false);
  }

  forgets(message = 'it was answered 404'): void {
    this.handler.onForgotten(message);
  }

  loses(message = 'cut', kind = 'ended'): void {
    this.handler.onClosed({ kind, message, truncated: false });
  }

  /** The whole handshake, as a server makes it that does everything at once. */
  becomesReady(): void {
    this.opens();
    this.accepts();
    this.answers();
    this.accepts();
  }
}

/** A transport whose channels the test holds in its hand. */
export class ToldTransport implements Transport {
  readonly replies = true;
  readonly channels: ToldChannel[] = [];
  readonly traffic = noTraffic();
  closed = false;

  open(ordinal: number, handler: ChannelHandler): Channel {
    const channel = new ToldChannel(ordinal, handler);
    this.channels.push(channel);
    return channel;
  }

  get last(): ToldChannel {
    return this.channels.at(-1)!;
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    this.closed = true;
  }
}

/** The id of a request, as it was sent. */
export function idOf({ text }: Sent): number | string {
  return (JSON.parse(text) as { id: number | string }).id;
}

export function methodOf({ text }: Sent): string {
  return (JSON.parse(text) as { method: string }).method;
}

function refusal(status: number): Refusal {
  return { status, kind: `http ${status}`, text: `it was answered ${status}`, serverIsThere: status < 500 };
}
