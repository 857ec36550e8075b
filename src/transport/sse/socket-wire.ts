import type { PostsPlan } from '../../scenario/plan.js';
import type { Address } from '../http/address.js';
import type { Wiring } from '../http/connection.js';
import { EventStream } from '../http/event-stream.js';
import type { ForeignOrigins } from '../http/foreign-origins.js';
import { PipelinedPosts } from '../http/pipelined-posts.js';
import { PoolChannel, PostPool } from '../http/post-pool.js';
import { RequestHeads } from '../http/request-heads.js';
import type { Traffic } from '../traffic.js';
import type { PostChannel } from '../http/post-channel.js';
import type { StreamHandle, StreamHandler } from '../http/stream-handler.js';
import type { SseWire } from './sse-wire.js';

/** Streams and POSTs over our own sockets, POSTs as the policy wants them. */
export class SocketWire implements SseWire {
  private readonly heads: RequestHeads;
  /** By origin; only of the policy `shared`. */
  private readonly sharedPools = new Map<Wiring, PostPool>();

  constructor(
    private readonly wiring: Wiring,
    headers: Readonly<Record<string, string>>,
    private readonly posts: PostsPlan,
    /** Connections that a session of the `serial` policy may have. */
    private readonly connectionsPerSession: number,
    private readonly foreign: ForeignOrigins,
  ) {
    this.heads = new RequestHeads(headers);
  }

  get traffic(): Traffic {
    return this.wiring.traffic;
  }

  openStream(path: string, handler: StreamHandler): StreamHandle {
    const request = this.heads.stream(path, this.wiring.peer.address);
    return new EventStream(this.wiring, request, handler);
  }

  openPosts(path: string, address: Address | null): PostChannel {
    const wiring = address === null ? this.wiring : this.foreign.wiringFor(address);
    const head = this.heads.post(path, wiring.peer.address);
    if (this.posts.mode === 'pipelined') return new PipelinedPosts(wiring, head, this.posts.connections);
    if (this.posts.mode === 'shared')
      return new PoolChannel(this.sharedPool(wiring, this.posts.connections), head, false);
    return new PoolChannel(new PostPool(wiring, this.connectionsPerSession, true), head, true);
  }

  close(): void {
    for (const pool of this.sharedPools.values()) pool.destroy();
  }

  private sharedPool(wiring: Wiring, connections: number): PostPool {
    let pool = this.sharedPools.get(wiring);
    if (pool === undefined) {
      pool = new PostPool(wiring, connections, false);
      this.sharedPools.set(wiring, pool);
    }
    return pool;
  }
}
