import type { PostsPlan } from '../../scenario/plan.js';
import type { Wiring } from '../http/connection.js';
import { EventStream } from '../http/event-stream.js';
import type { PendingPost } from '../http/post-channel.js';
import { type PoolWatcher, PostPool } from '../http/post-pool.js';
import { type MoreHeaders, RequestHeads } from '../http/request-heads.js';
import type { StreamHandle, StreamHandler } from '../http/stream-handler.js';
import type { Traffic } from '../traffic.js';
import type { RequestWay, StreamableWire } from './streamable-wire.js';

/** Streamable HTTP over our own sockets, one request per connection at a time. */
export class StreamableSockets implements StreamableWire {
  private readonly heads: RequestHeads;
  private readonly shared: PostPool | null;

  constructor(
    private readonly wiring: Wiring,
    headers: Readonly<Record<string, string>>,
    posts: PostsPlan,
    /** Connections that a session of the `serial` policy may have. */
    private readonly connectionsPerSession: number,
  ) {
    this.heads = new RequestHeads(headers);
    this.shared = posts.mode === 'shared' ? new PostPool(wiring, posts.connections, false) : null;
  }

  get traffic(): Traffic {
    return this.wiring.traffic;
  }

  openRequests(watcher: PoolWatcher): RequestWay {
    if (this.shared !== null) return new PoolWay(this.shared, false);
    const pool = new PostPool(this.wiring, this.connectionsPerSession, true, watcher);
    pool.start();
    return new PoolWay(pool, true);
  }

  openStream(path: string, headers: MoreHeaders, handler: StreamHandler): StreamHandle {
    return new EventStream(this.wiring, this.heads.stream(path, this.wiring.peer.address, headers), handler);
  }

  postHead(path: string, headers: MoreHeaders): string {
    return this.heads.post(path, this.wiring.peer.address, headers);
  }

  deleteHead(path: string, headers: MoreHeaders): string {
    return this.heads.delete(path, this.wiring.peer.address, headers);
  }

  close(): void {
    this.shared?.destroy();
  }
}

class PoolWay implements RequestWay {
  constructor(
    private readonly pool: PostPool,
    readonly own: boolean,
  ) {}

  submit(post: PendingPost): void {
    this.pool.submit(post);
  }

  prepare(messages: number, untilNs: number): boolean {
    // Where each session is to send several at once, all that may be shared will be needed.
    return this.pool.prepare(this.own || messages === 1 ? messages : Infinity, untilNs);
  }

  withdraw(by: object): boolean {
    return this.pool.withdraw(by);
  }

  giveUp(by: object): void {
    this.pool.giveUp(by);
  }

  leave(channel: object): void {
    if (this.own) this.pool.destroy();
    else this.pool.leave(channel);
  }
}
