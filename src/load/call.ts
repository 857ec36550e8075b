import type { PostHandler } from '../transport/transport.js';
import type { Deadlines, Limited } from '../deadlines.js';
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

/** A call whose session is chosen and whose text is ready, but for its id, before it is due: then the moments are filled in. */
export class Draft implements Ticket {
  intendedNs = 0;
  foundNs = 0;

  constructor(
    readonly seq: number,
    readonly operation: number,
    readonly phase: number,
    readonly session: Session,
    /** What follows the id. */
    readonly text: string,
    readonly echo: string,
  ) {}
}

/** Who judges what happens to a call. */
export interface CallKeeper {
  onCallSent(call: Call): void;
  onCallStatus(call: Call, status: number, note: string, atNs: number): void;
  onCallBody(call: Call, body: Buffer, atNs: number): void;
  onCallFailed(call: Call, unsent: boolean, message: string, atNs: number): void;
}

/** One request in flight: the moments of its life, and its place in the list of time limits. */
export class Call implements PostHandler, Limited<Call> {
  sentNs = 0;
  /** When a slot became free for it, where it had waited for one; 0 where not. */
  roomNs = 0;
  /** How long it waited for the connection that it left on to be made. */
  connectNs = 0;
  /** How long it waited for the generator alone: to be found due, and, once nothing else was in its way, to be handed to the socket. */
  lagNs = 0;
  /** When the 2xx came; 0 before. */
  ackNs = 0;
  /** When the response came, if it ended ok; 0 before. */
  okNs = 0;
  /** How long each of the two may have lain in its socket, unread. */
  ackDeafNs = 0;
  okDeafNs = 0;
  ended = false;
  /** It has ended, and its POST still owes the status. */
  owing = false;
  deadlines: Deadlines<Call> | null = null;
  previous: Call | null = null;
  next: Call | null = null;
  limitFromNs = 0;
  /** What the 2xx said of itself that explains why nothing more came. */
  note = '';

  constructor(
    readonly id: number,
    readonly session: Session,
    readonly ticket: Ticket,
    /** For `expect: echo`: the message as JSON text. */
    readonly echo: string,
    private readonly keeper: CallKeeper,
  ) {}

  onPostSent(atNs: number, askedNs: number, stoodNs: number, freeNs: number): void {
    this.sentNs = atNs;
    const { intendedNs, foundNs } = this.ticket;
    if (stoodNs > foundNs) this.connectNs = stoodNs - Math.max(askedNs, foundNs);
    this.lagNs = foundNs - intendedNs + (atNs - Math.max(foundNs, this.roomNs, freeNs));
    this.keeper.onCallSent(this);
  }

  onPostStatus(status: number, note: string, atNs: number): void {
    this.keeper.onCallStatus(this, status, note, atNs);
  }

  onPostBody(body: Buffer, atNs: number): void {
    this.keeper.onCallBody(this, body, atNs);
  }

  onPostFailed(unsent: boolean, message: string, atNs: number): void {
    this.keeper.onCallFailed(this, unsent, message, atNs);
  }
}
