import type { BodyHead, BodyReader, StreamSink } from '../sessions/stream.js';
import type { HttpReply } from './http-reply.js';

/** What `Post.answer` returns where the answer goes to another thread, which will know what became of it and counts it. */
export const countedElsewhere = -1;

/** One POST as an engine holds it. It is answered at most once, or never. */
export interface Post {
  /** The status that the client got; 0 where it had gone already. */
  answer(reply: HttpReply): number;
  /** Called when the client goes before it got an answer. */
  whenGone?: (() => void) | undefined;
}

/** A POST that may also be answered piece by piece, in its own body. */
export interface BodyPost extends Post {
  /** Begins such an answer, of which nothing is sent yet; null where the client has gone. */
  begin(head: BodyHead, reader: BodyReader): StreamSink | null;
}
