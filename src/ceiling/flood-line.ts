import { nowNs } from '../clock.js';
import { Connection, type Wiring } from '../transport/http/connection.js';
import type { CloseReason } from '../transport/http/close-reason.js';
import { HttpResponseParser, type HttpResponseHandler } from '../wire/http-response-parser.js';
import { WireError } from '../wire/wire-error.js';

/** Hears what becomes of a line's requests. */
export interface FloodListener {
  onAnswer(status: number, tookNs: number): void;
  /** The line is over, once, and another may take its place; without a reason where the server had announced it with its answer. */
  onOver(line: FloodLine, reason: CloseReason | null): void;
}

const gateHoldMs = 25;

/** One connection that sends the same request again and again, each as soon as the one before is answered. */
export class FloodLine extends Connection implements HttpResponseHandler {
  answers = 0;
  private readonly http = new HttpResponseParser(this, { maxBodyBytes: 16 * 1024 * 1024 });
  private sentNs = 0;
  private status = 0;
  private owed = false;
  private lastAnswer = false;

  constructor(
    wiring: Wiring,
    private readonly request: string,
    private readonly listener: FloodListener,
  ) {
    super(wiring, gateHoldMs);
    this.open();
  }

  /** Whether a request has been waiting for its answer since before that moment. */
  hasWaitedSince(atNs: number): boolean {
    return this.owed && this.sentNs < atNs;
  }

  protected onOpen(): void {
    this.send();
  }

  private send(): void {
    this.owed = true;
    this.sentNs = nowNs();
    this.write(this.request, 'latin1', this.request.length);
  }

  protected onBytes(chunk: Buffer): void {
    this.http.feed(chunk);
    if (this.isGone || this.owed) return;
    if (this.lastAnswer) {
      this.destroy();
      this.listener.onOver(this, null);
      return;
    }
    // Only once all that came has been read: what is left over would be taken for the next answer.
    if (!this.http.idle)
      throw new WireError('unexpected-bytes', 'bytes came that no request was waiting for');
    this.send();
  }

  onHead(status: number): void {
    if (!this.owed) throw new WireError('unexpected-bytes', 'an answer came that no request was waiting for');
    this.status = status;
  }

  onBody(): void {}

  onEnd(keepAlive: boolean): void {
    this.owed = false;
    this.answers++;
    this.lastAnswer = !keepAlive;
    this.listener.onAnswer(this.status, this.readAtNs - this.sentNs);
  }

  protected onGone(reason: CloseReason): void {
    try {
      // An answer may last until the connection ends.
      this.http.end();
    } catch {
      // Cut in mid-answer: an error of this line, which is told below.
    }
    this.listener.onOver(this, this.lastAnswer && !this.owed ? null : reason);
  }
}
