import type { Address } from '../http/address.js';
import type { PostChannel } from '../http/post-channel.js';
import type { StreamHandle, StreamHandler } from '../http/stream-handler.js';
import type { Traffic } from '../traffic.js';

/** What carries the streams and POSTs of HTTP+SSE: our own sockets, or, in the tests, another client. */
export interface SseWire {
  /** Opens the event stream of one session; the handler hears everything that happens to it, but nothing before this has returned. */
  openStream(path: string, handler: StreamHandler): StreamHandle;
  /**
   * The way for one session's POSTs to `path`, as the POST policy wants it; to another address than the stream's where one is given.
   * Throws a Failure where there is no way to that address.
   */
  openPosts(path: string, address: Address | null): PostChannel;
  readonly traffic: Traffic;
  /** Ends whatever outlives a session: shared connections. */
  close(): void;
}
