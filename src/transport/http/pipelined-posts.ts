import { nowNs } from '../../clock.js';
import type { Wiring } from './connection.js';
import { PostConnection, type PostConnectionOwner } from './post-connection.js';
import type { Outgoing } from '../transport.js';
import type { CloseReason } from './close-reason.js';
import { AcceptedPost } from './accepted-post.js';
import type { PendingPost, PostChannel } from './post-channel.js';
import type { Gatherer } from '../turn.js';

/**
 * Several requests in one write: what a session posts within a loop turn goes out together, spread over a fixed number of
 * connections, without waiting for answers. For servers known to allow it.
 */
export class PipelinedPosts implements PostChannel, PostConnectionOwner, Gatherer {
  private readonly open: PostConnection[] = [];
  private readonly all = new Set<PostConnection>();
  private waiting: PendingPost[] = [];
  private flushing = false;
  /** Connections that had stood, are gone, and have not been replaced. */
  private lost = 0;
  private next = 0;
  private closed = false;

  constructor(
    private readonly wiring: Wiring,
    private readonly head: string,
    private readonly connections: number,
  ) {}

  post(body: string, by: Outgoing, ascii = false): void {
    if (this.closed) {
      by.onFailed(true, 'the session ended', nowNs());
      return;
    }
    this.waiting.push(new AcceptedPost(this.head, body, ascii, by, this));
    this.flushSoon();
  }

  flush(): void {
    this.flushing = false;
    if (this.waiting.length === 0) return;
    const connection = this.takeOpen();
    if (this.all.size < this.connections) this.connectMissing();
    if (connection === undefined) return;
    const posts = this.waiting;
    this.waiting = [];
    connection.send(posts);
  }

  prepare(_connections: number, untilNs: number): boolean {
    if (this.closed) return true;
    for (const connection of this.open.filter((each) => each.isStale(untilNs))) this.letGo(connection);
    this.connectMissing();
    return this.open.length === this.all.size;
  }

  withdraw(by: Outgoing): boolean {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((post) => post.by !== by);
    return this.waiting.length < before;
  }

  giveUp(by: Outgoing): void {
    // The connection stays: other messages on it may still be answered.
    this.withdraw(by);
  }

  destroy(): void {
    this.closed = true;
    this.failUnsent('the session ended');
    for (const connection of this.all) connection.destroy();
    this.all.clear();
    this.open.length = 0;
  }

  onConnectionOpen(connection: PostConnection): void {
    this.open.push(connection);
    if (this.waiting.length > 0) this.flushSoon();
  }

  onConnectionAnswered(connection: PostConnection): void {
    if (!connection.usable) this.forget(connection);
  }

  // What is sent meanwhile leaves at the end of the turn.
  onConnectionReading(): void {}

  onConnectionGone(connection: PostConnection, reason: CloseReason): void {
    this.all.delete(connection);
    this.forget(connection);
    if (connection.hasStood) {
      this.lost++;
      if (this.waiting.length > 0) this.flushSoon();
    } else if (this.all.size === 0) {
      // Not replaced while others try: where none can stand, that would go on for ever.
      this.failUnsent(reason.message);
    }
  }

  private takeOpen(): PostConnection | undefined {
    for (;;) {
      const connection = this.open[this.next++ % this.open.length];
      if (connection === undefined) return undefined;
      if (connection.usable && !connection.isStale(nowNs())) return connection;
      if (connection.owed > 0) this.forget(connection);
      else this.letGo(connection);
    }
  }

  private letGo(connection: PostConnection): void {
    this.forget(connection);
    this.all.delete(connection);
    connection.destroy();
    this.lost++;
  }

  private flushSoon(): void {
    if (this.flushing) return;
    this.flushing = true;
    this.wiring.turn.flushLater(this);
  }

  private connectMissing(): void {
    while (this.all.size < this.connections) {
      if (this.lost > 0) {
        this.lost--;
        this.wiring.traffic.reconnected++;
      }
      this.all.add(new PostConnection(this.wiring, this));
    }
  }

  private forget(connection: PostConnection): void {
    const at = this.open.indexOf(connection);
    if (at >= 0) this.open.splice(at, 1);
  }

  private failUnsent(message: string): void {
    const unsent = this.waiting;
    this.waiting = [];
    const atNs = nowNs();
    for (const post of unsent) post.onLost(true, message, atNs);
  }
}
