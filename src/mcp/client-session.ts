import { nowNs } from '../clock.js';
import type { DialectName } from '../scenario/plan.js';
import type { Recorder } from '../stats/recorder.js';
import type {
  Channel,
  ChannelEnding,
  ChannelHandler,
  ChannelLoss,
  MessageKind,
  Outgoing,
  Transport,
} from '../transport/transport.js';
import type { Turn } from '../transport/turn.js';
import type { Envelope } from '../wire/json-rpc-scanner.js';
import type { BackgroundMessages } from './background-messages.js';
import type { Correlator } from './correlator.js';
import { type Dialect, dialects } from './dialect.js';
import { Handshake, type HandshakeListener } from './handshake.js';
import { HandshakeTimes } from './handshake-times.js';
import type { MessageRouter, MessageTaker } from './message-router.js';
import { answerServerRequest, cancelledMessage } from './messages.js';
import type { OddityCounts } from './oddities.js';
import type { ServerIdentity } from './server-info.js';

/** What all sessions of a worker share. */
export interface SessionContext {
  readonly transport: Transport;
  /** How to speak to a server that seems to speak like this. */
  readonly dialectFor: (looks: DialectName) => Dialect;
  /** Each session is to have the server's own messages come on a stream apart, where the transport has one. */
  readonly listen: boolean;
  readonly handshakeLimitNs: number;
  /** How long the acceptance of initialize may be owed once its response is there. */
  readonly owedLimitNs: number;
  readonly clientVersion: string;
  readonly recorder: Recorder;
  readonly oddities: OddityCounts;
  readonly correlator: Correlator;
  readonly router: MessageRouter;
  readonly background: BackgroundMessages;
  readonly turn: Turn;
}

/** Who makes calls in a session and hears what becomes of it. */
export interface SessionListener {
  onSessionReady(atNs: number): void;
  /** A response to none of the session's own messages. The envelope and the bytes are valid only during the call. */
  onResponse(envelope: Envelope, buffer: Buffer, start: number, end: number, atNs: number): void;
  /** Nothing more will be heard: said before the channel goes, so that what has not left can still be withdrawn. `byUs`: we ended it. */
  onSessionOver(byUs: boolean, message: string, atNs: number): void;
  /** It never became ready; said once it is over. `kind` is stable and counted. */
  onSessionFailed(kind: string, message: string): void;
  /** The server does not know it any more: it is to be given no more calls, and to be ended when those in flight have. */
  onSessionForgotten(message: string): void;
  /** It was ready, and was lost or given up; said once it is over. */
  onSessionDropped(message: string): void;
}

// Of a request of the server's that is answered.
const longestId = 1024;

/** One MCP client's life: a channel, the handshake on it, messages both ways, the end. */
export class ClientSession implements ChannelHandler, HandshakeListener, MessageTaker {
  dialect: Dialect = dialects.classic;
  server: ServerIdentity | null = null;
  readyNs = 0;
  lastAliveNs = 0;
  /** Where it is in its life; a time limit leads out of every state that waits for the server. */
  private state: 'connecting' | 'opening' | 'handshake' | 'ready' | 'over' = 'connecting';
  private channel: Channel | null = null;
  private handshake: Handshake | null = null;
  private readonly times: HandshakeTimes;
  private timer: NodeJS.Timeout | null = null;
  private forgotten = false;

  constructor(
    private readonly context: SessionContext,
    private readonly listener: SessionListener,
    /** Unique among all sessions that this worker ever opened, from 1. */
    readonly serial: number,
    intendedNs: number,
  ) {
    this.times = new HandshakeTimes(context.recorder, context.turn, intendedNs);
  }

  get isReady(): boolean {
    return this.state === 'ready';
  }

  /** For how long nothing has come though something should have; 0 where nothing need come unasked. */
  silentNs(atNs: number): number {
    return this.channel?.listens === true ? atNs - Math.max(this.lastAliveNs, this.readyNs) : 0;
  }

  get isOver(): boolean {
    return this.state === 'over';
  }

  /** Begins it, as the session with this place in the run; a successor keeps the place. */
  open(ordinal: number): void {
    this.times.begin(nowNs());
    this.channel = this.context.transport.open(ordinal, this);
  }

  /** Sends one message of a session that is ready. */
  send(text: string, ascii: boolean, by: Outgoing, kind: MessageKind): void {
    this.channel!.send(text, ascii, by, kind);
  }

  /** See Channel. */
  flush(): void {
    this.channel?.flush();
  }

  /** See Channel. */
  prepare(messages: number, untilNs: number): boolean {
    return this.channel === null || this.channel.prepare(messages, untilNs);
  }

  /** Withdraws a message if no byte of it has been sent; false where one has. */
  withdraw(by: Outgoing): boolean {
    return this.channel?.withdraw(by) === true;
  }

  /** Stops waiting for the acceptance of a message. */
  giveUp(by: Outgoing): void {
    this.channel?.giveUp(by);
  }

  /** Without sessions a request is cancelled by ending its reply, where it has one: nothing else would be understood. */
  get cancelsByGivingUp(): boolean {
    return this.dialect.meta !== null && this.context.transport.replies;
  }

