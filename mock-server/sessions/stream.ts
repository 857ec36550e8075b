import type { CallRecord } from '../calls/call-log.js';
import type { HttpReply } from '../http/http-reply.js';
import type { Session } from './session.js';

/** How an answer that is written piece by piece begins; its status is 200. */
export interface BodyHead {
  readonly contentType: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** The head of event streams that have nothing to add to it. */
export const plainStreamHead: BodyHead = { contentType: 'text/event-stream', headers: [] };

/** Who is told what becomes of an answer that an engine is writing. */
export interface BodyReader {
  /** The reader has caught up. */
  drained(): void;
  /** The stream is gone: its client went away, or did not read. */
  lost(why: 'client' | 'unread'): void;
}

/** What an engine offers for one event stream. */
export interface StreamSink {
  /** Answers the request with this instead of a stream. */
  refuse(reply: HttpReply): void;
  /** Sends the head before there is anything to write; uWebSockets can only do so with a first byte, an empty line. */
  start(head: BodyHead): void;
  /** Writes at once; false where the reader is behind, and then `Streams.drained` says when to go on. */
  write(chunk: string | Uint8Array): boolean;
  /** Ends the response in good order, in one write with its last piece. */
  end(last?: string): void;
  /** Breaks the connection off. */
  destroy(): void;
}

/** What waits for a reader that is behind, event by event: so that what was written can be told from what was not. */
export interface Backlog {
  readonly events: {
    readonly text: string;
    readonly responses: number;
    readonly events: number;
    readonly record: CallRecord | null;
  }[];
  characters: number;
}

/** The second piece of an event that is being written in two, and all that has to wait behind it. */
export interface SplitRest {
  readonly bytes: Uint8Array;
  behind: string;
  responses: number;
  events: number;
  records: CallRecord[] | null;
}

/** One open event stream and what is still to be written to it. */
export class Stream<Owner = Session> {
  open = true;
  dirty = false;
  /** The reader is behind. */
  blocked = false;
  /** What was sent in this turn of the event loop. */
  outbox = '';
  outboxResponses = 0;
  outboxEvents = 0;
  backlog: Backlog | null = null;
  rest: SplitRest | null = null;
  /** The calls whose responses are in the outbox, where there is a log. */
  records: CallRecord[] | null = null;
  lastEventId = 0;
  pings = 0;
  pushes = 0;
  /** Where it stands among the open streams. */
  index = -1;

  constructor(
    readonly sink: StreamSink,
    readonly session: Owner,
    /** It is a stream of events, to which others may be added; not a body of JSON in pieces. */
    readonly takesEvents = true,
  ) {}

  /** Events that are not written yet. */
  get waitingEvents(): number {
    return this.outboxEvents + (this.backlog?.events.length ?? 0);
  }
}
