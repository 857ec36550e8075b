import type { HttpReply } from './http-reply.js';

/** One POST as an engine holds it. It is answered at most once, or never. */
export interface Post {
  /** False where the client had already gone. */
  answer(reply: HttpReply): boolean;
}
