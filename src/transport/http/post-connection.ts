import { nowNs } from '../../clock.js';
import { Fifo } from '../../fifo.js';
import type { HttpResponseHandler, ResponseHeaders } from '../../wire/http-response-parser.js';
import { HttpResponseParser } from '../../wire/http-response-parser.js';
import { WireError } from '../../wire/wire-error.js';
import { Connection, type Wiring } from './connection.js';
import { unusedLimitNs } from './idle-limit.js';
import type { CloseReason } from './close-reason.js';
import type { PendingPost } from './post-channel.js';

export interface PostConnectionOwner {
  /** It stands: messages may be sent. */
  onConnectionOpen(connection: PostConnection): void;
  /** Answers are complete, and with them all bytes that were read; `owed` says how many are still out. */
  onConnectionAnswered(connection: PostConnection): void;
  /** What it has received is being read, or has been. */
  onConnectionReading(isReading: boolean): void;
  /** It is gone; whatever it owed has been failed. */
  onConnectionGone(connection: PostConnection, reason: CloseReason): void;
}

// A POST may rightly be answered only when its work is done.
const gateHoldMs = 25;

/** One keep-alive connection for requests: answers are matched to them in order, bodies are read to their end. */
export class PostConnection extends Connection implements HttpResponseHandler {
  private readonly http = new HttpResponseParser(this);
  private readonly owedTo = new Fifo<PendingPost>();
  private isOpen = false;
  /** The server said it will close after this answer. */
  private lastAnswer = false;
  idleSinceNs = 0;
  private keepAliveRead = false;

  constructor(
    wiring: Wiring,
    private readonly owner: PostConnectionOwner,
  ) {
    super(wiring, gateHoldMs);
    this.open();
  }

  get owed(): number {
    return this.owedTo.length;
  }

  get usable(): boolean {
    // Not writable: the server's end has been read, and the socket's own end is a turn of the loop away.
    return this.isOpen && !this.isGone && !this.lastAnswer && this.socket!.writable;
  }

  owes(by: object): boolean {
    return this.owedTo.some((post) => post.by === by);
  }

  /** Whether the answer to a message of this session is not complete. */
  owesTo(channel: object): boolean {
    return this.owedTo.some((post) => post.channel === channel);
  }

  /** Whether the server may be about to drop it for idleness: sending into a closing connection would lose the call. */
  isStale(atNs: number): boolean {
    const limitNs = this.keepAliveRead ? this.wiring.idleLimit.ns : unusedLimitNs;
    return this.owed === 0 && atNs - this.idleSinceNs > limitNs;
  }

  get hasStood(): boolean {
    return this.stoodNs > 0;
  }

  /** From when to when it was made; both 0 while it is not. */
  get making(): { readonly sinceNs: number; readonly stoodNs: number } {
    return { sinceNs: this.connectStartNs, stoodNs: this.stoodNs };
  }

  /** Hands one message to the socket; nothing may be owed on it. */
  sendOne(post: PendingPost): void {
    const { head, body } = post;
    const bodyBytes = bytesOf(post);
    this.owedTo.push(post);
    const atNs = nowNs();
    const text = `${head}${bodyBytes}\r\n\r\n${body}`;
    const extraBytes = bodyBytes - body.length;
    this.write(text, extraBytes === 0 ? 'latin1' : 'utf8', text.length + extraBytes);
    post.onSent(atNs, this.askedNs, this.stoodNs, this.idleSinceNs);
  }

  /** Hands messages to the socket in one write; each sender hears of it with the same moment. */
  send(posts: readonly PendingPost[]): void {
    let text = '';
    // What characters beyond ASCII take on top of their number.
    let extraBytes = 0;
    for (const post of posts) {
      const { head, body } = post;
      const bodyBytes = bytesOf(post);
      extraBytes += bodyBytes - body.length;
      text += `${head}${bodyBytes}\r\n\r\n${body}`;
    }
    for (const post of posts) this.owedTo.push(post);
    const atNs = nowNs();
    // A pure-ASCII string is the same in latin1, which is copied and not encoded.
    this.write(text, extraBytes === 0 ? 'latin1' : 'utf8', text.length + extraBytes);
    const { askedNs, stoodNs } = this;
    // What is owed on it holds up nothing.
    for (const post of posts) post.onSent(atNs, askedNs, stoodNs, stoodNs);
  }

  protected onOpen(): void {
    this.isOpen = true;
    this.idleSinceNs = this.stoodNs;
    this.owner.onConnectionOpen(this);
  }

  protected onBytes(chunk: Buffer): void {
    this.owner.onConnectionReading(true);
    try {
      this.read(chunk);
    } finally {
      this.owner.onConnectionReading(false);
    }
  }

  private read(chunk: Buffer): void {
    const owedBefore = this.owed;
    if (owedBefore === 0) throw this.strayAnswer();
    this.http.feed(chunk);
    if (this.isGone) return;
    this.owedTo.peek()?.onPaused();
    if (this.owed === 0 && !this.http.idle && !this.lastAnswer) throw this.strayAnswer();
    // Not before: what else was in the chunk cannot be the answer to a message that is sent only now.
    if (this.owed < owedBefore) this.owner.onConnectionAnswered(this);
  }

  // Of 408s on idle connections, and of servers that answer twice. Whose the next answer would be is not known any more.
  private strayAnswer(): WireError {
    this.wiring.traffic.strayAnswers++;
    return new WireError('unexpected-bytes', 'bytes came that no request was waiting for');
  }

  onHead(status: number, headers: ResponseHeaders): void {
    const post = this.owedTo.peek();
    if (post === undefined) {
      // Of a connection that was given up, or has said its last, the rest does not matter.
      if (this.isGone || this.lastAnswer) return;
      throw this.strayAnswer();
    }
    if (!this.keepAliveRead) this.noteKeepAlive(headers);
    post.onHead(status, headers, this.readAtNs);
  }

  onBody(chunk: Buffer, start: number, end: number): void {
    this.owedTo.peek()?.onBody(chunk, start, end, this.readAtNs);
  }

  onEnd(keepAlive: boolean): void {
    if (!keepAlive) this.lastAnswer = true;
    this.owedTo.shift()?.onEnd(this.readAtNs);
    this.idleSinceNs = this.readAtNs;
    if (this.isGone) return;
    // Not left to the server, which may say that it closes and never do it.
    if (this.lastAnswer) this.socket?.destroy();
  }

  protected onGone(reason: CloseReason): void {
    this.isOpen = false;
    if (reason.kind === 'ended' && this.hasStood && this.owed === 0 && !this.lastAnswer)
      this.wiring.idleLimit.onClosedAfter(this.readAtNs - this.idleSinceNs);
    try {
      this.http.end();
    } catch (error) {
      // Cut in mid-answer: whoever is still owed hears of it below.
      if (!(error instanceof WireError)) this.noteFault(error);
    }
    for (const post of this.owedTo.takeAll()) post.onLost(false, reason.message, this.readAtNs);
    this.owner.onConnectionGone(this, reason);
  }

  override destroy(): void {
    if (this.isGone) return;
    super.destroy();
    const atNs = nowNs();
    for (const post of this.owedTo.takeAll()) post.onLost(false, 'the session ended', atNs);
  }

  private noteKeepAlive(headers: ResponseHeaders): void {
    this.keepAliveRead = true;
    const hint = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '');
    if (hint) this.wiring.idleLimit.onHint(Number(hint[1]));
  }
}

// Counting the bytes of a text that has just been put together makes a copy of it.
function bytesOf({ body, ascii }: PendingPost): number {
  return ascii ? body.length : Buffer.byteLength(body);
}
