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

/** A POST that has not left: all of the request up to the value of Content-Length (ASCII), the body, and whose it is. */
export interface PendingPost {
  readonly head: string;
  readonly body: string;
  /** The body is known to hold nothing but ASCII. */
  readonly ascii: boolean;
  readonly by: Outgoing;
  readonly channel: PostChannel;
}
