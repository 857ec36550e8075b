import { cut } from '../text/cut.js';
import { WireError } from './wire-error.js';

/** What the client needs of a response's headers, ready made; `get` finds any other by its lower- or mixed-case name, slowly. */
export interface ResponseHeaders {
  /** The media type in lower case, without parameters; '' where there is none. */
  readonly contentType: string;
  /** -1 where there is none. */
  readonly contentLength: number;
  readonly chunked: boolean;
  /** Whether the connection may carry another response after this one. */
  readonly keepAlive: boolean;
  readonly location: string;
  readonly retryAfter?: string | undefined;
  /** How the body is encoded, in lower case; '' where it is as it is. */
  readonly contentEncoding: string;
  /** The value, of repeated headers all of them joined by ', '. */
  get(name: string): string | undefined;
}

/** How the end of the body is found (RFC 9112 §6.3). */
export const Framing = { none: 0, length: 1, chunked: 2, untilClose: 3 } as const;
export type Framing = (typeof Framing)[keyof typeof Framing];

/** A parsed head; immutable and independent of the chunks it came in, so it can be kept and shared. */
export class ResponseHead implements ResponseHeaders {
  readonly framing: Framing;
  readonly keepAlive: boolean;
  private all: Map<string, string> | undefined;

  constructor(
    /** The head as received, from the status line to the empty line. */
    readonly bytes: Buffer,
    readonly status: number,
    readonly contentType: string,
    readonly contentLength: number,
    readonly chunked: boolean,
    mayKeepAlive: boolean,
    readonly location: string,
    readonly retryAfter: string | undefined,
    readonly contentEncoding: string,
  ) {
    if (status < 200 || status === 204 || status === 304 || contentLength === 0) this.framing = Framing.none;
    else if (chunked) this.framing = Framing.chunked;
    else this.framing = contentLength > 0 ? Framing.length : Framing.untilClose;
    this.keepAlive = mayKeepAlive && this.framing !== Framing.untilClose;
  }

  get(name: string): string | undefined {
    this.all ??= headerMap(this.bytes);
    return this.all.get(name.toLowerCase());
  }
}

