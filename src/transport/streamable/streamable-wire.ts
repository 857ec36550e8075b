import type { PendingPost } from '../http/post-channel.js';
import type { PoolWatcher } from '../http/post-pool.js';
import type { MoreHeaders } from '../http/request-heads.js';
import type { StreamHandle, StreamHandler } from '../http/stream-handler.js';
import type { Traffic } from '../traffic.js';

/** What carries the requests of Streamable HTTP and their replies: our own sockets, or, in the tests, another client. */
export interface StreamableWire {
  /** The way for the requests of one channel, as the POST policy wants it. The watcher hears nothing before this has returned. */
  openRequests(watcher: PoolWatcher): RequestWay;
  /** A GET whose answer is events. */
  openStream(path: string, headers: MoreHeaders, handler: StreamHandler): StreamHandle;
  /** What precedes a body in a POST, and in a DELETE; see RequestHeads. */
  postHead(path: string, headers: MoreHeaders): string;
  deleteHead(path: string, headers: MoreHeaders): string;
  readonly traffic: Traffic;
  /** Ends whatever outlives a channel: shared connections. */
  close(): void;
}

/** The way for the requests of one channel. */
export interface RequestWay {
  /** Whether it has connections of its own, of which the watcher hears: those of others stand already, or come when they are needed. */
  readonly own: boolean;
  submit(post: PendingPost): void;
  /** See Channel. */
  prepare(messages: number, untilNs: number): boolean;
  withdraw(by: object): boolean;
  giveUp(by: object): void;
  /** Ends it for this channel: what has not left fails as unsent, connections of its own close, of others those that owe it an answer. */
  leave(channel: object): void;
}
