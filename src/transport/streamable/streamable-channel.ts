import { nowNs } from '../../clock.js';
import { strayInHead } from '../../wire/head-text.js';
import type { CloseReason } from '../http/close-reason.js';
import type { PoolWatcher } from '../http/post-pool.js';
import type { MoreHeaders } from '../http/request-heads.js';
import type { StreamHandle, StreamHandler } from '../http/stream-handler.js';
import type { ReplyCounts } from '../traffic.js';
import type { Channel, ChannelEnding, ChannelHandler, MessageKind, Outgoing } from '../transport.js';
import type { EventReaders } from './event-readers.js';
import { Exchange } from './exchange.js';
import { Farewell } from './farewell.js';
import { Listening } from './listening.js';
import type { StatelessHeads } from './stateless-heads.js';
import type { RequestWay, StreamableWire } from './streamable-wire.js';

/** What all channels of a worker share. */
export interface ChannelParts {
  readonly wire: StreamableWire;
  readonly readers: EventReaders;
  /** DELETEs under way. */
  readonly farewells: Set<Farewell>;
  /** Where there are no sessions: each message says all that there is to say of it. */
  readonly stateless: StatelessHeads | null;
}

// It goes out with each request.
const longestSessionId = 1024;
// Since when requests say which revision has been agreed on, and since when a reply that broke off can be asked to go on.
const firstToSay = '2025-06-18';
const firstToResume = '2025-11-25';
// A server that closes so many connections in a row without a word is gone, or does not want this client.
const mostUnanswered = 10;

/** One session's messages over Streamable HTTP: a POST each, whose replies bring the server's. */
export class StreamableChannel implements Channel, PoolWatcher {
  isOver = false;
  /** The server has accepted something since the session was opened. */
  hasWorked = false;
  /** Replies that broke off and are to go on. */
  readonly resuming = new Set<Exchange>();
  private readonly requests: RequestWay;
  private head: string;
  private sessionId: string | null = null;
  private version = '';
  private isOpen = false;
  private isForgotten = false;
  private unansweredInARow = 0;
  /** What ends a connection now is we ourselves: that says nothing of the server. */
  private isGivingUp = false;
  private listening: Listening | null = null;

  constructor(
    private readonly parts: ChannelParts,
    private readonly path: string,
    private readonly handler: ChannelHandler,
  ) {
    const { wire } = parts;
    this.head = wire.postHead(path, []);
    this.requests = wire.openRequests(this);
    if (!this.requests.own) setImmediate(() => this.beOpen(nowNs()));
  }

  get readers(): EventReaders {
    return this.parts.readers;
  }

  get counts(): ReplyCounts {
    return this.parts.wire.traffic.replies;
  }

  get listens(): boolean {
    return this.listening?.isOpen === true;
  }

  get mayResume(): boolean {
    return this.parts.stateless === null && this.version >= firstToResume;
  }

  send(text: string, ascii: boolean, by: Outgoing, kind: MessageKind): void {
    if (this.isOver) return by.onFailed(true, 'the session ended', nowNs());
    const { stateless } = this.parts;
    const head = stateless === null ? this.head : stateless.headOf(this.path, kind);
    this.requests.submit(new Exchange(head, text, ascii, by, this, kind.method === 'initialize'));
  }

