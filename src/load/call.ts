import type { PostHandler } from '../transport/transport.js';
import type { Deadlines, Limited } from './deadlines.js';
import type { Session } from './session.js';

/** A call that is due: what to send and when it should have been sent. */
export interface Ticket {
  /** Number of the call, unique over the run. */
  readonly seq: number;
  readonly operation: number;
  /** Index of the phase of its intended start; -1 while warming up. */
  readonly phase: number;
  readonly intendedNs: number;
  readonly foundNs: number;
}

/** Who judges what happens to a call. */
export interface CallKeeper {
  onCallSent(call: Call): void;
  onCallStatus(call: Call, status: number, atNs: number): void;
  onCallBody(call: Call, body: Buffer, atNs: number): void;
  onCallFailed(call: Call, unsent: boolean, message: string, atNs: number): void;
}

/** One request in flight: the moments of its life, and its place in the list of time limits. */
export class Call implements PostHandler, Limited<Call> {
  sentNs = 0;
  /** When the 2xx came; 0 before. */
  ackNs = 0;
  /** When the response came, if it ended ok; 0 before. */
  okNs = 0;
  ended = false;
  /** It has ended, and its POST still owes the status. */
  owing = false;
  deadlines: Deadlines<Call> | null = null;
  previous: Call | null = null;
  next: Call | null = null;
  limitFromNs = 0;

  constructor(
    readonly id: number,
    readonly session: Session,
    readonly ticket: Ticket,
    /** For `expect: echo`: the message as JSON text. */
    readonly echo: string,
    private readonly keeper: CallKeeper,
  ) {}

  onPostSent(atNs: number): void {
    this.sentNs = atNs;
    this.keeper.onCallSent(this);
  }

  onPostStatus(status: number, atNs: number): void {
    this.keeper.onCallStatus(this, status, atNs);
  }

  onPostBody(body: Buffer, atNs: number): void {
    this.keeper.onCallBody(this, body, atNs);
  }

  onPostFailed(unsent: boolean, message: string, atNs: number): void {
    this.keeper.onCallFailed(this, unsent, message, atNs);
  }
}
