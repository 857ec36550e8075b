import type { ResponseHeaders } from '../../wire/http-response-parser.js';
import type { Outgoing } from '../transport.js';

/** The way for one session's POSTs, as the POST policy wants it. */
export interface PostChannel {
  /** Sends one message as soon as the policy allows. `ascii` promises that the body holds nothing else. */
  post(body: string, by: Outgoing, ascii?: boolean): void;
  /** Hands over what was posted and could leave. */
  flush(): void;
  /**
   * Gets so many connections ready for messages that are due at `untilNs`: those that may have been dropped for idleness by then are made
   * anew. True where nothing is under way any more.
   */
  prepare(connections: number, untilNs: number): boolean;
  /** Takes back a message that has not been handed to a socket; false where it has. */
  withdraw(by: Outgoing): boolean;
  /** Stops waiting for the status of a message: a connection that owes nothing else is let go. */
  giveUp(by: Outgoing): void;
  /** Ends the channel: messages not yet handed over fail as unsent, connections close; of shared ones those that owe it an answer. */
  destroy(): void;
}

/** A request that has not left, whose it is, and who reads its answer: it is told of that in this order. */
export interface PendingPost {
  /** All of the request up to the value of Content-Length (ASCII). */
  readonly head: string;
  readonly body: string;
  /** The body is known to hold nothing but ASCII. */
  readonly ascii: boolean;
  /** By whom it is withdrawn or given up: a message, and the session that it belongs to. */
  readonly by: object;
  readonly channel: object;
  /** See Outgoing. */
  onSent(atNs: number, askedNs: number, stoodNs: number, freeNs: number): void;
  onHead(status: number, headers: ResponseHeaders, atNs: number): void;
  /** A piece of the body: bytes [start, end) of `chunk`, which stay as they are until `onPaused` or `onEnd`. */
  onBody(chunk: Buffer, start: number, end: number, atNs: number): void;
  /** The rest of the body is yet to come, and what has come is about to be overwritten. */
  onPaused(): void;
  onEnd(atNs: number): void;
  /** In place of all that has not been told: it will not be sent any more, or its connection has ended. */
  onLost(unsent: boolean, message: string, atNs: number): void;
}
