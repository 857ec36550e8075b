import { ClientSession, type SessionContext, type SessionListener } from '../mcp/client-session.js';
import type { ChannelEnding } from '../transport/transport.js';
import type { Envelope } from '../wire/json-rpc-scanner.js';
import type { Call } from './call.js';
import type { CallBook } from './call-book.js';

/** Who opened a session and hears what became of it. */
export interface SessionOwner {
  onSessionReady(session: Session, atNs: number): void;
  /** It never became ready. `kind` is stable and counted. */
  onSessionFailed(session: Session, kind: string, message: string): void;
  /** The server does not know it any more. */
  onSessionForgotten(session: Session, message: string): void;
  /** It was ready, and is lost. */
  onSessionDropped(session: Session, message: string): void;
}

/** One session under load: a client's session, and what those need to know of it who make calls in it. */
export class Session implements SessionListener {
  readonly client: ClientSession;
  /** Calls begun and not ended; these three are kept by CallsInFlight. */
  inFlight = 0;
  oldestCall: Call | null = null;
  newestCall: Call | null = null;
  /** Calls given to it so far. */
  started = 0;
  /** Its life is over as soon as its calls are answered. */
  retiring = false;
  /** Already in the line of sessions with room for a call. */
  queued = false;
  /** The burst for which calls of this session were last rendered ahead. */
  draftedFor = 0;
  /** The answers that came in the last read. */
  readonly lastRead = { atNs: 0, sentNs: 0, answers: 0 };

  constructor(
    context: SessionContext,
    private readonly book: CallBook,
    private readonly owner: SessionOwner,
    /** Its place among the sessions of the run; a successor keeps it. */
    readonly ordinal: number,
    /** Unique among all sessions that this worker ever opened, from 1. */
    readonly serial: number,
    intendedNs: number,
  ) {
    this.client = new ClientSession(context, this, serial, intendedNs);
  }

  get isReady(): boolean {
    return this.client.isReady;
  }

  open(): void {
    this.client.open(this.ordinal);
  }

  /** Ends the session from our side: calls in flight end as aborted. */
  end(how: ChannelEnding): void {
    this.client.end(how);
  }

  onSessionReady(atNs: number): void {
    this.owner.onSessionReady(this, atNs);
  }

  onResponse(envelope: Envelope, buffer: Buffer, start: number, end: number, atNs: number): void {
    this.book.onResponse(this, envelope, buffer, start, end, atNs);
  }

  onSessionOver(byUs: boolean, message: string, atNs: number): void {
    this.book.endSession(this, byUs ? 'aborted' : 'disconnected', message, atNs);
  }

  onSessionFailed(kind: string, message: string): void {
    this.owner.onSessionFailed(this, kind, message);
  }

  onSessionForgotten(message: string): void {
    this.owner.onSessionForgotten(this, message);
  }

  onSessionDropped(message: string): void {
    this.owner.onSessionDropped(this, message);
  }
}
