import { nowNs } from '../../clock.js';
import { headNote } from '../../wire/head-note.js';
import type { HttpResponseHandler, ResponseHeaders } from '../../wire/http-response-parser.js';
import { HttpResponseParser } from '../../wire/http-response-parser.js';
import { SseParser } from '../../wire/sse-parser.js';
import { Connection, type Wiring } from './connection.js';
import type { CloseReason } from './close-reason.js';
import type { StreamHandle, StreamHandler } from './stream-handler.js';

// The head of a stream comes at once; one that does not is a server with more to do than it can.
const gateHoldMs = 250;

/** One session's event stream: a GET whose answer never ends, read as server-sent events. */
export class EventStream extends Connection implements HttpResponseHandler, StreamHandle {
  private readonly http = new HttpResponseParser(this);
  private readonly sse: SseParser;
  private status = 0;
  private ended = false;

  constructor(
    wiring: Wiring,
    private readonly request: string,
    private readonly handler: StreamHandler,
  ) {
    super(wiring, gateHoldMs);
    this.sse = new SseParser({
      onEvent: (event, buffer, start, end) => {
        if (!this.isGone) this.handler.onStreamEvent(event, buffer, start, end, this.readAtNs);
      },
      // Reading ids costs time, and most have no use for them.
      ...(handler.onStreamId === undefined ? {} : { onId: (id) => handler.onStreamId!(id) }),
      ...(handler.onStreamRetry === undefined ? {} : { onRetry: (ms) => handler.onStreamRetry!(ms) }),
    });
    this.open();
  }

  protected onOpen(): void {
    const atNs = nowNs();
    this.write(this.request, 'latin1', this.request.length);
    this.handler.onStreamConnected(atNs, this.connectStartNs);
  }

  protected onBytes(chunk: Buffer): void {
    this.handler.onStreamAlive(this.readAtNs);
    this.http.feed(chunk);
  }

  onHead(status: number, headers: ResponseHeaders): void {
    this.status = status;
    this.handler.onStreamHead(status, headers.contentType, headNote(status, headers), this.readAtNs);
  }

  onBody(chunk: Buffer, start: number, end: number): void {
    if (this.status === 200 && !this.isGone) this.sse.feed(chunk, start, end);
  }

  onEnd(): void {
    // A stream that ends politely: the server may keep the connection, we have no use for it.
    this.ended = true;
    this.socket?.destroy();
  }

  protected onGone(reason: CloseReason): void {
    const truncated = this.sse.end();
    const polite: CloseReason = { kind: 'ended', message: 'the server ended the stream', truncated };
    this.handler.onStreamClosed(this.ended ? polite : { ...reason, truncated }, this.readAtNs);
  }
}
