import { nowNs } from '../clock.js';
import { Fifo } from '../fifo.js';
import type { Wiring } from './connection.js';
import { PostConnection, type PostConnectionOwner } from './post-connection.js';
import type { CloseReason, OutgoingPost, PostChannel, PostHandler } from './transport.js';

/**
 * Connections with one request each at a time, as real clients do: an idle one is used again, another is opened while the
 * limit allows, and beyond it messages wait their turn.
 */
export class PostPool implements PostConnectionOwner {
  private readonly idle: PostConnection[] = [];
  private readonly all = new Set<PostConnection>();
  private connecting = 0;
  private readonly waiting = new Fifo<OutgoingPost>();
  private closed = false;

  constructor(
    private readonly wiring: Wiring,
    private readonly limit: number,
    private readonly perSession: boolean,
  ) {}

  submit(post: OutgoingPost): void {
    if (this.closed) {
      post.handler.onPostFailed(true, 'the session ended', nowNs());
      return;
    }
    const connection = this.waiting.length === 0 ? this.takeIdle() : undefined;
    if (connection !== undefined) {
      connection.sendOne(post);
      return;
    }
    this.waiting.push(post);
    this.grow();
  }

  withdraw(handler: PostHandler): boolean {
    return this.waiting.remove((post) => post.handler === handler).length > 0;
  }

  giveUp(handler: PostHandler): void {
    if (this.withdraw(handler)) return;
    for (const connection of this.all) {
      if (!connection.owes(handler)) continue;
      this.all.delete(connection);
      connection.destroy();
      this.grow();
      return;
    }
  }

  /** Fails the messages that no socket has been given yet: of one session, or all. */
  private failUnsent(channel: PostChannel | null, message: string): void {
    const unsent =
      channel === null ? this.waiting.takeAll() : this.waiting.remove((post) => post.channel === channel);
    const atNs = nowNs();
    for (const { handler } of unsent) handler.onPostFailed(true, message, atNs);
  }

  /** Ends one session's part in it: a connection that owes it an answer might wait for that for ever. */
  leave(channel: PostChannel): void {
    this.failUnsent(channel, 'the session ended');
    for (const connection of this.all) {
      if (!connection.owesTo(channel)) continue;
      this.all.delete(connection);
      connection.destroy();
    }
    this.grow();
  }

  destroy(): void {
    this.closed = true;
    this.failUnsent(null, 'the session ended');
    for (const connection of this.all) connection.destroy();
    this.all.clear();
    this.idle.length = 0;
  }

  onConnectionOpen(connection: PostConnection): void {
    this.connecting--;
    this.onConnectionAnswered(connection);
  }

  onConnectionAnswered(connection: PostConnection): void {
    if (!connection.usable) return;
    const next = this.waiting.shift();
    if (next === undefined) this.idle.push(connection);
    else connection.sendOne(next);
  }

  onConnectionGone(connection: PostConnection, reason: CloseReason): void {
    this.all.delete(connection);
    const at = this.idle.indexOf(connection);
    if (at >= 0) this.idle.splice(at, 1);
    if (!connection.hasStood) this.connecting--;
    if (!connection.hasStood && this.all.size === 0) this.failUnsent(null, reason.message);
    else this.grow();
  }

  private grow(): void {
    while (this.connecting < this.waiting.length && this.all.size < this.limit && !this.closed) {
      if (this.perSession && this.all.size > 0) this.wiring.traffic.extraConnections++;
      this.connecting++;
      this.all.add(new PostConnection(this.wiring, this));
    }
  }

  private takeIdle(): PostConnection | undefined {
    for (;;) {
      const connection = this.idle.pop();
      if (connection === undefined) return undefined;
      if (connection.usable && !connection.isStale(nowNs())) return connection;
      this.all.delete(connection);
      connection.destroy();
    }
  }
}

/** One session's door to a pool: its own (`serial`) or the one of all sessions (`shared`). */
export class PoolChannel implements PostChannel {
  constructor(
    private readonly pool: PostPool,
    /** Everything of a request up to the value of Content-Length. */
    private readonly head: string,
    private readonly ownsPool: boolean,
  ) {}

  post(body: string, handler: PostHandler, ascii = false): void {
    this.pool.submit({ head: this.head, body, ascii, handler, channel: this });
  }

  withdraw(handler: PostHandler): boolean {
    return this.pool.withdraw(handler);
  }

  giveUp(handler: PostHandler): void {
    this.pool.giveUp(handler);
  }

  destroy(): void {
    if (this.ownsPool) this.pool.destroy();
    else this.pool.leave(this);
  }
}
