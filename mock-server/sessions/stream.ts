import type { CallRecord } from '../calls/call-log.js';
import type { HttpReply } from '../http/http-reply.js';
import type { Session } from './session.js';

/** What an engine offers for one event stream. */
export interface StreamSink {
  /** Answers the request with this instead of a stream. */
  refuse(reply: HttpReply): void;
  /** Writes at once; false where the reader is behind, and then `Streams.drained` says when to go on. */
  write(chunk: string | Uint8Array): boolean;
  /** Ends the response in good order. */
  end(): void;
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
export class Stream {
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
    readonly session: Session,
  ) {}

  /** Events that are not written yet. */
  get waitingEvents(): number {
    return this.outboxEvents + (this.backlog?.events.length ?? 0);
  }
}
