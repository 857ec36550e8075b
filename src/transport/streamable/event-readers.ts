import { type SseHandler, SseParser } from '../../wire/sse-parser.js';

/** Who is told of the events of one reply. */
export interface EventSink {
  /** One event; the data is bytes [start, end) of `buffer`, valid only during the call. */
  onEvent(event: string, buffer: Buffer, start: number, end: number): void;
  /** The id of the event that is told next. */
  onEventId(id: string): void;
  /** For how long to wait before asking again for the rest. */
  onEventRetry(ms: number): void;
}

// More are wanted only for a moment.
const mostKept = 1024;

/** Parsers of event streams, lent to replies for as long as these last: a new one for each would be garbage a moment later. */
export class EventReaders {
  private readonly idle: EventReader[] = [];

  take(sink: EventSink): EventReader {
    const reader = this.idle.pop() ?? new EventReader();
    reader.sink = sink;
    return reader;
  }

  /** Takes one back; true where it had read the beginning of an event. */
  giveBack(reader: EventReader): boolean {
    const cut = reader.parser.end();
    reader.sink = null;
    if (this.idle.length < mostKept) this.idle.push(reader);
    return cut;
  }
}

export class EventReader implements SseHandler {
  readonly parser = new SseParser(this);
  sink: EventSink | null = null;

  onEvent(event: string, buffer: Buffer, start: number, end: number): void {
    this.sink?.onEvent(event, buffer, start, end);
  }

  onId(id: string): void {
    this.sink?.onEventId(id);
  }

  onRetry(ms: number): void {
    this.sink?.onEventRetry(ms);
  }
}
