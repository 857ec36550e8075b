import type { Socket } from 'node:net';
import type { Front, StreamHandle } from './front.js';
import { httpReply } from './http-reply.js';
import type { HttpReply } from './http-reply.js';
import { sessionKeyOf } from './router.js';
import type { Route, RouteMethod } from './router.js';
import { ConnectionAge } from './connection-age.js';
import type { TickClock, TickLimits } from './connection-age.js';
import { HeldBytes } from './held-bytes.js';
import { ReplyQueue } from './reply-queue.js';
import type { ReplyOutlet } from './reply-queue.js';
import { RequestError } from './request-error.js';
import type { RequestHead } from './request-head.js';
import { RequestParser } from './request-parser.js';
import type { RequestHandler } from './request-parser.js';
import { StreamWriter } from './stream-writer.js';
import type { StreamOwner } from './stream-writer.js';

/** Requests that may wait for their answers on one connection: a client that sends more is not read until it has some. */
const mostWaiting = 256;
const nothing = Buffer.alloc(0);

/** Why a connection is not read for now. */
const Pause = { delayed: 1, crowded: 2, unread: 4, streamDue: 8 } as const;

/** What connections need to know of their server. */
export interface ConnectionHost extends TickClock {
  readonly front: Front;
  readonly limits: TickLimits;
  forget(connection: Connection): void;
}

/** One connection: requests in, and their answers out in the same order; or, in the end, an event stream. */
export class Connection implements RequestHandler, ReplyOutlet, StreamOwner {
  /** Its place among the connections of the server. */
  index = -1;
  private readonly parser = new RequestParser(this);
  private readonly replies = new ReplyQueue(this);
  private stream: StreamWriter | null = null;
  private handle: StreamHandle | null = null;
  // Of the request that is being read, or was read last.
  private head: RequestHead | null = null;
  private route: Route | null = null;
  private key: string | undefined;
  private body: string | HeldBytes | null = null;
  private bodyBytes = 0;
  private continueDue = false;
  /** Its request is for a stream, which begins when all before it are answered. */
  private streamDue = false;
  /** What comes in is of no interest any more: an answer is the last. */
  private ignoring = false;
  /** That answer has been written. */
  private closing = false;
  private pauses = 0;
  private unread: Buffer | null = null;
  private readonly age: ConnectionAge;

  constructor(
    private readonly host: ConnectionHost,
    readonly socket: Socket,
  ) {
    this.age = new ConnectionAge(host);
  }

  /** Takes what the socket has read. */
  take(bytes: Buffer): void {
    if (this.ignoring || this.replies.gone) return;
    if (this.stream !== null) this.leave(true);
    else if (this.pauses === 0) this.read(bytes);
    else {
      // It was paused by an answer, between two reads.
      this.unread = this.unread === null ? bytes : Buffer.concat([this.unread, bytes]);
      this.socket.pause();
    }
  }

  onHead(head: RequestHead): void {
    const { front } = this.host;
    if (head !== this.head) {
      this.head = head;
      const method = methods[head.method] ?? 'other';
      this.route = front.router.find(method, head.path, head.host, head.origin, head.contentType);
      this.key = this.route.kind === 'messages' ? sessionKeyOf(this.route, head.query) : undefined;
    }
    const route = this.route!;
    this.body = null;
    this.bodyBytes = 0;
    if (head.contentLength > front.limitBytes) return this.refuseBody();
    if (!takesBody(route)) {
      // Nobody asks for this body; and whether it comes all the same cannot be known.
      if (head.expectsContinue) this.refuseBody();
      return;
    }
    this.continueDue = head.expectsContinue;
    const delayMs =
      route.kind === 'mcp' ? front.mcpReadDelayMs(head.mcp) : front.readDelayMs(route.site!, this.key);
    if (delayMs === 0) return;
    this.pause(Pause.delayed);
    setTimeout(() => this.resume(Pause.delayed), delayMs);
  }

