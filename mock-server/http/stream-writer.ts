import type { Socket } from 'node:net';
import type { HttpReply } from './http-reply.js';
import type { StreamSink } from '../sessions/stream.js';
import { streamHead } from './reply-text.js';

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

  constructor(
    private readonly owner: StreamOwner,
    private readonly minor: 0 | 1,
  ) {}

  refuse(reply: HttpReply): void {
    this.owner.refuseStream(reply);
  }

  write(chunk: string | Uint8Array): boolean {
    const { socket } = this.owner;
    if (socket.destroyed) return true;
    const bytes = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    let head = this.minor === 0 ? '' : `${bytes.toString(16)}\r\n`;
    const tail = this.minor === 0 ? '' : '\r\n';
    if (!this.started) {
      head = streamHead(this.minor) + head;
      this.started = true;
    }
    if (this.rest.length === 0 && bytes <= pieceBytes) {
      if (typeof chunk !== 'string')
        return this.hand(Buffer.concat([Buffer.from(head), chunk, Buffer.from(tail)]));
      // As Latin-1, ASCII is copied and not looked at.
      if (socket.write(head + chunk + tail, bytes === chunk.length ? 'latin1' : 'utf8')) return true;
      return socket.writableLength === 0;
    }
    const waits = this.rest.length > 0;
    this.rest.push(Buffer.concat([Buffer.from(head), Buffer.from(chunk as Uint8Array), Buffer.from(tail)]));
    return !waits && this.handRest();
  }

  end(): void {
    for (const bytes of this.rest) this.owner.socket.write(bytes);
    this.rest = [];
    if (this.minor === 1) this.owner.socket.write('0\r\n\r\n', 'latin1');
    this.owner.onStreamEnd();
  }

  destroy(): void {
    this.owner.socket.destroy();
  }

  /** The reader has made room; true where it has caught up. */
  drained(): boolean {
    return this.handRest();
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
