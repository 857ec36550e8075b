import type { HttpReply } from './http-reply.js';

/** One POST as an engine holds it. It is answered at most once, or never. */
export interface Post {
  /** The status that the client got; 0 where it had gone already. */
  answer(reply: HttpReply): number;
}
