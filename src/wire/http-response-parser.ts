import { GrowingBytes } from './growing-bytes.js';
import { HeadCache } from './head-cache.js';
import { Framing, HeadReader } from './response-head.js';
import type { ResponseHead, ResponseHeaders } from './response-head.js';
import { WireError } from './wire-error.js';

export { WireError } from './wire-error.js';
export type { ResponseHeaders } from './response-head.js';

/** Receives what the parser finds. A callback may call `reset`: the rest of the chunk is then left unread. */
export interface HttpResponseHandler {
  /** Status line and headers are complete. Informational (1xx) responses are skipped and not reported. */
  onHead(status: number, headers: ResponseHeaders): void;
  /** A piece of body: bytes [start, end) of `chunk`, valid only during the call; never empty. */
  onBody(chunk: Buffer, start: number, end: number): void;
  /** The response is complete; `keepAlive` says whether the connection may carry another one. */
  onEnd(keepAlive: boolean): void;
}

export interface HttpResponseLimits {
  /** Of the status line and headers together, and of the trailers; 64 KiB unless told. */
  maxHeadBytes?: number;
  /** Of a body that is no event stream; unlimited unless told. */
  maxBodyBytes?: number;
}

const CR = 13;
const LF = 10;
const SP = 32;
const TAB = 9;
const SEMICOLON = 59;
const maxChunkLineBytes = 4096;

const HEAD = 0;
const BODY_LENGTH = 1;
const BODY_UNTIL_CLOSE = 2;
const CHUNK_SIZE_FIRST = 3;
const CHUNK_SIZE = 4;
const CHUNK_SPACE = 5;
const CHUNK_EXTENSION = 6;
const CHUNK_SIZE_LF = 7;
const CHUNK_DATA = 8;
const CHUNK_END_CR = 9;
const CHUNK_END_LF = 10;
const TRAILER_START = 11;
const TRAILER = 12;
const TRAILER_LF = 13;
const LAST_LF = 14;
const CLOSED = 15;

// Shared by all connections of a thread: they talk to the same server, whose heads are alike.
const seenHeads = new HeadCache();
const wholeHeadReader = new HeadReader();

/** Splits the bytes of one connection into HTTP/1.1 responses, strictly after RFC 9112; no I/O, no policy. */
export class HttpResponseParser {
  private readonly maxHeadBytes: number;
  private readonly maxBodyBytes: number;
  private state = HEAD;
  private head: ResponseHead | undefined;
  /** Of the body with a length, or of the chunk: what is still to come. */
  private bytesLeft = 0;
  private bodyBytes = 0;
  private maxThisBodyBytes = Infinity;
  /** Of the chunk-size line or the trailers: what has been read. */
  private lineBytes = 0;
  private sawInterim = false;
  private heldHead: GrowingBytes | undefined;
  private heldReader: HeadReader | undefined;
  private failure: WireError | undefined;
  /** Changes with each reset, so that `feed` notices one made by a callback. */
  private epoch = 0;

  constructor(
    private readonly handler: HttpResponseHandler,
    limits: HttpResponseLimits = {},
  ) {
    this.maxHeadBytes = limits.maxHeadBytes ?? 64 * 1024;
    this.maxBodyBytes = limits.maxBodyBytes ?? Infinity;
  }

  /** Between responses, nothing pending. */
  get idle(): boolean {
    return this.state === HEAD && !this.sawInterim && !this.holdsHead() && this.failure === undefined;
  }

  /** Reports what the chunk completes, several responses if need be; throws WireError on a violation, and again until `reset`. */
  feed(chunk: Buffer): void {
    if (this.failure !== undefined) throw this.failure;
    const epoch = this.epoch;
    try {
      this.consume(chunk);
    } catch (error) {
      if (this.epoch === epoch)
        this.failure =
          error instanceof WireError
            ? error
            : new WireError('unexpected-bytes', 'the handler threw, see its error');
      throw error;
    }
  }

  /** The peer closed: completes a body that lasts until then; throws WireError('truncated') in mid-response. */
  end(): void {
    if (this.failure !== undefined) throw this.failure;
    if (this.state === BODY_UNTIL_CLOSE) {
      this.state = CLOSED;
      this.handler.onEnd(false);
      return;
    }
    if (!this.idle && this.state !== CLOSED) {
      this.failure = new WireError(
        'truncated',
        `the connection closed in mid-response (${this.whereabouts()})`,
      );
      throw this.failure;
    }
    this.state = CLOSED;
  }

  /** Forgets everything: ready for a new connection. */
  reset(): void {
    this.epoch++;
    this.state = HEAD;
    this.head = undefined;
    this.sawInterim = false;
    this.heldHead = undefined;
    this.heldReader = undefined;
    this.failure = undefined;
  }