function headerMap(bytes: Buffer): Map<string, string> {
  const map = new Map<string, string>();
  for (const line of bytes.toString('latin1').split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
    const before = map.get(name);
    map.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return map;
}

const CR = 13;
const LF = 10;
const SP = 32;
const TAB = 9;
const COLON = 58;

// RFC 9110 §5.6.2: the characters of a header's name.
const isToken = new Uint8Array(256);
for (const char of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  isToken[char.charCodeAt(0)] = 1;
// RFC 9110 §5.5: visible characters, space, tab and obs-text; no NUL, no bare CR, no other control.
const isFieldByte = new Uint8Array(256).fill(1, SP).fill(0, 127, 128);
isFieldByte[TAB] = 1;

const versionPrefix = Buffer.from('HTTP/1.');
const names = {
  location: Buffer.from('location'),
  connection: Buffer.from('connection'),
  retryAfter: Buffer.from('retry-after'),
  contentType: Buffer.from('content-type'),
  contentLength: Buffer.from('content-length'),
  contentEncoding: Buffer.from('content-encoding'),
  transferEncoding: Buffer.from('transfer-encoding'),
};

// Garbage is told from its first bytes.
function checkVersionPrefix(buffer: Buffer, start: number, end: number): void {
  const length = Math.min(versionPrefix.length, end - start);
  for (let i = 0; i < length; i++)
    if (buffer[start + i] !== versionPrefix[i])
      throw new WireError('bad-status-line', `a response begins with ${quote(buffer, start, end)}`);
}

const NAME = 0;
const SPACE = 1;
const VALUE = 2;

/** Reads one head as far as it has come, and reads no byte twice however small the pieces. */
export class HeadReader {
  /** What has been read of the head: whole lines, and of the line after them. */
  private doneBytes = 0;
  private lineBytes = 0;
  /** Where that line stands, and what it holds so far. */
  private phase = NAME;
  private nameBytes = 0;
  private valueOffset = 0;
  private status = 0;
  private minorVersion = 0;
  private contentType = '';
  private contentLength = -1;
  private chunked = false;
  private sawClose = false;
  private sawKeepAlive = false;
  private location = '';
  private retryAfter: string | undefined = undefined;
  private contentEncoding = '';

  reset(): void {
    this.doneBytes = 0;
    this.lineBytes = 0;
    this.phase = NAME;
    this.contentType = '';
    this.contentLength = -1;
    this.chunked = false;
    this.sawClose = false;
    this.sawKeepAlive = false;
    this.location = '';
    this.retryAfter = undefined;
    this.contentEncoding = '';
  }

  /** Reads on in the head that begins at `start`; the length of the head in bytes, or -1 while its end has not come. */
  read(buffer: Buffer, start: number, end: number): number {
    let line = start + this.doneBytes;
    if (line === start) {
      line = this.readStatusLine(buffer, start, end);
      if (line < 0) return -1;
      this.doneBytes = line - start;
    }
    for (;;) {
      if (line + 1 >= end) return -1;
      if (buffer[line] === CR) {
        if (buffer[line + 1] !== LF) throw badHeader(buffer, line, end);
        return line + 2 - start;
      }
      line = this.readHeaderLine(buffer, line, end);
      if (line < 0) return -1;
      this.doneBytes = line - start;
    }
  }

  /** The finished head; `bytes` must be a copy that nobody else writes to. */
  finish(bytes: Buffer): ResponseHead {
    // RFC 9112 §6.3: both together "ought to be handled as an error": it is how responses are split.
    if (this.chunked && this.contentLength >= 0)
      throw new WireError('bad-length', 'a response has both Transfer-Encoding and Content-Length');
    // RFC 9112 §6.1: an HTTP/1.0 peer that sends Transfer-Encoding has faulty framing: use the connection no further.
    const persistent =
      this.minorVersion === 0 ? this.sawKeepAlive && !this.chunked && !this.sawClose : !this.sawClose;
    return new ResponseHead(
      bytes,
      this.status,
      this.contentType,
      this.contentLength,
      this.chunked,
      persistent,
      this.location,
      this.retryAfter,
      this.contentEncoding,
    );
  }

  // `HTTP/1.x NNN`, then a space and a reason phrase, or nothing: some servers leave out the space too.
  private readStatusLine(buffer: Buffer, start: number, end: number): number {
    checkVersionPrefix(buffer, start, end);
    if (end - start < 14) {
      return -1;
    }
    const minor = buffer[start + 7]! - 48;
    const a = buffer[start + 9]! - 48;
    const b = buffer[start + 10]! - 48;
    const c = buffer[start + 11]! - 48;
    const after = buffer[start + 12]!;
    if (
      !(minor >= 0 && minor <= 9 && buffer[start + 8] === SP && (after === SP || after === CR)) ||
      !(a >= 1 && a <= 9 && b >= 0 && b <= 9 && c >= 0 && c <= 9)
    )
      throw badStatusLine(buffer, start, end);
    let at = start + Math.max(12, this.lineBytes);
    while (at < end && isFieldByte[buffer[at]!] === 1) at++;
    this.lineBytes = at - start;
    if (at === end) return -1;
    if (buffer[at] !== CR) throw badStatusLine(buffer, start, end);
    if (at + 1 === end) return -1;
    if (buffer[at + 1] !== LF) throw badStatusLine(buffer, start, end);
    this.lineBytes = 0;
    this.minorVersion = minor;
    this.status = a * 100 + b * 10 + c;
    return at + 2;
  }

  // No space before the colon, no folded lines, no bare CR or LF: each has been used to smuggle a header past somebody.
  private readHeaderLine(buffer: Buffer, start: number, end: number): number {
    let at = start + this.lineBytes;
    if (this.phase === NAME) {
      while (at < end && isToken[buffer[at]!] === 1) at++;
      this.lineBytes = at - start;
      if (at === end) return -1;
      if (at === start || buffer[at] !== COLON) throw badHeader(buffer, start, end);
      this.nameBytes = at++ - start;
      this.phase = SPACE;
    }
    if (this.phase === SPACE) {
      while (at < end && (buffer[at] === SP || buffer[at] === TAB)) at++;
      this.lineBytes = at - start;
      if (at === end) return -1;
      this.valueOffset = at - start;
      this.phase = VALUE;
    }
    while (at < end && isFieldByte[buffer[at]!] === 1) at++;
    this.lineBytes = at - start;
    if (at === end) return -1;
    if (buffer[at] !== CR) throw badHeader(buffer, start, end);
    if (at + 1 === end) return -1;
    if (buffer[at + 1] !== LF) throw badHeader(buffer, start, end);
    this.takeLine(buffer, start, at);
    return at + 2;
  }

  private takeLine(buffer: Buffer, start: number, end: number): void {
    const valueStart = start + this.valueOffset;
    let valueEnd = end;
    while (valueEnd > valueStart && (buffer[valueEnd - 1] === SP || buffer[valueEnd - 1] === TAB)) valueEnd--;
    this.take(buffer, start, start + this.nameBytes, valueStart, valueEnd);
    this.lineBytes = 0;
    this.phase = NAME;
  }

  private take(buffer: Buffer, name: number, nameEnd: number, start: number, end: number): void {
    switch (nameEnd - name) {
      case 8:
        if (isName(buffer, name, names.location)) this.location = buffer.toString('latin1', start, end);
        break;
      case 10:
        if (isName(buffer, name, names.connection))
          this.takeConnection(buffer.toString('latin1', start, end));
        break;
      case 11:
        if (isName(buffer, name, names.retryAfter)) this.retryAfter = buffer.toString('latin1', start, end);
        break;
      case 12:
        if (isName(buffer, name, names.contentType))
          this.takeContentType(buffer.toString('latin1', start, end));
        break;
      case 14:
        if (isName(buffer, name, names.contentLength)) this.takeContentLength(buffer, start, end);
        break;
      case 16:
        if (isName(buffer, name, names.contentEncoding))
          this.takeContentEncoding(buffer.toString('latin1', start, end));
        break;
      case 17:
        if (isName(buffer, name, names.transferEncoding))
          this.takeTransferEncoding(buffer.toString('latin1', start, end));
        break;
    }
  }

  private takeConnection(value: string): void {
    for (const option of value.toLowerCase().split(',')) {
      const name = option.trim();
      if (name === 'close') this.sawClose = true;
      else if (name === 'keep-alive') this.sawKeepAlive = true;
    }
  }

  private takeContentType(value: string): void {
    const semicolon = value.indexOf(';');
    this.contentType = (semicolon < 0 ? value : value.slice(0, semicolon)).trim().toLowerCase();
  }

  private takeContentEncoding(value: string): void {
    const coding = value.toLowerCase();
    if (coding !== '' && coding !== 'identity') this.contentEncoding = coding;
  }

  private takeContentLength(buffer: Buffer, start: number, end: number): void {
    if (this.contentLength >= 0)
      throw new WireError('bad-length', 'a response has two Content-Length headers');
    let length = 0;
    // 15 digits: exact in a double.
    if (start === end || end - start > 15) throw badLength(buffer, start, end);
    for (let i = start; i < end; i++) {
      const digit = buffer[i]! - 48;
      if (!(digit >= 0 && digit <= 9)) throw badLength(buffer, start, end);
      length = length * 10 + digit;
    }
    this.contentLength = length;
  }

  // We ask for no other coding and could not undo one.
  private takeTransferEncoding(value: string): void {
    if (this.chunked || value.toLowerCase() !== 'chunked')
      throw new WireError('bad-transfer-encoding', `a response has Transfer-Encoding: ${cut(value, 80)}`);
    this.chunked = true;
  }
}

function isName(buffer: Buffer, start: number, lowerCase: Buffer): boolean {
  // In a token only letters change under `| 32` into letters, and nothing into '-'.
  for (let i = 0; i < lowerCase.length; i++) if ((buffer[start + i]! | 32) !== lowerCase[i]) return false;
  return true;
}

function badStatusLine(buffer: Buffer, start: number, end: number): WireError {
  return new WireError(
    'bad-status-line',
    `not a status line of HTTP/1: ${quote(buffer, start, lineEnd(buffer, start, end))}`,
  );
}

function badHeader(buffer: Buffer, start: number, end: number): WireError {
  return new WireError(
    'bad-header',
    `not a header line: ${quote(buffer, start, lineEnd(buffer, start, end))}`,
  );
}

function badLength(buffer: Buffer, start: number, end: number): WireError {
  return new WireError('bad-length', `not a Content-Length: ${quote(buffer, start, end)}`);
}

function lineEnd(buffer: Buffer, start: number, end: number): number {
  const lf = buffer.indexOf(LF, start);
  return lf < 0 || lf > end ? end : lf;
}

function quote(buffer: Buffer, start: number, end: number): string {
  return JSON.stringify(cut(buffer.toString('latin1', start, Math.min(end, start + 81)), 80));
}
