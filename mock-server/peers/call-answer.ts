import type { CallRecord } from '../calls/call-log.js';
import type { PeerCall } from './peer-call.js';
import type { Peer } from './peer.js';
import type { Stream } from '../sessions/stream.js';

/** How a response is to be written, beyond once and whole. */
export interface Twist {
  readonly record: CallRecord | null;
  readonly twice: boolean;
  /** At which share of its bytes it is cut in two; -1: not at all. */
  readonly splitAt: number;
}

/** Where the answer to a call goes: the body of its POST, or the pipe of its process. */
export interface CallAnswer {
  /** Messages can go before the response, and a response is one of them. */
  readonly wantsStream: boolean;
  /** What it is written on, where it has begun. */
  readonly stream: Stream<Peer> | null;
  /** Its stream has ended before its last response: the rest can be had by resuming it. */
  readonly detached: boolean;
  /** A call waits for its end: with its response, or with none. */
  began(call: PeerCall): void;
  ended(call: PeerCall): void;
  /** Begins before there is a response, where that is how it is done. */
  startEarly(): void;
  /** Puts a message before the response; false where there is no way to. */
  emit(data: string): boolean;
  /** Gives a response; false where nobody can get it any more. */
  respond(data: string, status?: number, twist?: Twist): boolean;
  /** Refuses the call in the transport's own way. */
  refuse(status: number): void;
  /** A call that will not be answered. */
  drop(): void;
  /** Breaks off what carries it. */
  cut(): void;
  /** Ends the stream though there is more to come; false where that could not be had by resuming it. */
  disconnect(): boolean;
}
