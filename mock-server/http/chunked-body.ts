import { RequestError } from './request-error.js';

const CR = 13;
const LF = 10;
const SP = 32;
const TAB = 9;
const SEMICOLON = 59;
/** Of a body: all that is not data, so that nobody makes us read much for little. */
const mostFramingBytes = 64 * 1024;
const mostSizeDigits = 8;

const SIZE_FIRST = 0;
const SIZE = 1;
const EXTENSION = 2;
const SIZE_LF = 3;
const DATA = 4;
const DATA_CR = 5;
const DATA_LF = 6;
const TRAILER_START = 7;
const TRAILER = 8;
const TRAILER_LF = 9;
const LAST_LF = 10;
const DONE = 11;

/** Takes the chunked encoding off a body, strictly; chunk extensions and trailers are checked and dropped. */
export class ChunkedBody {
  private state = SIZE_FIRST;
  private left = 0;
  private digits = 0;
  private framingBytes = 0;
  private sawColon = false;

  get done(): boolean {
    return this.state === DONE;
  }

  /** Reads from `start` and hands out at most one piece of data; returns where it stopped. Throws RequestError. */
  read(
    bytes: Buffer,
    start: number,
    end: number,
    onData: (bytes: Buffer, start: number, end: number) => void,
  ): number {
    let at = start;
    while (at < end && this.state !== DONE) {
      if (this.state === DATA) {
        const taken = Math.min(end - at, this.left);
        this.left -= taken;
        if (this.left === 0) this.state = DATA_CR;
        onData(bytes, at, at + taken);
        return at + taken;
      }
      if (this.state !== DATA_CR && this.state !== DATA_LF && ++this.framingBytes > mostFramingBytes)
        throw bad('a chunked body has more framing than it may');
      this.framing(bytes[at++]!);
    }
    return at;
  }

  private framing(byte: number): void {
    switch (this.state) {
      case SIZE_FIRST:
      case SIZE:
        return this.size(byte);
      case EXTENSION:
        if (byte === CR) this.state = SIZE_LF;
        else if (isControl(byte)) throw bad('a control character in a chunk extension');
        return;
      case SIZE_LF:
        if (byte !== LF) throw bad('a bare CR after a chunk size');
        this.state = this.left === 0 ? TRAILER_START : DATA;
        this.digits = 0;
        return;
      case DATA_CR:
        if (byte !== CR) throw bad('a chunk is longer than its size');
        this.state = DATA_LF;
        return;
      case DATA_LF:
        if (byte !== LF) throw bad('a bare CR after a chunk');
        this.state = SIZE_FIRST;
        return;
      default:
        this.trailer(byte);
    }
  }

  private size(byte: number): void {
    const digit = hexValue(byte);
    if (digit >= 0) {
      if (++this.digits > mostSizeDigits) throw bad('a chunk size is too large');
      this.left = this.left * 16 + digit;
      this.state = SIZE;
    } else if (this.state === SIZE_FIRST) throw bad('a chunk has no size');
    else if (byte === CR) this.state = SIZE_LF;
    else if (byte === SEMICOLON) this.state = EXTENSION;
    else throw bad('a chunk size is no hexadecimal number');
  }

  private trailer(byte: number): void {
    switch (this.state) {
      case TRAILER_START:
        this.sawColon = false;
        if (byte === CR) this.state = LAST_LF;
        else if (byte <= SP || byte >= 127 || byte === 58) throw bad('a trailer does not begin with a name');
        else this.state = TRAILER;
        return;
      case TRAILER:
        if (byte === CR && this.sawColon) this.state = TRAILER_LF;
        else if (isControl(byte) || (byte <= SP && !this.sawColon)) throw bad('a malformed trailer');
        else if (byte === 58) this.sawColon = true;
        return;
      case TRAILER_LF:
        if (byte !== LF) throw bad('a bare CR in a trailer');
        this.state = TRAILER_START;
        return;
      default:
        if (byte !== LF) throw bad('a bare CR after the trailers');
        this.state = DONE;
    }
  }
}

function isControl(byte: number): boolean {
  return (byte < SP && byte !== TAB) || byte === 127;
}

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function bad(what: string): RequestError {
  return new RequestError(400, what);
}