  private consume(chunk: Buffer): void {
    const epoch = this.epoch;
    const end = chunk.length;
    let at = 0;
    while (at < end && this.epoch === epoch) {
      switch (this.state) {
        case HEAD:
          at = this.readHead(chunk, at, end);
          break;
        case BODY_LENGTH:
          at = this.readBody(chunk, at, end);
          break;
        case BODY_UNTIL_CLOSE:
          this.countBody(end - at);
          this.handler.onBody(chunk, at, end);
          return;
        case CHUNK_DATA:
          at = this.readChunkData(chunk, at, end);
          break;
        case CLOSED:
          throw new WireError(
            'unexpected-bytes',
            `${end - at} bytes after the last response of the connection`,
          );
        default:
          at = this.readChunkFraming(chunk, at, end);
      }
    }
  }

  private readHead(chunk: Buffer, start: number, end: number): number {
    if (this.holdsHead()) return this.readHeldHead(chunk, start, end);
    const seen = seenHeads.find(chunk, start, end);
    if (seen !== undefined && seen.bytes.length <= this.maxHeadBytes) {
      this.begin(seen);
      return start + seen.bytes.length;
    }
    wholeHeadReader.reset();
    const limit = Math.min(end, start + this.maxHeadBytes);
    const length = wholeHeadReader.read(chunk, start, limit);
    if (length < 0) return this.holdHead(chunk, start, end);
    const head = wholeHeadReader.finish(copyOf(chunk, start, length));
    seenHeads.add(head);
    this.begin(head);
    return start + length;
  }

  private holdsHead(): boolean {
    return this.heldHead !== undefined;
  }

  private holdHead(chunk: Buffer, start: number, end: number): number {
    if (end - start >= this.maxHeadBytes) throw this.headTooLarge();
    this.heldHead = new GrowingBytes();
    this.heldReader = new HeadReader();
    this.heldHead.append(chunk, start, end);
    this.heldReader.read(this.heldHead.bytes, 0, this.heldHead.length);
    return end;
  }

  private readHeldHead(chunk: Buffer, start: number, end: number): number {
    const held = this.heldHead!;
    const before = held.length;
    held.append(chunk, start, Math.min(end, start + this.maxHeadBytes - before));
    const length = this.heldReader!.read(held.bytes, 0, held.length);
    if (length < 0) {
      if (held.length >= this.maxHeadBytes) throw this.headTooLarge();
      return end;
    }
    const head = this.heldReader!.finish(copyOf(held.bytes, 0, length));
    this.heldHead = undefined;
    this.heldReader = undefined;
    this.begin(head);
    return start + length - before;
  }

  private begin(head: ResponseHead): void {
    if (head.status < 200) {
      // We never ask for another protocol.
      if (head.status === 101)
        throw new WireError('unexpected-upgrade', 'the server switched protocols unasked');
      this.sawInterim = true;
      return;
    }
    this.sawInterim = false;
    this.head = head;
    this.bodyBytes = 0;
    this.maxThisBodyBytes = head.contentType === 'text/event-stream' ? Infinity : this.maxBodyBytes;
    const epoch = this.epoch;
    switch (head.framing) {
      case Framing.none:
        this.handler.onHead(head.status, head);
        if (this.epoch === epoch) this.finish();
        return;
      case Framing.length:
        this.bytesLeft = head.contentLength;
        if (this.bytesLeft > this.maxThisBodyBytes) throw this.bodyTooLarge();
        this.state = BODY_LENGTH;
        break;
      case Framing.chunked:
        this.state = CHUNK_SIZE_FIRST;
        this.bytesLeft = 0;
        this.lineBytes = 0;
        break;
      case Framing.untilClose:
        this.state = BODY_UNTIL_CLOSE;
    }
    this.handler.onHead(head.status, head);
  }

  private finish(): void {
    const keepAlive = this.head!.keepAlive;
    this.head = undefined;
    this.state = keepAlive ? HEAD : CLOSED;
    this.handler.onEnd(keepAlive);
  }

  private readBody(chunk: Buffer, start: number, end: number): number {
    const left = this.bytesLeft;
    if (end - start < left) {
      this.bytesLeft = left - (end - start);
      this.handler.onBody(chunk, start, end);
      return end;
    }
    this.bytesLeft = 0;
    const epoch = this.epoch;
    this.handler.onBody(chunk, start, start + left);
    if (this.epoch === epoch) this.finish();
    return start + left;
  }

