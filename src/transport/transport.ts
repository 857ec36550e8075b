import type { Address } from './address.js';

/** How a session's bytes travel. The engine knows only this; `sse-transport.ts` is the one that ships. */
export interface Transport {
  /** Opens the event stream of one session; the handler hears everything that happens to it. */
  openStream(path: string, handler: StreamHandler): StreamHandle;
  /** The way for one session's POSTs to `path`, as the POST policy wants it; to another address than the stream's where one is given. */
  openPosts(path: string, address: Address | null): PostChannel;
  readonly traffic: Traffic;
  /** Ends whatever outlives a session: shared connections. */
  close(): void;
}

/** What went over the wire and what it took. */
export interface Traffic {
  bytesIn: number;
  bytesOut: number;
  connectRetries: number;
  /** POST connections opened beyond a session's first: its others still owed an answer. */
  extraConnections: number;
  /** Connections lost to this machine's own limits: descriptors, ports. */
  limitsHit: Record<string, number>;
}

export interface StreamHandler {
  /** The connection, begun at `sinceNs`, stands (TCP, TLS) and the GET is handed to it. */
  onStreamConnected(atNs: number, sinceNs: number): void;
  onStreamHead(status: number, contentType: string, atNs: number): void;
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

/** Why a stream or a connection ended. `kind` is stable and counted; `message` is for people. */
export interface CloseReason {
  readonly kind: 'ended' | 'connect' | 'tls' | 'reset' | 'protocol' | 'limit' | 'timeout';
  readonly message: string;
  /** An unfinished event was dropped. */
  readonly truncated: boolean;
}

export interface PostChannel {
  /**
   * Sends one message as soon as the policy allows; what becomes of it is told to the handler. `ascii` promises that the body holds
   * nothing else, so that nobody needs to count its bytes.
   */
  post(body: string, handler: PostHandler, ascii?: boolean): void;
  /** Takes back a message that has not been handed to a socket; false where it has. */
  withdraw(handler: PostHandler): boolean;
  /** Stops waiting for the status of a message: a connection that owes nothing else is let go. */
  giveUp(handler: PostHandler): void;
  /** Ends the channel: messages not yet handed over fail as unsent, connections close; of shared ones those that owe it an answer. */
  destroy(): void;
}

/** A message on its way: all of the request up to the value of Content-Length, the body, who sends it and who wants to know. */
export interface OutgoingPost {
  readonly head: string;
  readonly body: string;
  /** The body is known to hold nothing but ASCII. */
  readonly ascii: boolean;
  readonly handler: PostHandler;
  readonly channel: PostChannel;
}

export interface PostHandler {
  /** The bytes were handed to the socket. */
  onPostSent(atNs: number): void;
  /** The status line came; for a 2xx with a JSON body `onPostBody` follows. */
  onPostStatus(status: number, atNs: number): void;
  /** A JSON body of a 2xx answer, whole; valid only during the call. */
  onPostBody(body: Buffer, atNs: number): void;
  /** No status will come. `unsent`: not one byte of it left, so that it may be counted as never sent. */
  onPostFailed(unsent: boolean, message: string, atNs: number): void;
}