  onBody(bytes: Buffer, start: number, end: number): void {
    this.continueDue = false;
    this.bodyBytes += end - start;
    if (this.bodyBytes > this.host.front.limitBytes) return this.refuseBody();
    if (!takesBody(this.route!)) return;
    if (end - start === this.head!.contentLength) {
      this.body = bytes.toString('utf8', start, end);
      return;
    }
    const held = (this.body ??= new HeldBytes()) as HeldBytes;
    held.append(bytes, start, end);
  }

  onEnd(): void {
    const { head, route, replies } = this;
    this.age.restart();
    this.continueDue = false;
    if (isStream(route!)) {
      this.streamDue = true;
      if (replies.waiting > 0) this.pause(Pause.streamDue);
      else this.openStream();
      return;
    }
    if (!head!.keepAlive) this.stopReading();
    this.dispatch(!head!.keepAlive);
    if (replies.waiting >= mostWaiting) this.pause(Pause.crowded);
  }

  onAnswered(): void {
    const { waiting } = this.replies;
    this.age.restart();
    if (waiting === 0 && this.pauses & Pause.streamDue) setImmediate(() => this.resume(Pause.streamDue));
    if (waiting < mostWaiting / 2 && this.pauses & Pause.crowded)
      setImmediate(() => this.resume(Pause.crowded));
    if (waiting === 0 && this.continueDue && !this.replies.gathering) this.askForBody();
  }

  writeReplies(text: string, encoding: 'latin1' | 'utf8', closes: boolean): void {
    const { socket } = this;
    const took = socket.write(text, encoding) || socket.writableLength === 0;
    if (closes) return this.finish();
    if (took) return;
    if (socket.writableLength > this.host.front.limitUnreadBytes) return this.leave(true);
    this.pause(Pause.unread);
  }

  refuseStream(reply: HttpReply): void {
    const { head } = this;
    this.stream = null;
    if (!head!.keepAlive) this.stopReading();
    this.replies.add(head, !head!.keepAlive).answer(reply);
  }

  onStreamEnd(): void {
    this.stream = null;
    this.handle = null;
    this.age.restart();
    if (this.head!.minor === 0 || !this.head!.keepAlive) this.finish();
  }

  /** The peer takes again what is written to it. */
  onDrain(): void {
    if (this.stream === null) {
      this.replies.drained();
      this.resume(Pause.unread);
    } else if (this.stream.drained()) this.handle?.drained();
  }

  /** The peer has gone, or must go; with `cut` at once. */
  leave(cut: boolean, why: 'client' | 'unread' = 'client'): void {
    const { handle } = this;
    this.handle = null;
    this.stream = null;
    this.unread = null;
    this.closing = true;
    this.parser.stop();
    this.replies.leave(why);
    handle?.lost(why);
    if (cut) this.socket.destroy();
    else this.socket.end();
  }

  /** The socket is no more. */
  onClose(): void {
    this.leave(true);
    this.host.forget(this);
  }

  /** Ends it where it has been too long as it is. */
  look(): void {
    const { socket, host, age, replies } = this;
    if (age.stalledTicks(socket) > host.limits.unread) return this.leave(true, 'unread');
    const answers = replies.waiting > 0 && !this.closing;
    if (socket.writableLength > 0 || this.stream !== null || answers || this.pauses !== 0) age.restart();
    else if (age.ticks > this.limit()) this.leave(true);
  }

  /** Nothing more is written. */
  finish(): void {
    this.closing = true;
    this.ignoring = true;
    this.age.restart();
    if (this.parser.idle) return this.socket.destroySoon();
    // What the peer still sends is read and dropped: to a socket that is gone it would be an error, and might cost it the answer.
    this.socket.end();
    this.socket.resume();
  }

  private limit(): number {
    const { limits } = this.host;
    return this.closing ? limits.closing : this.parser.idle ? limits.idle : limits.request;
  }