  /** Tells the server that nobody waits any more for the response to the request with this id. */
  cancel(id: number): void {
    if (this.channel !== null && !this.cancelsByGivingUp)
      this.context.background.send(this.channel, cancelledMessage(id, this.dialect));
  }

  /** Ends the session from our side. */
  end(how: ChannelEnding): void {
    if (this.state !== 'over') this.finish(true, 'the session was ended by the generator', how);
  }

  /** Gives up a session that is ready, for a reason of ours. */
  drop(message: string): void {
    if (this.state !== 'ready') return;
    this.finish(false, message, 'abandon');
    this.listener.onSessionDropped(message);
  }

  onStep(step: string, sinceNs: number, atNs: number, byUs = false): void {
    this.times.step(step, sinceNs, atNs, byUs);
    this.beReached();
  }

  onOpen(looks: DialectName, atNs: number): void {
    const { dialectFor, owedLimitNs, clientVersion, correlator, oddities, transport } = this.context;
    this.dialect = dialectFor(looks);
    this.beReached();
    if (this.dialect.readyAfter === 'channel') {
      this.becomeReady(atNs);
      return;
    }
    const context = { owedLimitNs, clientVersion, correlator, oddities, transport };
    this.state = 'handshake';
    this.handshake = new Handshake(context, this.serial, this.dialect, this.channel!, this.times, this);
    this.handshake.begin();
  }

  onMessage(buffer: Buffer, start: number, end: number, atNs: number): void {
    const { router } = this.context;
    if (this.state === 'opening') router.countEarly(buffer, start, end);
    else router.route(buffer, start, end, atNs, this);
  }

  onRefusalBody(buffer: Buffer, start: number, end: number, atNs: number): void {
    this.context.router.routeRefusal(buffer, start, end, atNs, this);
  }

  onListening(atNs: number): void {
    if (this.state === 'handshake') this.becomeReady(atNs);
  }

  onForgotten(message: string): void {
    if (this.state !== 'ready' || this.forgotten) return;
    this.forgotten = true;
    this.context.oddities.sessionLost++;
    this.listener.onSessionForgotten(message);
  }

  onTruncated(): void {
    this.context.oddities.truncatedEvent++;
  }

  /** The body that came along with the acceptance of a message. */
  onReply(body: Buffer, atNs: number): void {
    this.context.router.routeReply(body, atNs, this);
  }

  onAlive(atNs: number): void {
    this.lastAliveNs = atNs;
  }

  onClosed({ kind, message, truncated }: ChannelLoss): void {
    if (truncated) this.context.oddities.truncatedEvent++;
    if (this.state === 'ready') this.drop(`the connection was lost: ${message}`);
    else this.fail(kind === 'ended' ? 'closed' : kind, message);
  }

  onResponse(envelope: Envelope, buffer: Buffer, start: number, end: number, atNs: number): void {
    if (this.state === 'handshake' && this.handshake!.takeResponse(envelope, buffer, start, end, atNs))
      return;
    this.listener.onResponse(envelope, buffer, start, end, atNs);
  }

  onServerRequest(method: string, idJson: string): void {
    // Without sessions a server may ask nothing, and could not be answered.
    if (this.dialect.meta !== null) return;
    // Its answer would hold a huge id as long as the server likes.
    if (this.channel !== null && idJson.length <= longestId)
      this.context.background.answer(this.channel, answerServerRequest(method, idJson));
  }

  onServerKnown(server: ServerIdentity | null): void {
    this.server = server;
    this.channel!.agree(server?.protocolVersion ?? this.dialect.protocolVersion);
  }

  onInitialized(atNs: number): void {
    if (!this.context.listen || !this.channel!.listen()) this.becomeReady(atNs);
  }

  onHandshakeFailed(kind: string, message: string): void {
    this.fail(kind, message);
  }

  /** The server has been reached, and from here on it is the server's time that passes. */
  private beReached(): void {
    if (this.state !== 'connecting') return;
    this.state = 'opening';
    const limitNs = this.context.handshakeLimitNs;
    this.timer = setTimeout(() => this.giveUpHandshake(limitNs), limitNs / 1e6);
  }

  private becomeReady(atNs: number): void {
    this.clearTimer();
    this.state = 'ready';
    this.readyNs = atNs;
    this.times.end(atNs);
    this.listener.onSessionReady(atNs);
  }

  private giveUpHandshake(limitNs: number): void {
    const { state, note } = this.handshake ?? { state: this.state, note: '' };
    this.fail('timeout', `not ready within ${limitNs / 1e9} s (${state})${note}`);
  }

  private fail(kind: string, message: string): void {
    if (this.state === 'over') return;
    this.finish(false, message, 'abandon');
    this.listener.onSessionFailed(kind, message);
  }

  private finish(byUs: boolean, message: string, how: ChannelEnding): void {
    this.clearTimer();
    this.state = 'over';
    this.handshake?.end();
    this.listener.onSessionOver(byUs, message, nowNs());
    this.channel?.end(how);
  }

  private clearTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
