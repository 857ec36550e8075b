import type { BodyHead, BodyReader, StreamSink } from '../sessions/stream.js';
import type { BodyPost } from '../http/post.js';
import type { HttpReply } from '../http/http-reply.js';
import { countedElsewhere } from '../http/post.js';
import type { ThreadLink } from './thread-link.js';

/** A stream that is written here and held by another thread. */
export class RemoteSink implements StreamSink {
  /** Its reader is behind, as the other thread has said. */
  blocked = false;

  constructor(
    private readonly link: ThreadLink,
    private readonly ref: number,
    private readonly ended: () => void,
  ) {}

  refuse(reply: HttpReply): void {
    this.ended();
    this.link.send({ kind: 'refused', ref: this.ref, reply });
  }

  start(head: BodyHead): void {
    this.link.send({ kind: 'start', ref: this.ref, head });
  }

  write(chunk: string | Uint8Array): boolean {
    this.link.send({ kind: 'write', ref: this.ref, chunk });
    return !this.blocked;
  }

  end(last?: string): void {
    this.ended();
    this.link.send({ kind: 'end', ref: this.ref, how: 'end', ...(last === undefined ? {} : { last }) });
  }

  destroy(): void {
    this.ended();
    this.link.send({ kind: 'end', ref: this.ref, how: 'destroy' });
  }
}

/** A POST that is answered here and held by another thread. */
export class RemotePost implements BodyPost {
  whenGone: (() => void) | undefined;
  private reader: BodyReader | null = null;
  private sink: RemoteSink | null = null;

  constructor(
    private readonly link: ThreadLink,
    private readonly ref: number,
    private readonly ended: () => void,
  ) {}

  answer(reply: HttpReply): number {
    this.ended();
    this.link.send({ kind: 'reply', ref: this.ref, reply });
    return countedElsewhere;
  }

  begin(head: BodyHead, reader: BodyReader): StreamSink {
    this.reader = reader;
    this.link.send({ kind: 'begin', ref: this.ref, head });
    this.sink = new RemoteSink(this.link, this.ref, this.ended);
    return this.sink;
  }

  block(): void {
    if (this.sink !== null) this.sink.blocked = true;
  }

  drained(): void {
    if (this.sink !== null) this.sink.blocked = false;
    this.reader?.drained();
  }

  /** Its client has gone. */
  lost(why: 'client' | 'unread'): void {
    this.ended();
    this.reader?.lost(why);
    this.whenGone?.();
  }
}