  private read(bytes: Buffer): void {
    const { parser, replies } = this;
    if (parser.idle) this.age.restart();
    replies.gathering = true;
    let used = 0;
    try {
      // A stream that was refused has stopped the parser, and nothing else is left to wait for.
      do used += parser.feed(used === 0 ? bytes : bytes.subarray(used));
      while (used < bytes.length && this.reads);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.refuseRequest(error);
    }
    if (this.continueDue && replies.waiting === 0) this.askForBody();
    replies.gathering = false;
    replies.flush();
    if (this.ignoring || replies.gone) return;
    if (this.stream !== null) {
      // A stream has no end that a second request could wait for.
      if (used < bytes.length) this.leave(true);
    } else if (this.pauses !== 0) {
      // The buffer is the socket's, and a piece of it would keep all of it.
      this.unread = used < bytes.length ? Buffer.from(bytes.subarray(used)) : null;
      this.socket.pause();
    }
  }

  private get reads(): boolean {
    return this.pauses === 0 && this.stream === null && !this.ignoring && !this.replies.gone;
  }

  private pause(why: number): void {
    this.pauses |= why;
    this.parser.stop();
  }

  private resume(why: number): void {
    if ((this.pauses & why) === 0) return;
    this.pauses &= ~why;
    if (this.pauses !== 0 || this.ignoring || this.replies.gone) return;
    this.age.restart();
    const bytes = this.unread ?? nothing;
    this.unread = null;
    if (this.streamDue) this.openStream();
    if (this.stream === null) this.read(bytes);
    else if (bytes.length > 0) this.leave(true);
    if (this.pauses === 0) this.socket.resume();
  }

  private dispatch(closes: boolean): void {
    const { head, route, body } = this;
    const { front } = this.host;
    const exchange = this.replies.add(head, closes);
    this.body = null;
    if (takesBody(route!)) {
      const text = body === null ? '' : typeof body === 'string' ? body : body.text();
      if (route!.kind === 'mcp') front.receiveMcp(exchange, head!.mcp, text, this.bodyBytes);
      else front.receive(exchange, route!, this.key, text, this.bodyBytes);
    } else if (route!.kind === 'mcp-end') front.endMcp(exchange, head!.mcp);
    else front.answerPlain(route!, head!.query, exchange);
  }

  /** Answers a request whose body is not read to its end, and with that the connection. */
  private refuseBody(): void {
    this.body = null;
    this.stopReading();
    const { route } = this;
    const exchange = this.replies.add(this.head, true);
    if (takesBody(route!)) this.host.front.refuseTooLarge(exchange, route!);
    else if (isStream(route!)) exchange.answer(httpReply(413));
    else this.host.front.answerPlain(route!, this.head!.query, exchange);
  }

  private refuseRequest({ status, message }: RequestError): void {
    this.stopReading();
    this.replies.add(null, true).answer(httpReply(status, `${message}\n`));
  }

  private stopReading(): void {
    this.ignoring = true;
    this.continueDue = false;
    this.unread = null;
    this.parser.stop();
  }

  private askForBody(): void {
    this.continueDue = false;
    this.replies.putInterim('HTTP/1.1 100 Continue\r\n\r\n');
  }

  private openStream(): void {
    const { head, route } = this;
    this.streamDue = false;
    this.replies.flush();
    this.parser.stop();
    this.stream = new StreamWriter(this, head!.minor);
    const { front } = this.host;
    this.handle =
      route!.kind === 'mcp-stream'
        ? front.openMcp(head!.mcp, this.stream)
        : front.open(route!, head!.host, this.stream);
  }
}

const methods: Record<string, RouteMethod> = { POST: 'post', GET: 'get', DELETE: 'delete' };

function takesBody({ kind }: Route): boolean {
  return kind === 'messages' || kind === 'mcp';
}

function isStream({ kind }: Route): boolean {
  return kind === 'stream' || kind === 'mcp-stream';
}
