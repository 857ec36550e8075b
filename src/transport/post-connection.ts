import { nowNs } from '../clock.js';
import { Fifo } from '../fifo.js';
import type { HttpResponseHandler, ResponseHeaders } from '../wire/http-response-parser.js';
import { HttpResponseParser } from '../wire/http-response-parser.js';
import { Connection, type Wiring } from './connection.js';
import type { CloseReason, OutgoingPost, PostChannel, PostHandler } from './transport.js';

export interface PostConnectionOwner {
  /** It stands: messages may be sent. */
  onConnectionOpen(connection: PostConnection): void;
  /** One more answer is complete; `owed` says how many are still out. */
  onConnectionAnswered(connection: PostConnection): void;
  /** It is gone; whatever it owed has been failed. */
  onConnectionGone(connection: PostConnection, reason: CloseReason): void;
}

// A POST may rightly be answered only when its work is done.
const gateHoldMs = 25;
// Many servers drop an idle connection after 5 s. A message sent into a connection that is being closed is lost.
const idleLimitNs = 4e9;
const maxJsonBodyBytes = 16 * 1024 * 1024;

/** One keep-alive connection for POSTs: answers are matched to requests in order, bodies are read to their end. */
export class PostConnection extends Connection implements HttpResponseHandler {
  private readonly http = new HttpResponseParser(this);
  private readonly owedTo = new Fifo<PostHandler>();
  /** Whose message `sendOne` sent last. */
  private sender: PostChannel | null = null;
  private json: Buffer[] | null = null;
  private jsonBytes = 0;
  private isOpen = false;
  private stood = false;
  /** The server said it will close after this answer. */
  private lastAnswer = false;
  idleSinceNs = 0;
  /** How long the server keeps an idle connection: by its own word in its first answer, if that is less than usual. */
  private keepAliveNs = idleLimitNs;
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

  owes(handler: PostHandler): boolean {
    return this.owedTo.has(handler);
  }

  /** Whether the answer to a message of this session is not complete; for connections with one request at a time. */
  owesTo(channel: PostChannel): boolean {
    return this.sender === channel && this.owed > 0;
  }

  /** Whether the server may be about to drop it for idleness: sending into a closing connection would lose the call. */
  isStale(atNs: number): boolean {
    return this.owed === 0 && atNs - this.idleSinceNs > this.keepAliveNs;
  }

  get hasStood(): boolean {
    return this.stood;
  }

  /** Hands one message to the socket. */
  sendOne(post: OutgoingPost): void {
    const { head, handler } = post;
    const bodyBytes = bytesOf(post);
    const body = besideHead(post, bodyBytes);
    this.owedTo.push(handler);
    this.sender = post.channel;
    const atNs = nowNs();
    this.write(
      `${head}${bodyBytes}\r\n\r\n${body}`,
      bodyBytes === body.length ? 'latin1' : 'utf8',
      head.length + bodyBytes,
    );
    handler.onPostSent(atNs);
  }

  /** Hands messages to the socket in one write; each handler hears of it with the same moment. */
  send(posts: readonly OutgoingPost[]): void {
    let text = '';
    let bytes = 0;
    let ascii = true;
    for (const post of posts) {
      const { head } = post;
      const bodyBytes = bytesOf(post);
      const body = besideHead(post, bodyBytes);
      if (bodyBytes !== body.length) ascii = false;
      bytes += head.length + bodyBytes;
      text += `${head}${bodyBytes}\r\n\r\n${body}`;
    }
    for (const { handler } of posts) this.owedTo.push(handler);
    const atNs = nowNs();
    // A pure-ASCII string is the same in latin1, which is copied and not encoded.
    this.write(text, ascii ? 'latin1' : 'utf8', bytes);
    for (const { handler } of posts) handler.onPostSent(atNs);
  }

  protected onOpen(): void {
    this.isOpen = true;
    this.stood = true;
    this.idleSinceNs = nowNs();
    this.owner.onConnectionOpen(this);
  }

  protected onBytes(chunk: Buffer): void {
    this.http.feed(chunk);
  }

  onHead(status: number, headers: ResponseHeaders): void {
    const handler = this.owedTo.peek();
    if (handler === undefined) {
      // An answer to nothing: often 408 on an idle connection. The connection is of no more use.
      this.lastAnswer = true;
      return;
    }
    if (status < 300 && headers.contentLength !== 0 && headers.contentType.startsWith('application/json')) {
      this.json = [];
      this.jsonBytes = 0;
    }
    if (!this.keepAliveRead) this.noteKeepAlive(headers);
    handler.onPostStatus(status, this.readAtNs);
  }

  onBody(chunk: Buffer, start: number, end: number): void {
    if (this.json === null) return;
    this.jsonBytes += end - start;
    if (this.jsonBytes > maxJsonBodyBytes) this.json = null;
    else this.json.push(Buffer.from(chunk.subarray(start, end)));
  }

  onEnd(keepAlive: boolean): void {
    if (!keepAlive) this.lastAnswer = true;
    const handler = this.owedTo.peek();
    if (handler !== undefined) {
      this.owedTo.shift();
      const json = this.json;
      this.json = null;
      if (json !== null && this.jsonBytes > 0) {
        handler.onPostBody(json.length === 1 ? json[0] : Buffer.concat(json), this.readAtNs);
      }
    }
    this.idleSinceNs = this.readAtNs;
    if (this.isGone) return;
    // Not left to the server, which may say that it closes and never do it.
    if (this.lastAnswer) this.socket?.destroy();
    this.owner.onConnectionAnswered(this);
  }

  protected onGone(reason: CloseReason): void {
    this.isOpen = false;
    try {
      this.http.end();
    } catch {
      // Cut in mid-answer: whoever is still owed hears of it below.
    }
    for (const handler of this.owedTo.takeAll()) handler.onPostFailed(false, reason.message, this.readAtNs);
    this.owner.onConnectionGone(this, reason);
  }

  override destroy(): void {
    if (this.isGone) return;
    super.destroy();
    const atNs = nowNs();
    for (const handler of this.owedTo.takeAll()) handler.onPostFailed(false, 'the session ended', atNs);
  }

  private noteKeepAlive(headers: ResponseHeaders): void {
    this.keepAliveRead = true;
    const hint = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '');
    // A second's grace, as undici takes it.
    if (hint) this.keepAliveNs = Math.min(idleLimitNs, Math.max(0, Number(hint[1]) - 1) * 1e9);
  }
}

// Counting the bytes of a text that has just been put together makes a copy of it.
function bytesOf({ body, ascii }: OutgoingPost): number {
  return ascii ? body.length : Buffer.byteLength(body);
}

// A head is bytes, one to a character. Where it holds others than ASCII, a body of others must be so too, to be written with it.
function besideHead({ head, body }: OutgoingPost, bodyBytes: number): string {
  if (bodyBytes === body.length || Buffer.byteLength(head) === head.length) return body;
  return Buffer.from(body).toString('latin1');
}
