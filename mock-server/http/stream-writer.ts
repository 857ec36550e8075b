import type { Socket } from 'node:net';
import type { HttpReply } from './http-reply.js';
import { plainStreamHead } from '../sessions/stream.js';
import type { BodyHead, StreamSink } from '../sessions/stream.js';
import { bodyHead } from './reply-text.js';

// What is written in pieces shows by each of them that its reader still takes something.
const pieceBytes = 64 * 1024;

/** What a stream needs of its connection. */
export interface StreamOwner {
  readonly socket: Socket;
  refuseStream(reply: HttpReply): void;
  /** The stream is complete; its connection need not be. */
  onStreamEnd(): void;
}

/** An event stream on a connection: one chunk, and one write, for all that the mock writes at a time. */
export class StreamWriter implements StreamSink {
  private started = false;
  /** What the reader has left no room for yet. */
  private rest: Buffer[] = [];
  private ended = false;

  constructor(
    private readonly owner: StreamOwner,
    private readonly minor: 0 | 1,
    private head: BodyHead = plainStreamHead,
    /** Other answers go before it: until `release` nothing is written. */
    private waits = false,
  ) {}

  refuse(reply: HttpReply): void {
    this.owner.refuseStream(reply);
  }

  start(head: BodyHead): void {
    this.head = head;
    if (this.started || this.owner.socket.destroyed) return;
    const text = this.beginning();
    if (this.waits) this.rest.push(Buffer.from(text, 'latin1'));
    else this.owner.socket.write(text, 'latin1');
  }

  write(chunk: string | Uint8Array): boolean {
    const { socket } = this.owner;
    if (socket.destroyed) return true;
    const bytes = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    const head = this.beginning() + (this.minor === 0 ? '' : `${bytes.toString(16)}\r\n`);
    const tail = this.minor === 0 ? '' : '\r\n';
    if (this.rest.length === 0 && !this.waits && bytes <= pieceBytes) {
      if (typeof chunk !== 'string')
        return this.hand(Buffer.concat([Buffer.from(head), chunk, Buffer.from(tail)]));
      // As Latin-1, ASCII is copied and not looked at.
      if (socket.write(head + chunk + tail, bytes === chunk.length ? 'latin1' : 'utf8')) return true;
      return socket.writableLength === 0;
    }
    const behind = this.waits || this.rest.length > 0;
    this.rest.push(Buffer.concat([Buffer.from(head), Buffer.from(chunk as Uint8Array), Buffer.from(tail)]));
    return !behind && this.handRest();
  }

  end(last?: string): void {
    const { socket } = this.owner;
    this.ended = true;
    const text = this.lastText(last ?? '');
    if (this.waits) this.rest.push(Buffer.from(text));
    else {
      for (const bytes of this.rest) socket.write(bytes);
      this.rest = [];
      if (text !== '') socket.write(text, 'utf8');
      this.owner.onStreamEnd();
    }
  }

  destroy(): void {
    this.owner.socket.destroy();
  }

  /** What went before it has been written. */
  release(): void {
    this.waits = false;
    if (!this.ended) return;
    for (const bytes of this.rest) this.owner.socket.write(bytes);
    this.rest = [];
    this.owner.onStreamEnd();
  }

  /** The reader has made room; true where it has caught up. */
  drained(): boolean {
    return !this.waits && this.handRest();
  }

  private beginning(): string {
    if (this.started) return '';
    this.started = true;
    return bodyHead(this.head, this.minor);
  }

  private lastText(last: string): string {
    const head = this.beginning();
    if (this.minor === 0) return head + last;
    const chunk = last === '' ? '' : `${Buffer.byteLength(last).toString(16)}\r\n${last}\r\n`;
    return `${head}${chunk}0\r\n\r\n`;
  }

  private handRest(): boolean {
    const { rest } = this;
    while (rest.length > 0) {
      const bytes = rest[0]!;
      const isLast = bytes.length <= pieceBytes;
      if (isLast) rest.shift();
      else rest[0] = bytes.subarray(pieceBytes);
      if (!this.hand(isLast ? bytes : bytes.subarray(0, pieceBytes))) return false;
    }
    return true;
  }

  /** False where the reader is behind: then `drain` says when to go on. */
  private hand(bytes: Buffer): boolean {
    const { socket } = this.owner;
    return socket.write(bytes) || socket.writableLength === 0;
  }
}
