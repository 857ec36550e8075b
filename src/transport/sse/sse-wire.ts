import type { Address } from '../http/address.js';
import type { CloseReason } from '../http/close-reason.js';
import type { PostChannel } from '../http/post-channel.js';
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

export interface StreamHandler {
  /** The connection, begun at `sinceNs`, stands (TCP, TLS) and the GET is handed to it. */
  onStreamConnected(atNs: number, sinceNs: number): void;
  /** `note` completes a sentence about the answer where it is of no use, and is '' otherwise. */
  onStreamHead(status: number, contentType: string, note: string, atNs: number): void;
  /** One event; the data is bytes [start, end) of `buffer`, valid only during the call. */
  onStreamEvent(event: string, buffer: Buffer, start: number, end: number, atNs: number): void;
  /** Some bytes came, be it only a comment. */
  onStreamAlive(atNs: number): void;
  /** The stream is over, once; not called after `destroy`. */
  onStreamClosed(reason: CloseReason, atNs: number): void;
}

export interface StreamHandle {
  /** Lets the socket go away at once; the handler hears nothing more. */
  destroy(): void;
}
