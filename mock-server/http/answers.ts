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
    const status = post.answer(reply);
    if (status === countedElsewhere) return;
    if (status === 0) this.stats.postsAborted++;
    else this.stats.answered(status);
  }

  /** Accepts a POST as its site does; with `members`, the response stands in the body too. */
  accept(post: Post, site: Site, members?: string): void {
    const { accepted } = site;
    if (members === undefined) return this.answer(post, accepted);
    this.answer(post, httpReply(accepted.status, `{"jsonrpc":"2.0",${members}}`, 'application/json'));
  }
}
