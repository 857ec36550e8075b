import { httpReply } from './http-reply.js';
import type { HttpReply } from './http-reply.js';
import { countedElsewhere } from './post.js';
import type { Post } from './post.js';
import type { Site } from '../protocol/site.js';
import type { Stats } from '../stats.js';

/** Answers POSTs and counts the answers. */
export class Answers {
  constructor(private readonly stats: Stats) {}

  answer(post: Post, reply: HttpReply): void {
    this.reached(post, reply);
  }

  /** The same, saying whether there was still somebody to answer. */
  reached(post: Post, reply: HttpReply): boolean {
    const status = post.answer(reply);
    if (status === 0) this.stats.postsAborted++;
    else if (status !== countedElsewhere) this.stats.answered(status);
    return status !== 0;
  }

  /** Accepts a POST as its site does; with `members`, the response stands in the body too. */
  accept(post: Post, site: Site, members?: string): void {
    const { accepted } = site;
    if (members === undefined) this.answer(post, accepted);
    else this.answer(post, httpReply(accepted.status, `{"jsonrpc":"2.0",${members}}`, 'application/json'));
  }
}
