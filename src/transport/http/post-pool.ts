import { nowNs } from '../../clock.js';
import { Fifo } from '../../fifo.js';
import type { Wiring } from './connection.js';
import { PostConnection, type PostConnectionOwner } from './post-connection.js';
import type { Outgoing } from '../transport.js';
import type { CloseReason } from './close-reason.js';
import { AcceptedPost } from './accepted-post.js';
import type { PendingPost, PostChannel } from './post-channel.js';

/** Who hears how the connections of a pool fare. */
export interface PoolWatcher {
  /** One stands, whose making began at `sinceNs`. */
  onConnected(sinceNs: number, stoodNs: number): void;
  /** None stands, and none could be made. */
  onUnreachable(reason: CloseReason): void;
}

/**
 * Connections with one request each at a time, as real clients do: an idle one is used again, another is opened while the
 * limit allows, and beyond it messages wait their turn.
 */
export class PostPool implements PostConnectionOwner {
  private readonly idle: PostConnection[] = [];
  private readonly all = new Set<PostConnection>();
  private connecting = 0;
  /** What it was last made ready for: of the sessions that share it each asks. */
  private readonly prepared = { untilNs: 0, connections: 0 };
  /** Connections that had stood, are gone, and have not been replaced. */
  private lost = 0;
  private readonly waiting = new Fifo<PendingPost>();
  private closed = false;
  /** What one of them has received is being read. */
  private isReading = false;

  constructor(
    private readonly wiring: Wiring,
    private readonly limit: number,
    private readonly perSession: boolean,
    private readonly watcher: PoolWatcher | null = null,
  ) {}

  /** Makes the first connection before there is anything to send. */
  start(): void {
    this.connectOne();
  }

  submit(post: PendingPost): void {
    if (this.closed) {
      post.onLost(true, 'the session ended', nowNs());
      return;
    }
    // What is sent because of what is being read waits for the end of that: the connection which is read may be free by then.
    const connection = this.waiting.length === 0 && !this.isReading ? this.takeIdle() : undefined;
    if (connection !== undefined) {
      connection.sendOne(post);
      return;
    }
    this.waiting.push(post);
    if (!this.isReading) this.grow();
  }

  withdraw(by: object): boolean {
    return this.waiting.remove((post) => post.by === by).length > 0;
  }

  giveUp(by: object): void {
    if (this.withdraw(by)) return;
    for (const connection of this.all) {
      if (!connection.owes(by)) continue;
      this.all.delete(connection);
      connection.destroy();
      this.grow();
      return;
    }
  }

  /** See PostChannel; no more connections than the limit allows. */
  prepare(connections: number, untilNs: number): boolean {
    const { prepared } = this;
    const unchanged = untilNs === prepared.untilNs && this.all.size === prepared.connections;
    if (this.closed || (unchanged && this.connecting === 0)) return true;
    for (let i = this.idle.length - 1; i >= 0; i--) {
      const connection = this.idle[i];
      if (connection.usable && !connection.isStale(untilNs)) continue;
      this.idle.splice(i, 1);
      this.letGo(connection);
    }
    while (this.all.size < Math.min(connections, this.limit)) this.connectOne();
    prepared.untilNs = untilNs;
    prepared.connections = this.all.size;
    return this.connecting === 0;
  }

  /** Fails the messages that no socket has been given yet: of one session, or all. */
  private failUnsent(channel: object | null, message: string): void {
    const unsent =
      channel === null ? this.waiting.takeAll() : this.waiting.remove((post) => post.channel === channel);
    const atNs = nowNs();
    for (const post of unsent) post.onLost(true, message, atNs);
  }

  /** Ends one session's part in it: a connection that owes it an answer might wait for that for ever. */
  leave(channel: object): void {
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
    if (this.watcher === null) return;
    const { sinceNs, stoodNs } = connection.making;
    this.watcher.onConnected(sinceNs, stoodNs);
  }

  onConnectionAnswered(connection: PostConnection): void {
    if (!connection.usable) return;
    const next = this.waiting.shift();
    if (next === undefined) this.idle.push(connection);
    else connection.sendOne(next);
  }

  onConnectionReading(isReading: boolean): void {
    this.isReading = isReading;
    if (isReading) return;
    while (this.waiting.length > 0) {
      const connection = this.takeIdle();
      if (connection === undefined) return this.grow();
      connection.sendOne(this.waiting.shift()!);
    }
  }

  onConnectionGone(connection: PostConnection, reason: CloseReason): void {
    this.all.delete(connection);
    const at = this.idle.indexOf(connection);
    if (at >= 0) this.idle.splice(at, 1);
    if (connection.hasStood) {
      this.lost++;
      return this.grow();
    }
    this.connecting--;
    // Not replaced while others try: where none can stand, that would go on for ever.
    if (this.all.size > 0) return;
    this.watcher?.onUnreachable(reason);
    this.failUnsent(null, reason.message);
  }

  private grow(): void {
    while (this.connecting < this.waiting.length && this.all.size < this.limit && !this.closed) {
      this.connectOne();
    }
  }

  private connectOne(): void {
    if (this.lost > 0) {
      this.lost--;
      this.wiring.traffic.reconnected++;
    } else if (this.perSession && this.all.size > 0) this.wiring.traffic.extraConnections++;
    this.connecting++;
    this.all.add(new PostConnection(this.wiring, this));
  }

  private takeIdle(): PostConnection | undefined {
    for (;;) {
      const connection = this.idle.pop();
      if (connection === undefined) return undefined;
      if (connection.usable && !connection.isStale(nowNs())) return connection;
      this.letGo(connection);
    }
  }

  private letGo(connection: PostConnection): void {
    this.all.delete(connection);
    connection.destroy();
    this.lost++;
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

  post(body: string, by: Outgoing, ascii = false): void {
    this.pool.submit(new AcceptedPost(this.head, body, ascii, by, this));
  }

  // Whatever could leave has left.
  flush(): void {}

  prepare(connections: number, untilNs: number): boolean {
    // Where each session is to send several at once, all that may be shared will be needed.
    return this.pool.prepare(this.ownsPool || connections === 1 ? connections : Infinity, untilNs);
  }

  withdraw(by: Outgoing): boolean {
    return this.pool.withdraw(by);
  }

  giveUp(by: Outgoing): void {
    this.pool.giveUp(by);
  }

  destroy(): void {
    if (this.ownsPool) this.pool.destroy();
    else this.pool.leave(this);
  }
}
