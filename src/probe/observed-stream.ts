import { nowNs } from '../clock.js';
import { Connection, type Wiring } from '../transport/http/connection.js';
import type { CloseReason } from '../transport/http/close-reason.js';
import type { HttpResponseHandler, ResponseHeaders } from '../wire/http-response-parser.js';
import { HttpResponseParser } from '../wire/http-response-parser.js';
import { SseParser } from '../wire/sse-parser.js';

/** One event as it came, or one comment (`event` is null, the text is its data). */
export interface SeenEvent {
  readonly event: string | null;
  readonly data: string;
  readonly atNs: number;
}

export interface StreamWatcher {
  onHead(): void;
  onEvent(event: string, data: string, atNs: number): void;
  onClosed(reason: CloseReason): void;
}

// The looks of a stream show in its first kilobytes; a probe need not keep more.
const keptBytes = 64 * 1024;
const mostKept = 10_000;
const shownBytes = 200;

/** An event stream with everything about it written down that a client under load has no time for. */
export class ObservedStream extends Connection implements HttpResponseHandler {
  readonly openedNs = nowNs();
  connectedNs = 0;
  headNs = 0;
  status = 0;
  headers: ResponseHeaders | null = null;
  /** The beginning of the body, byte for byte. */
  raw = '';
  readonly comments: SeenEvent[] = [];
  hasEventIds = false;
  retryMs: number | null = null;
  closed: CloseReason | null = null;
  private readonly http = new HttpResponseParser(this);
  private readonly sse: SseParser;

  constructor(
    wiring: Wiring,
    private readonly request: string,
    private readonly watcher: StreamWatcher,
  ) {
    super(wiring, 0);
    this.sse = new SseParser({
      onEvent: (event, buffer, start, end) => {
        if (!this.isGone) this.watcher.onEvent(event, buffer.toString('utf8', start, end), this.readAtNs);
      },
      onComment: (buffer, start, end) => {
        const data = buffer.toString('utf8', start, Math.min(end, start + shownBytes));
        if (this.comments.length < mostKept) this.comments.push({ event: null, data, atNs: this.readAtNs });
      },
      onId: () => {
        this.hasEventIds = true;
      },
      onRetry: (ms) => {
        this.retryMs = ms;
      },
    });
    this.open();
  }

  get lineEndings(): { lf: number; crlf: number; cr: number } {
    return { ...this.sse.sawLineEndings };
  }

  protected onOpen(): void {
    this.connectedNs = nowNs();
    this.write(this.request, 'latin1', this.request.length);
  }

  protected onBytes(chunk: Buffer): void {
    this.http.feed(chunk);
  }

  onHead(status: number, headers: ResponseHeaders): void {
    this.headNs = this.readAtNs;
    this.status = status;
    this.headers = headers;
    this.watcher.onHead();
  }

  onBody(chunk: Buffer, start: number, end: number): void {
    if (this.isGone) return;
    if (this.raw.length < keptBytes)
      this.raw += chunk.toString('utf8', start, Math.min(end, start + keptBytes));
    if (this.status === 200) this.sse.feed(chunk, start, end);
  }

  onEnd(): void {
    this.socket?.destroy();
  }

  protected onGone(reason: CloseReason): void {
    this.closed = { ...reason, truncated: this.sse.end() };
    this.watcher.onClosed(this.closed);
  }
}
