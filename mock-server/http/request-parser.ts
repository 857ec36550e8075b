import { ChunkedBody } from './chunked-body.js';
import { HeldBytes } from './held-bytes.js';
import { RequestError } from './request-error.js';
import { HeadReader } from './request-head.js';
import type { RequestHead } from './request-head.js';

/** Receives what the parser finds; each callback may call `stop`. */
export interface RequestHandler {
  onHead(head: RequestHead): void;
  /** A piece of body: bytes [start, end) of `bytes`, valid only during the call; never empty. */
  onBody(bytes: Buffer, start: number, end: number): void;
  onEnd(): void;
}

/** Of the first line and the headers together. */
export const mostHeadBytes = 16 * 1024;
// The head of a browser with cookies is not worth remembering for each connection.
const mostRememberedBytes = 1024;

const HEAD = 0;
const BODY = 1;
const CHUNKED = 2;

/** Splits the bytes of one connection into HTTP/1.x requests; no I/O, no policy. */
export class RequestParser {
  private state = HEAD;
  /** Of a body with a length: what is still to come. */
  private left = 0;
  private stopped = false;
  private failure: RequestError | null = null;
  private held: HeldBytes | null = null;
  private heldReader: HeadReader | null = null;
  private chunked: ChunkedBody | null = null;
  // The next request of a connection most often has the same head, byte for byte: comparing costs less than reading.
  private lastText = '';
  private lastHead: RequestHead | null = null;
  private readonly onData = (bytes: Buffer, start: number, end: number): void =>
    this.handler.onBody(bytes, start, end);

  constructor(private readonly handler: RequestHandler) {}

  /** Between two requests, with no byte of the next. */
  get idle(): boolean {
    return this.state === HEAD && this.held === null && this.failure === null;
  }

  /** Stops after this callback; what was not read is to be fed again. */
  stop(): void {
    this.stopped = true;
  }

  /** Reads, and returns how far: all, unless it was stopped. Throws RequestError, and then ever again. */
  feed(bytes: Buffer): number {
    if (this.failure !== null) throw this.failure;
    this.stopped = false;
    try {
      return this.consume(bytes);
    } catch (error) {
      if (error instanceof RequestError) this.failure = error;
      throw error;
    }
  }

  private consume(bytes: Buffer): number {
    const end = bytes.length;
    let at = 0;
    // A request without a body is complete without another byte, also where it was stopped after its head.
    while (!this.stopped && (at < end || (this.state === BODY && this.left === 0))) {
      if (this.state === HEAD) at = this.readHead(bytes, at, end);
      else if (this.state === CHUNKED) at = this.readChunked(bytes, at, end);
      else at = this.readBody(bytes, at, end);
    }
    return at;
  }

  private readHead(bytes: Buffer, start: number, end: number): number {
    if (this.held !== null) return this.readHeld(this.held, bytes, start, end);
    const { lastText } = this;
    const lastEnd = start + lastText.length;
    if (this.lastHead !== null && lastEnd <= end && bytes.toString('latin1', start, lastEnd) === lastText) {
      this.begin(this.lastHead);
      return lastEnd;
    }
    const reader = new HeadReader();
    const length = reader.read(bytes, start, Math.min(end, start + mostHeadBytes));
    if (length < 0) {
      if (end - start >= mostHeadBytes) throw headTooLarge();
      this.held = new HeldBytes();
      this.heldReader = reader;
      this.held.append(bytes, start, end);
      return end;
    }
    const head = reader.finish();
    const remembered = length <= mostRememberedBytes;
    this.lastText = remembered ? bytes.toString('latin1', start, start + length) : '';
    this.lastHead = remembered ? head : null;
    this.begin(head);
    return start + length;
  }

  private readHeld(held: HeldBytes, bytes: Buffer, start: number, end: number): number {
    const before = held.length;
    held.append(bytes, start, Math.min(end, start + mostHeadBytes - before));
    const length = this.heldReader!.read(held.bytes, 0, held.length);
    if (length < 0) {
      if (held.length >= mostHeadBytes) throw headTooLarge();
      return end;
    }
    const head = this.heldReader!.finish();
    this.held = null;
    this.heldReader = null;
    this.begin(head);
    return start + length - before;
  }

  private begin(head: RequestHead): void {
    this.left = head.contentLength;
    this.state = head.chunked ? CHUNKED : BODY;
    this.chunked = head.chunked ? new ChunkedBody() : null;
    this.handler.onHead(head);
  }

  private readBody(bytes: Buffer, start: number, end: number): number {
    const taken = Math.min(end - start, this.left);
    this.left -= taken;
    if (taken > 0) this.handler.onBody(bytes, start, start + taken);
    if (this.left === 0 && !this.stopped) this.finish();
    return start + taken;
  }

  private readChunked(bytes: Buffer, start: number, end: number): number {
    const at = this.chunked!.read(bytes, start, end, this.onData);
    if (this.chunked!.done) this.finish();
    return at;
  }

  private finish(): void {
    this.state = HEAD;
    this.chunked = null;
    this.handler.onEnd();
  }
}

function headTooLarge(): RequestError {
  return new RequestError(431, `a head of more than ${mostHeadBytes} bytes`);
}
