import type { Socket } from 'node:net';
import type { HttpReply } from './http-reply.js';
import { Exchange } from './exchange.js';
import { plainReplyText, replyText } from './reply-text.js';
import type { WireText } from './reply-text.js';
import type { RequestHead } from './request-head.js';

/** What is gathered of answers before it is written. */
const mostGathered = 64 * 1024;

/** Where a queue puts its answers. */
export interface ReplyOutlet {
  readonly socket: Socket;
  writeReplies(text: string, encoding: 'latin1' | 'utf8', closes: boolean): void;
  /** An answer has left the queue. */
  onAnswered(): void;
  /** Nothing is written any more after what has been. */
  finish(): void;
}

/** The answers of one connection: in the order of their requests, gathered into one write. */
export class ReplyQueue {
  /** Requests without an answer, or with one that waits for that of another. */
  waiting = 0;
  /** There is nobody to answer any more. */
  gone = false;
  /** While a read is being handled all answers go into one write, at its end. */
  gathering = false;
  private first: Exchange | null = null;
  private last: Exchange | null = null;
  private text = '';
  private ascii = true;
  private closes = false;

  constructor(private readonly outlet: ReplyOutlet) {}

  get socket(): Socket {
    return this.outlet.socket;
  }

  isFirst(exchange: Exchange): boolean {
    return exchange === this.first;
  }

  add(head: RequestHead | null, closes: boolean): Exchange {
    const exchange = new Exchange(this, head, closes);
    if (this.last === null) this.first = exchange;
    else this.last.next = exchange;
    this.last = exchange;
    this.waiting++;
    return exchange;
  }

  /** Sends an answer, and those that waited for it; or has it wait. */
  answer(exchange: Exchange, reply: HttpReply): void {
    exchange.reply = reply;
    if (exchange === this.first) this.advance();
  }

  /** An answer that was written piece by piece is complete. */
  ended(exchange: Exchange): void {
    if (this.gone) return;
    this.shift(exchange);
    if (exchange.closes || exchange.head!.minor === 0) this.outlet.finish();
    else this.advance();
  }

  /** The peer takes again what is written to it. */
  drained(): void {
    const writer = this.first?.writer;
    if (writer?.drained()) this.first?.reader?.drained();
  }

  /** Sends all answers whose turn it is. */
  private advance(): void {
    let next = this.first;
    while (next !== null && next.reply !== null && !this.gone) {
      this.shift(next);
      this.put(next, next.reply);
      next = this.first;
    }
    if (!this.gathering || next?.writer) this.flush();
    this.outlet.onAnswered();
    if (!next?.writer || this.gone) return;
    next.writer.release();
    this.drained();
  }

  private shift(exchange: Exchange): void {
    this.first = exchange.next;
    if (this.first === null) this.last = null;
    this.waiting--;
  }

  /** An interim response, where it is its request's turn. */
  putInterim(text: string): void {
    this.text += text;
    if (!this.gathering) this.flush();
  }

  flush(): void {
    const { text } = this;
    if (text === '' || this.gone) return;
    this.text = '';
    const encoding = this.ascii ? 'latin1' : 'utf8';
    this.ascii = true;
    this.outlet.writeReplies(text, encoding, this.closes);
  }

  /** The client has gone: what was not answered never will be. */
  leave(why: 'client' | 'unread' = 'client'): void {
    this.gone = true;
    const { first } = this;
    this.first = null;
    this.last = null;
    for (let exchange = first; exchange !== null; exchange = exchange.next) exchange.leave(why);
    this.waiting = 0;
    this.text = '';
  }

  private put(exchange: Exchange, reply: HttpReply): void {
    const { text, ascii } = textOf(exchange, reply);
    this.text += text;
    this.ascii &&= ascii;
    this.closes = exchange.closes;
    if (this.text.length > mostGathered) this.flush();
  }
}

function textOf({ head, closes }: Exchange, reply: HttpReply): WireText {
  if (head === null) return replyText(reply, { minor: 1, closes, headOnly: false });
  const headOnly = head.method === 'HEAD';
  if (!closes && !headOnly && head.minor === 1) return plainReplyText(reply);
  return replyText(reply, { minor: head.minor, closes, headOnly });
}
