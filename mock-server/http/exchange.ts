import type { Socket } from 'node:net';
import type { BodyHead, BodyReader, StreamSink } from '../sessions/stream.js';
import type { HttpReply } from './http-reply.js';
import type { BodyPost } from './post.js';
import type { ReplyQueue } from './reply-queue.js';
import type { RequestHead } from './request-head.js';
import { StreamWriter } from './stream-writer.js';
import type { StreamOwner } from './stream-writer.js';

/** One request of a connection and its answer, which waits until all before it have theirs. */
export class Exchange implements BodyPost, StreamOwner {
  next: Exchange | null = null;
  /** The answer, for as long as it waits. */
  reply: HttpReply | null = null;
  /** Or an answer that is written piece by piece, and who is told of it. */
  writer: StreamWriter | null = null;
  reader: BodyReader | null = null;
  whenGone: (() => void) | undefined;
  private answered = false;

  constructor(
    private readonly queue: ReplyQueue,
    /** Null for bytes that were no request. */
    readonly head: RequestHead | null,
    /** The connection ends after its answer. */
    readonly closes: boolean,
  ) {}

  get socket(): Socket {
    return this.queue.socket;
  }

  answer(reply: HttpReply): number {
    if (this.answered || this.queue.gone) return 0;
    this.answered = true;
    this.queue.answer(this, reply);
    return reply.status;
  }

  begin(head: BodyHead, reader: BodyReader): StreamSink | null {
    if (this.answered || this.queue.gone) return null;
    this.answered = true;
    this.reader = reader;
    this.writer = new StreamWriter(this, this.head!.minor, head, !this.queue.isFirst(this));
    this.queue.flush();
    return this.writer;
  }

  refuseStream(): void {
    throw new Error('an answer that has begun cannot be refused');
  }

  onStreamEnd(): void {
    this.writer = null;
    this.reader = null;
    this.queue.ended(this);
  }

  /** Its client has gone, or did not read. */
  leave(why: 'client' | 'unread'): void {
    const { reader } = this;
    this.reader = null;
    this.writer = null;
    reader?.lost(why);
    this.whenGone?.();
  }
}
