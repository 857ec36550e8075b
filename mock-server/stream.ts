import type { CallRecord } from './call-log.js';
import type { Session } from './session.js';

/** What an engine offers for one open event stream. */
export interface StreamSink {
  /** Writes at once; false where the reader is behind, and then nothing more may be written until `Streams.drained`. */
  write(chunk: string | Uint8Array): boolean;
  /** Ends the response in good order. */
  end(): void;
  /** Breaks the connection off. */
  destroy(): void;
}

/** The second piece of an event that is being written in two, and all that has to wait behind it. */
export interface SplitRest {
  readonly bytes: Uint8Array;
  behind: string;
  responses: number;
  events: number;
}

/** One open event stream and what is still to be written to it. */
export class Stream {
  session!: Session;
  open = true;
  dirty = false;
  /** The reader is behind: nothing is written until it has caught up. */
  blocked = false;
  outbox = '';
  outboxResponses = 0;
  outboxEvents = 0;
  lastEventId = 0;
  pings = 0;
  /** Where it stands among the open streams. */
  index = -1;
  rest: SplitRest | null = null;
  records: CallRecord[] | null = null;

  constructor(readonly sink: StreamSink) {}
}
