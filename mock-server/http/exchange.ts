import type { HttpReply } from './http-reply.js';
import type { Post } from './post.js';
import type { ReplyQueue } from './reply-queue.js';
import type { RequestHead } from './request-head.js';

/** One request of a connection and its answer, which waits until all before it have theirs. */
export class Exchange implements Post {
  next: Exchange | null = null;
  /** The answer, for as long as it waits. */
  reply: HttpReply | null = null;
  whenGone: (() => void) | undefined;
  private answered = false;

  constructor(
    private readonly queue: ReplyQueue,
    /** Null for bytes that were no request. */
    readonly head: RequestHead | null,
    /** The connection ends after its answer. */
    readonly closes: boolean,
  ) {}

  answer(reply: HttpReply): number {
    if (this.answered || this.queue.gone) return 0;
    this.answered = true;
    this.queue.answer(this, reply);
    return reply.status;
  }
}