  agree(protocolVersion: string): void {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(protocolVersion)) return;
    this.version = protocolVersion;
    this.head = this.parts.wire.postHead(this.path, this.sessionHeaders);
  }

  listen(): boolean {
    if (this.isOver || this.parts.stateless !== null) return false;
    this.listening = new Listening(this);
    return true;
  }

  // Whatever could leave has left.
  flush(): void {}

  prepare(messages: number, untilNs: number): boolean {
    return this.isOver || this.requests.prepare(messages, untilNs);
  }

  withdraw(by: Outgoing): boolean {
    return this.requests.withdraw(by);
  }

  giveUp(by: Outgoing): void {
    for (const exchange of this.resuming) if (exchange.by === by) exchange.endResumption();
    this.isGivingUp = true;
    this.requests.giveUp(by);
    this.isGivingUp = false;
  }

  end(how: ChannelEnding): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const exchange of this.resuming) exchange.endResumption();
    this.listening?.end();
    if (this.sessionId === null || this.isForgotten) this.requests.leave(this);
    else if (how === 'close') this.sayFarewell();
    else {
      this.counts.left++;
      this.requests.leave(this);
    }
  }

  onConnected(sinceNs: number, stoodNs: number): void {
    if (this.isOver || this.isOpen) return;
    this.handler.onStep('connect', sinceNs, stoodNs);
    this.beOpen(stoodNs);
  }

  onUnreachable({ kind, message }: CloseReason): void {
    this.close(kind, message);
  }

  /** A request has been answered with something. */
  onAnswered(atNs: number): void {
    this.unansweredInARow = 0;
    if (!this.isOver) this.handler.onAlive(atNs);
  }

  /** A connection ended before its request was answered with anything. */
  onUnanswered(message: string, _atNs: number): void {
    if (this.isGivingUp || ++this.unansweredInARow < mostUnanswered) return;
    this.close('reset', `${mostUnanswered} connections in a row ended without an answer: ${message}`);
  }

  onAlive(atNs: number): void {
    if (!this.isOver) this.handler.onAlive(atNs);
  }

  onTruncated(): void {
    if (!this.isOver) this.handler.onTruncated();
  }

  onListenStep(sinceNs: number, atNs: number): void {
    if (!this.isOver) this.handler.onStep('listen', sinceNs, atNs);
  }

  onListening(atNs: number): void {
    if (!this.isOver) this.handler.onListening(atNs);
  }

  /** A message, or a batch of them, has come in a reply. */
  deliver(buffer: Buffer, start: number, end: number, atNs: number): void {
    if (this.isOver) return;
    this.handler.onAlive(atNs);
    this.handler.onMessage(buffer, start, end, atNs);
  }

  /** A refusal had this body. */
  deliverRefusal(buffer: Buffer, start: number, end: number, atNs: number): void {
    if (!this.isOver) this.handler.onRefusalBody(buffer, start, end, atNs);
  }

  /** The session's id, from the reply to what asked for one; most of what servers could make up may not go into a header. */
  takeSessionId(id: string | undefined): void {
    if (id === undefined || this.isOver) return;
    const stray = strayInHead('target', id);
    if (id === '' || id.length > longestSessionId)
      return this.close('session id', `the session id has ${id.length} characters`);
    if (stray !== null)
      return this.close(
        'session id',
        `the session id has ${stray} in it: only visible ASCII characters may be sent back`,
      );
    this.sessionId = id;
    this.head = this.parts.wire.postHead(this.path, this.sessionHeaders);
  }

  /** Whether a refusal with this status says that the server does not know the session. */
  losesSessionBy(status: number): boolean {
    return this.sessionId !== null && (status === 404 || (status === 400 && this.hasWorked));
  }

  /** The server does not know the session any more. */
  forget(message: string): void {
    if (this.isOver || this.isForgotten) return;
    this.isForgotten = true;
    this.handler.onForgotten(message);
  }

  openStream(headers: MoreHeaders, handler: StreamHandler): StreamHandle {
    return this.parts.wire.openStream(this.path, [...this.sessionHeaders, ...headers], handler);
  }

  private get sessionHeaders(): MoreHeaders {
    const headers: [string, string][] = [];
    if (this.sessionId !== null) headers.push(['Mcp-Session-Id', this.sessionId]);
    if (this.version >= firstToSay) headers.push(['MCP-Protocol-Version', this.version]);
    return headers;
  }

  private beOpen(atNs: number): void {
    if (this.isOver || this.isOpen) return;
    this.isOpen = true;
    this.handler.onOpen('classic', atNs);
  }

  private close(kind: string, message: string): void {
    if (this.isOver) return;
    // Before its messages fail one by one.
    this.handler.onClosed({ kind, message, truncated: false });
    this.end('abandon');
  }

  private sayFarewell(): void {
    const { wire, farewells } = this.parts;
    const farewell = new Farewell(wire.deleteHead(this.path, this.sessionHeaders), this, this.counts, () => {
      farewells.delete(farewell);
      this.requests.leave(this);
    });
    farewells.add(farewell);
    this.requests.submit(farewell);
  }
}
