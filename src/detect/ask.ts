import { cut } from '../text/cut.js';
import { Connection, type Wiring } from '../transport/http/connection.js';
import type { CloseReason } from '../transport/http/close-reason.js';
import { GrowingBytes } from '../wire/growing-bytes.js';
import { headNote } from '../wire/head-note.js';
import {
  type HttpResponseHandler,
  HttpResponseParser,
  type ResponseHeaders,
} from '../wire/http-response-parser.js';
import { SseParser } from '../wire/sse-parser.js';
import { WireError } from '../wire/wire-error.js';

/** What came of one HTTP request. */
export interface Answer<Found> {
  /** null where no status came. */
  readonly status: number | null;
  readonly headers: ResponseHeaders | null;
  /** What the head says that explains why the answer is of no use; '' where there is nothing. */
  readonly note: string;
  /** What was looked for, where it came. */
  readonly found: Found | null;
  /** Why there is no whole answer; null where there is one, or where it came to what was looked for. */
  readonly failure: { readonly kind: CloseReason['kind']; readonly message: string } | null;
}

/** Looks at one event, or at a whole body of JSON (`event` is null then); null where it is not what is looked for. */
export type Look<Found> = (event: string | null, text: string) => Found | null;

// Far more than any server has to say in answer to one question.
const mostBytes = 4 * 1024 * 1024;
const longestEvents = 16 * 1024 * 1024;

/** How long to wait for an answer, unless something else ends the waiting before. */
export interface Patience {
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Makes one request on a connection of its own; resolves, never rejects, as soon as it is answered, and at the time limit at the latest. */
export function ask<Found>(
  wiring: Wiring,
  request: string,
  { limitMs, signal }: Patience,
  look: Look<Found>,
): Promise<Answer<Found>> {
  return new Promise((resolve) => {
    const line = new AskLine(wiring, request, look, (answer) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      resolve(answer);
    });
    const giveUp = (): void => line.giveUp();
    const timer = setTimeout(giveUp, signal?.aborted ? 0 : Math.max(1, limitMs));
    signal?.addEventListener('abort', giveUp);
  });
}

class AskLine<Found> extends Connection implements HttpResponseHandler {
  private readonly http = new HttpResponseParser(this, { maxBodyBytes: mostBytes });
  private readonly events: SseParser;
  private status: number | null = null;
  private headers: ResponseHeaders | null = null;
  private note = '';
  private readonly body = new GrowingBytes();
  private eventBytes = 0;
  private done = false;

  constructor(
    wiring: Wiring,
    private readonly request: string,
    private readonly look: Look<Found>,
    private readonly resolve: (answer: Answer<Found>) => void,
  ) {
    super(wiring, 0);
    this.events = new SseParser(
      { onEvent: (event, buffer, start, end) => this.lookAt(event, buffer.toString('utf8', start, end)) },
      { maxEventBytes: mostBytes },
    );
    this.open();
  }

  giveUp(): void {
    this.finish(null, { kind: 'timeout', message: 'no answer in time' });
  }

  protected onOpen(): void {
    this.write(this.request, 'utf8', Buffer.byteLength(this.request));
  }

  protected onBytes(chunk: Buffer): void {
    this.http.feed(chunk);
  }

  onHead(status: number, headers: ResponseHeaders): void {
    if (this.done) return;
    this.status = status;
    this.headers = headers;
    this.note = headNote(status, headers);
    // Of any other body its head says all that matters.
    if (this.note !== '' || (!this.isStream && !this.isJson)) this.finish(null, null);
  }

  onBody(chunk: Buffer, start: number, end: number): void {
    if (this.done) return;
    if (this.isJson) {
      this.body.append(chunk, start, end);
      return;
    }
    this.eventBytes += end - start;
    if (this.eventBytes > longestEvents)
      throw new WireError('body-too-large', `no answer within ${longestEvents} bytes of events`);
    this.events.feed(chunk, start, end);
  }

  onEnd(): void {
    if (this.done) return;
    if (this.isJson) this.lookAt(null, this.body.bytes.toString('utf8', 0, this.body.length));
    this.finish(null, null);
  }

  protected onGone(reason: CloseReason): void {
    try {
      // A body may last until the connection ends.
      this.http.end();
    } catch {
      // Cut in mid-answer, which is said below.
    }
    this.finish(null, { kind: reason.kind, message: cut(reason.message, 300) });
  }

  private get isJson(): boolean {
    return this.headers?.contentType === 'application/json';
  }

  private get isStream(): boolean {
    return this.headers?.contentType === 'text/event-stream';
  }

  private lookAt(event: string | null, text: string): void {
    if (this.done) return;
    const found = this.look(event, text);
    if (found !== null) this.finish(found, null);
  }

  private finish(found: Found | null, failure: Answer<Found>['failure']): void {
    if (this.done) return;
    this.done = true;
    this.body.clear();
    this.destroy();
    const { status, headers, note } = this;
    this.resolve({ status, headers, note, found, failure });
  }
}
