import type { Channel, Outgoing, Refusal, ReplyKind, Transport } from '../transport/transport.js';
import type { Envelope } from '../wire/json-rpc-scanner.js';
import { cut } from '../text/cut.js';
import type { Correlator } from './correlator.js';
import type { Dialect } from './dialect.js';
import type { HandshakeTimes } from './handshake-times.js';
import { plainKind } from './message-kind.js';
import { initializedMessage, initializeMessage } from './messages.js';
import type { OddityCounts } from './oddities.js';
import { readIdentity, type ServerIdentity } from './server-info.js';

/** What a handshake needs of the worker that it is made in. */
export interface HandshakeContext {
  readonly correlator: Correlator;
  readonly oddities: OddityCounts;
  readonly clientVersion: string;
  /** How long the acceptance of initialize may be owed once its response is there. */
  readonly owedLimitNs: number;
  readonly transport: Pick<Transport, 'replies'>;
}

export interface HandshakeListener {
  /** The server has said who it is; null where that cannot be read. */
  onServerKnown(server: ServerIdentity | null): void;
  onInitialized(atNs: number): void;
  /** `kind` is stable and counted. */
  onHandshakeFailed(kind: string, message: string): void;
  /** The body that came along with the acceptance of one of its messages. */
  onReply(body: Buffer, atNs: number): void;
}

const kinds = {
  initialize: plainKind('initialize'),
  initialized: plainKind('notifications/initialized'),
};

/** MCP's own part of opening a session: initialize, its response, and, where the dialect wants it, notifications/initialized. */
export class Handshake {
  state: 'initializing' | 'confirming' | 'over' = 'initializing';
  /** What its last message was answered that explains why nothing more came; '' where nothing does. */
  note = '';
  /** When the message under way was sent; 0 before. */
  sentNs = 0;
  private readonly id: number;
  private readonly initialize: HandshakeMessage;
  private owedTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly context: HandshakeContext,
    serial: number,
    private readonly dialect: Dialect,
    private readonly channel: Channel,
    private readonly times: HandshakeTimes,
    private readonly listener: HandshakeListener,
  ) {
    this.id = context.correlator.issue(serial);
    this.initialize = new HandshakeMessage(this, listener, 'initialize', 'initializing');
  }

  begin(): void {
    const text = initializeMessage(this.id, this.dialect, this.context.clientVersion);
    this.channel.send(text, false, this.initialize, kinds.initialize);
  }

  /** Takes the response to initialize; false where it is somebody else's. */
  takeResponse(envelope: Envelope, buffer: Buffer, start: number, end: number, atNs: number): boolean {
    const id = Number(envelope.idType === 'string' ? envelope.idString : envelope.idNumber);
    if (this.state !== 'initializing' || id !== this.id) return false;
    // As with calls: what had not left when these bytes were read has been guessed.
    if (this.sentNs === 0 || atNs < this.sentNs) this.context.oddities.foreign++;
    else this.onResponse(envelope, buffer.toString('utf8', start, end), atNs);
    return true;
  }

  /** The session is over, or the server has taken too long. */
  end(): void {
    this.state = 'over';
  }

  /** Its message was accepted. */
  onAccepted(step: HandshakeMessage, note: string, atNs: number): void {
    if (note !== '') this.note = ` (${note})`;
    if (step === this.initialize) return;
    this.times.step('initialized', this.sentNs, atNs);
    this.complete(atNs);
  }

  /** The acceptance of a message is not waited for any more. */
  settle(message: HandshakeMessage): void {
    if (message !== this.initialize || this.owedTimer === null) return;
    clearTimeout(this.owedTimer);
    this.owedTimer = null;
  }

  fail(kind: string, message: string): void {
    this.end();
    this.listener.onHandshakeFailed(kind, message);
  }

  private onResponse(envelope: Envelope, text: string, atNs: number): void {
    if (envelope.kind !== 'response' || envelope.hasError) {
      this.fail('initialize', `initialize was answered ${cut(text, 200)}`);
      return;
    }
    const { correlator, oddities } = this.context;
    correlator.markAnswered(this.id);
    if ((envelope.idType === 'string') !== this.dialect.stringIds) oddities.coercedId++;
    this.times.step('initialize', this.sentNs, atNs);
    this.listener.onServerKnown(readIdentity(text));
    if (!this.initialize.settled && this.context.transport.replies) this.owe();
    if (this.dialect.readyAfter === 'initialize') {
      this.complete(atNs);
      return;
    }
    this.state = 'confirming';
    const message = new HandshakeMessage(this, this.listener, 'initialized', 'confirming');
    this.channel.send(initializedMessage, true, message, kinds.initialized);
  }

  // As with calls: a connection must not wait for this acceptance for as long as the session lives.
  private owe(): void {
    this.owedTimer = setTimeout(() => this.channel.giveUp(this.initialize), this.context.owedLimitNs / 1e6);
  }

  private complete(atNs: number): void {
    this.state = 'over';
    this.listener.onInitialized(atNs);
  }
}

/** One of its two messages: its acceptance matters, and what comes along with that may be the response itself. */
class HandshakeMessage implements Outgoing {
  /** It has been accepted or refused, or never will be. */
  settled = false;
  private accepted = false;
  private replyOpen = false;

  constructor(
    private readonly handshake: Handshake,
    private readonly listener: HandshakeListener,
    private readonly step: 'initialize' | 'initialized',
    /** When it still matters: the response may come first, and whatever its message is answered then changes nothing. */
    private readonly during: Handshake['state'],
  ) {}

  onSent(atNs: number): void {
    this.handshake.sentNs = atNs;
  }

  /** Its response is there, or does not matter any more. */
  get answered(): boolean {
    return this.step === 'initialized' || this.handshake.state !== this.during;
  }

  onAccepted(note: string, reply: ReplyKind, atNs: number): void {
    if (reply === 'none') this.settle();
    else this.replyOpen = true;
    if (this.handshake.state !== this.during) return;
    this.accepted = true;
    this.handshake.onAccepted(this, note, atNs);
  }

  onRefused({ kind, text }: Refusal): void {
    this.settle();
    if (this.handshake.state === this.during) this.handshake.fail(kind, `${this.step}: ${text}`);
  }

  onReply(body: Buffer, atNs: number): void {
    this.listener.onReply(body, atNs);
  }

  onFirstMessage(): void {}

  onReplyEnded(): void {
    this.replyOpen = false;
    this.settle();
    if (this.step === 'initialize' && this.handshake.state === this.during)
      this.handshake.fail('initialize', 'the reply to initialize ended without a response');
  }

  onFailed(_unsent: boolean, message: string): void {
    this.settle();
    // What has been accepted may yet be answered, unless that was to come in the reply.
    if (this.handshake.state === this.during && (!this.accepted || this.replyOpen))
      this.handshake.fail('post', `${this.step}: ${message}`);
  }

  private settle(): void {
    this.settled = true;
    this.handshake.settle(this);
  }
}
