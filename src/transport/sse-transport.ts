import type { PostsPlan } from '../scenario/plan.js';
import type { Address } from './address.js';
import type { Wiring } from './connection.js';
import { EventStream } from './event-stream.js';
import { PipelinedPosts } from './pipelined-posts.js';
import { PoolChannel, PostPool } from './post-pool.js';
import type { PostChannel, StreamHandle, StreamHandler, Traffic, Transport } from './transport.js';

/** HTTP+SSE over our own sockets: a GET per session for its events, POSTs as the policy wants them. */
export class SseTransport implements Transport {
  private readonly headerLines: string;
  /** The scenario's own `Host`, in place of the URL's; a request may have but one. */
  private readonly host: string | undefined;
  private readonly sharedPool: PostPool | null;

  constructor(
    private readonly wiring: Wiring,
    headers: Readonly<Record<string, string>>,
    private readonly posts: PostsPlan,
    /** Connections that a session of the `serial` policy may have. */
    private readonly connectionsPerSession: number,
    /** Finds the way to an endpoint of another origin, where that is allowed. */
    private readonly wiringFor: (address: Address) => Wiring,
  ) {
    const own = Object.entries(headers);
    const isHost = ([name]: [string, string]): boolean => name.toLowerCase() === 'host';
    this.host = own.find(isHost)?.[1];
    this.headerLines = own
      .filter((header) => !isHost(header))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    this.sharedPool = posts.mode === 'shared' ? new PostPool(wiring, posts.connections, false) : null;
  }

  get traffic(): Traffic {
    return this.wiring.traffic;
  }

  openStream(path: string, handler: StreamHandler): StreamHandle {
    const request =
      `GET ${path} HTTP/1.1\r\nHost: ${this.host ?? this.wiring.peer.address.hostHeader}\r\nAccept: text/event-stream\r\n` +
      `Accept-Encoding: identity\r\nCache-Control: no-cache\r\nConnection: keep-alive\r\n${this.headerLines}\r\n`;
    return new EventStream(this.wiring, request, handler);
  }

  openPosts(path: string, address: Address | null): PostChannel {
    const wiring = address === null ? this.wiring : this.wiringFor(address);
    const head =
      `POST ${path} HTTP/1.1\r\nHost: ${this.host ?? wiring.peer.address.hostHeader}\r\nAccept: application/json, text/event-stream\r\n` +
      `Content-Type: application/json\r\n${this.headerLines}Content-Length: `;
    if (this.posts.mode === 'pipelined') return new PipelinedPosts(wiring, head, this.posts.connections);
    if (this.sharedPool !== null && address === null) return new PoolChannel(this.sharedPool, head, false);
    return new PoolChannel(new PostPool(wiring, this.connectionsPerSession, true), head, true);
  }

  close(): void {
    this.sharedPool?.destroy();
  }
}