  // The CRLF that ends a chunk may come only with the next chunk, so the data never waits for it.
  private readChunkData(chunk: Buffer, start: number, end: number): number {
    const taken = Math.min(end - start, this.bytesLeft);
    this.bytesLeft -= taken;
    if (this.bytesLeft === 0) this.state = CHUNK_END_CR;
    this.countBody(taken);
    this.handler.onBody(chunk, start, start + taken);
    return start + taken;
  }

  private countBody(bytes: number): void {
    this.bodyBytes += bytes;
    if (this.bodyBytes > this.maxThisBodyBytes) throw this.bodyTooLarge();
  }

  // Everything of a chunked body but its data: size lines, line ends, trailers. Returns where data begins, or the end.
  private readChunkFraming(chunk: Buffer, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      const byte = chunk[at]!;
      switch (this.state) {
        case CHUNK_SIZE_FIRST:
        case CHUNK_SIZE:
        case CHUNK_SPACE:
        case CHUNK_EXTENSION:
          this.readSizeByte(byte);
          break;
        case CHUNK_SIZE_LF:
          if (byte !== LF) throw badChunk('a size line ends in a bare CR');
          this.lineBytes = 0;
          this.state = this.bytesLeft === 0 ? TRAILER_START : CHUNK_DATA;
          if (this.bytesLeft > 0) return at + 1;
          break;
        case CHUNK_END_CR:
          if (byte !== CR) throw badChunk('the data is longer than its size');
          this.state = CHUNK_END_LF;
          break;
        case CHUNK_END_LF:
          if (byte !== LF) throw badChunk('the data ends in a bare CR');
          this.state = CHUNK_SIZE_FIRST;
          break;
        default:
          if (this.readTrailerByte(byte)) {
            this.finish();
            return at + 1;
          }
      }
    }
    return end;
  }

  private readSizeByte(byte: number): void {
    if (++this.lineBytes > maxChunkLineBytes) throw badChunk('a size line is too long');
    const digit = this.state <= CHUNK_SIZE ? hexValue(byte) : -1;
    if (digit >= 0) {
      this.bytesLeft = this.bytesLeft * 16 + digit;
      if (this.bytesLeft > Number.MAX_SAFE_INTEGER) throw badChunk('a size is too large');
      this.state = CHUNK_SIZE;
    } else if (this.state === CHUNK_SIZE_FIRST)
      throw badChunk('a size line does not begin with a hexadecimal digit');
    else if (byte === CR) this.state = CHUNK_SIZE_LF;
    else if (this.state === CHUNK_EXTENSION) {
      if ((byte < SP && byte !== TAB) || byte === 127) throw badChunk('a control character in an extension');
    } else if (byte === SEMICOLON) this.state = CHUNK_EXTENSION;
    else if (byte === SP || byte === TAB) this.state = CHUNK_SPACE;
    else throw badChunk('a size is not a hexadecimal number');
  }

  // Trailers are skipped: nothing in them matters to us. True at the end of the message.
  private readTrailerByte(byte: number): boolean {
    if (++this.lineBytes > this.maxHeadBytes)
      throw new WireError('head-too-large', 'the trailers are too large');
    switch (this.state) {
      case TRAILER_START:
        if (byte === CR) this.state = LAST_LF;
        else if (byte <= SP || byte === 127)
          throw new WireError('bad-header', 'a trailer line begins with a blank');
        else this.state = TRAILER;
        return false;
      case TRAILER:
        if (byte === CR) this.state = TRAILER_LF;
        else if ((byte < SP && byte !== TAB) || byte === 127)
          throw new WireError('bad-header', 'a control character in a trailer');
        return false;
      case TRAILER_LF:
        if (byte !== LF) throw new WireError('bad-header', 'a bare CR in a trailer');
        this.state = TRAILER_START;
        return false;
      default:
        if (byte !== LF) throw new WireError('bad-header', 'a bare CR after the trailers');
        return true;
    }
  }

  private headTooLarge(): WireError {
    return new WireError(
      'head-too-large',
      `the head of a response is larger than ${this.maxHeadBytes} bytes`,
    );
  }

  private bodyTooLarge(): WireError {
    return new WireError(
      'body-too-large',
      `the body of a response is larger than ${this.maxBodyBytes} bytes`,
    );
  }

  private whereabouts(): string {
    if (this.state === HEAD) return this.sawInterim ? 'after an interim response' : 'in the head';
    if (this.state === BODY_LENGTH) return `${this.bytesLeft} bytes of the body are missing`;
    return 'before the end of a chunked body';
  }
}

// Cheaper than Buffer.from(chunk.subarray(…)), which makes two buffers.
function copyOf(chunk: Buffer, start: number, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  chunk.copy(copy, 0, start, start + length);
  return copy;
}

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function badChunk(what: string): WireError {
  return new WireError('bad-chunk', `a chunked body is malformed: ${what}`);
}
