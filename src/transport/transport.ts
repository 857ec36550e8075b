import type { Address } from './http/address.js';
import type { Traffic } from './traffic.js';

/** How a session's bytes travel. The engine knows only this; `sse-transport.ts` is the one that ships. */
export interface Transport {
  /** Opens the event stream of one session; the handler hears everything that happens to it. */
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

/** Why a stream or a connection ended. `kind` is stable and counted; `message` is for people. */
export interface CloseReason {
  readonly kind: 'ended' | 'connect' | 'tls' | 'reset' | 'protocol' | 'limit' | 'timeout' | 'internal';
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
  /** Hands over what was posted and could leave: whoever has posted several at once need not wait for the end of the turn. */
  flush(): void;
  /**
   * Gets so many connections ready for messages that are due at `untilNs`: those that may have been dropped for idleness by then are made
   * anew. True where nothing is under way any more. To be called some time before, but no more than two seconds.
   */
  prepare(connections: number, untilNs: number): boolean;
  /** Takes back a message that has not been handed to a socket; false where it has. */
  withdraw(handler: PostHandler): boolean;
  /** Stops waiting for the status of a message: a connection that owes nothing else is let go. */
  giveUp(handler: PostHandler): void;
  /** Ends the channel: messages not yet handed over fail as unsent, connections close; of shared ones those that owe it an answer. */
  destroy(): void;
}

/** A message on its way: all of the request up to the value of Content-Length (ASCII), the body, who sends it and who wants to know. */
export interface OutgoingPost {
  readonly head: string;
  readonly body: string;
  /** The body is known to hold nothing but ASCII. */
  readonly ascii: boolean;
  readonly handler: PostHandler;
  readonly channel: PostChannel;
}

export interface PostHandler {
  /** The bytes were handed to the socket of a connection that was asked for at `askedNs`, stood at `stoodNs` and was free for them since `freeNs`. */
  onPostSent(atNs: number, askedNs: number, stoodNs: number, freeNs: number): void;
  /**
   * The status line came; for a 2xx with a JSON body `onPostBody` follows. `note` completes a sentence about the answer where
   * it is of no use, and is '' otherwise.
   */
  onPostStatus(status: number, note: string, atNs: number): void;
  /** A JSON body of a 2xx answer, whole; valid only during the call. */
  onPostBody(body: Buffer, atNs: number): void;
  /** No status will come. `unsent`: not one byte of it left, so that it may be counted as never sent. */
  onPostFailed(unsent: boolean, message: string, atNs: number): void;
}
