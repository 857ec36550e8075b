import { McpHeaders } from './mcp-headers.js';
import { RequestError } from './request-error.js';

/** What the mock wants to know of the head of a request. */
export interface RequestHead {
  readonly method: string;
  /** The target up to its question mark, and what follows that. */
  readonly path: string;
  readonly query: string;
  /** HTTP/1.0 or HTTP/1.1. */
  readonly minor: 0 | 1;
  readonly host: string;
  readonly origin: string;
  readonly contentType: string;
  readonly mcp: McpHeaders;
  readonly chunked: boolean;
  /** 0 without a body, and with chunks. */
  readonly contentLength: number;
  readonly keepAlive: boolean;
  /** There is a body, and it does not come before it is asked for. */
  readonly expectsContinue: boolean;
}

const CR = 13;
const LF = 10;
const SP = 32;
const TAB = 9;
const COLON = 58;
const ZERO = 48;
const versionStart = Buffer.from('HTTP/1.');
const mostLengthDigits = 15;

const isToken = tableOf("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
// Visible ASCII; a fragment has no place in a request.
const isTarget = tableOf((byte) => byte > SP && byte < 127 && byte !== 35);
const isValue = tableOf((byte) => (byte >= SP && byte !== 127) || byte === TAB);
const noMcpHeaders = new McpHeaders();
const hostForm = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

const BEFORE = 0;
const BEFORE_LF = 1;
const METHOD = 2;
const TARGET = 3;
const VERSION = 4;
const VERSION_LF = 5;
const LINE = 6;
const NAME = 7;
const BLANK = 8;
const VALUE = 9;
const VALUE_LF = 10;
const LAST_LF = 11;

/**
 * Reads the head of a request, strictly after RFC 9112: what another reader could take for something else is refused. It
 * can stop at any byte and go on from there; one scan and no memory but for what it was asked for.
 */
export class HeadReader {
  private state = BEFORE;
  /** Where to go on, and where the part that is being read began: counted from the start of the head. */
  private at = 0;
  private from = 0;
  private nameEnd = 0;
  private valueStart = 0;
  private method = '';
  private target = '';
  private minor: 0 | 1 = 1;
  private host: string | undefined;
  private origin: string | undefined;
  private contentType: string | undefined;
  private contentLength = -1;
  private transferEncoding: string | undefined;
  private mcp: McpHeaders | null = null;
  private connection = '';
  private expect = '';

  /** The length of the head that begins at `start`, or -1 where it is not complete; throws RequestError. */
  read(bytes: Buffer, start: number, end: number): number {
    let at = start + this.at;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      switch (this.state) {
        case VALUE:
          while (at < end && isValue[bytes[at]!] === 1) at++;
          if (at === end) return this.wait(at - start);
          if (bytes[at] !== CR) throw bad('a control character in a header, or a line end without CR');
          this.field(bytes, start, at);
          this.state = VALUE_LF;
          break;
        case NAME:
          while (at < end && isToken[bytes[at]!] === 1) at++;
          if (at === end) return this.wait(at - start);
          if (bytes[at] !== COLON) throw bad('a header name has a byte that it must not have');
          this.nameEnd = at - start;
          this.state = BLANK;
          break;
        case BLANK:
          if (byte === SP || byte === TAB) break;
          this.valueStart = at - start;
          this.state = VALUE;
          at--;
          break;
        case VALUE_LF:
          if (byte !== LF) throw bad('a bare CR in a header');
          this.state = LINE;
          break;
        case LINE:
          if (byte === CR) this.state = LAST_LF;
          else if (byte === SP || byte === TAB) throw bad('a header goes on in the next line');
          else if (isToken[byte] === 0) throw bad('a header line does not begin with a name');
          else {
            this.from = at - start;
            this.state = NAME;
          }
          break;
        case LAST_LF:
          if (byte !== LF) throw bad('a bare CR after the headers');
          return at + 1 - start;
        case TARGET:
          while (at < end && isTarget[bytes[at]!] === 1) at++;
          if (at === end) return this.wait(at - start);
          if (bytes[at] !== SP) throw bad('the target has a byte that it must not have');
          this.target = bytes.toString('latin1', start + this.from, at);
          this.from = at + 1 - start;
          this.state = VERSION;
          break;
        default:
          this.firstLine(bytes, start, at);
      }
    }
    return this.wait(at - start);
  }

  /** What the head says, once it is complete; throws RequestError. */
  finish(): RequestHead {
    const { minor, host, target, method, transferEncoding } = this;
    if (minor === 1 && host === undefined) throw bad('no Host');
    if (host !== undefined && !hostForm.test(host)) throw bad('a Host that is none');
    const chunked = transferEncoding !== undefined;
    if (chunked) {
      if (this.contentLength !== -1) throw bad('Transfer-Encoding and Content-Length');
      if (minor === 0) throw bad('Transfer-Encoding in HTTP/1.0');
      if (transferEncoding.toLowerCase() !== 'chunked')
        throw new RequestError(501, 'a transfer encoding other than chunked');
    }
    if (target.charCodeAt(0) !== 47 && !(target === '*' && method === 'OPTIONS'))
      throw bad('the target is not a path');
    const options = this.connection === '' ? [] : this.connection.toLowerCase().split(/[ \t]*,[ \t]*/);
    if (this.expect !== '' && minor === 1 && this.expect.toLowerCase() !== '100-continue')
      throw new RequestError(417, 'an expectation other than 100-continue');
    const mark = target.indexOf('?');
    return {
      method,
      path: mark === -1 ? target : target.slice(0, mark),
      query: mark === -1 ? '' : target.slice(mark + 1),
      minor,
      host: host ?? '',
      origin: this.origin ?? '',
      contentType: this.contentType ?? '',
      mcp: this.mcp ?? noMcpHeaders,
      chunked,
      contentLength: Math.max(this.contentLength, 0),
      keepAlive: !options.includes('close') && (minor === 1 || options.includes('keep-alive')),
      expectsContinue: this.expect !== '' && minor === 1 && (chunked || this.contentLength > 0),
    };
  }

  private wait(at: number): number {
    this.at = at;
    return -1;
  }

  /** A byte of the first line before or after its target. */
  private firstLine(bytes: Buffer, start: number, at: number): void {
    const byte = bytes[at]!;
    switch (this.state) {
      case BEFORE:
        // One empty line may come before a request; some old clients send it after a body.
        if (byte === CR && at === start) this.state = BEFORE_LF;
        else if (isToken[byte] === 1) {
          this.from = at - start;
          this.state = METHOD;
        } else throw bad('the request does not begin with a method');
        break;
      case BEFORE_LF:
        if (byte !== LF) throw bad('a bare CR before the request');
        this.state = BEFORE;
        break;
      case METHOD:
        if (byte === SP) {
          this.method = bytes.toString('latin1', start + this.from, at);
          this.from = at + 1 - start;
          this.state = TARGET;
        } else if (isToken[byte] === 0) throw bad('the method has a byte that it must not have');
        break;
      case VERSION:
        this.version(byte, at - start - this.from);
        break;
      default:
        if (byte !== LF) throw bad('a bare CR in the first line');
        this.state = LINE;
    }
  }

  private version(byte: number, index: number): void {
    if (index === versionStart.length + 1) {
      if (byte !== CR) throw bad('the first line does not end after its version');
      this.state = VERSION_LF;
    } else if (index === versionStart.length && (byte === ZERO || byte === ZERO + 1))
      this.minor = byte === ZERO ? 0 : 1;
    else if (byte !== versionStart[index]) {
      if ((index === 5 || index === 7) && byte >= ZERO && byte <= ZERO + 9)
        throw new RequestError(505, 'a version other than HTTP/1.0 and HTTP/1.1');
      throw bad('no version in the first line');
    }
  }

  /** A header whose value ends at `end`; only what decides something is looked at. */
  private field(bytes: Buffer, start: number, end: number): void {
    const name = start + this.from;
    if (standsAt('mcp-', bytes, name)) return this.mcpField(bytes, start, end);
    switch (this.nameEnd - this.from) {
      case 4:
        if (standsAt('host', bytes, name)) this.host = this.only(this.host, bytes, start, end);
        break;
      case 6:
        if (standsAt('origin', bytes, name)) this.origin = this.only(this.origin, bytes, start, end);
        else if (standsAt('accept', bytes, name)) this.accept(this.value(bytes, start, end));
        else if (standsAt('expect', bytes, name)) this.expect = this.value(bytes, start, end) || ' ';
        break;
      case 10:
        if (standsAt('connection', bytes, name)) {
          const value = this.value(bytes, start, end);
          this.connection = this.connection === '' ? value : `${this.connection},${value}`;
        }
        break;
      case 12:
        if (standsAt('content-type', bytes, name))
          this.contentType = this.only(this.contentType, bytes, start, end);
        break;
      case 13:
        if (standsAt('last-event-id', bytes, name))
          this.mcpHeaders().lastEventId = this.value(bytes, start, end);
        break;
      case 14:
        if (standsAt('content-length', bytes, name)) this.length(bytes, start, end);
        break;
      case 17:
        if (standsAt('transfer-encoding', bytes, name))
          this.transferEncoding = this.only(this.transferEncoding, bytes, start, end);
    }
  }

  private mcpField(bytes: Buffer, start: number, end: number): void {
    const name = bytes.toString('latin1', start + this.from, start + this.nameEnd).toLowerCase();
    if (!this.mcpHeaders().put(name, this.value(bytes, start, end)))
      throw bad('a header twice that there must be one of');
  }

  private accept(value: string): void {
    const headers = this.mcpHeaders();
    headers.accept = headers.accept === '' ? value : `${headers.accept}, ${value}`;
  }

  private mcpHeaders(): McpHeaders {
    return (this.mcp ??= new McpHeaders());
  }

  private only(before: string | undefined, bytes: Buffer, start: number, end: number): string {
    if (before !== undefined) throw bad('a header twice that there must be one of');
    return this.value(bytes, start, end);
  }

  private value(bytes: Buffer, start: number, end: number): string {
    return bytes.toString('latin1', start + this.valueStart, this.valueEnd(bytes, start, end));
  }

  private valueEnd(bytes: Buffer, start: number, end: number): number {
    let last = end;
    while (last > start + this.valueStart && (bytes[last - 1] === SP || bytes[last - 1] === TAB)) last--;
    return last;
  }

  private length(bytes: Buffer, start: number, end: number): void {
    if (this.contentLength !== -1) throw bad('Content-Length twice');
    const from = start + this.valueStart;
    const to = this.valueEnd(bytes, start, end);
    if (to === from || to - from > mostLengthDigits) throw bad('a Content-Length that is no length');
    let length = 0;
    for (let i = from; i < to; i++) {
      const digit = bytes[i]! - ZERO;
      if (digit < 0 || digit > 9) throw bad('a Content-Length that is no length');
      length = length * 10 + digit;
    }
    this.contentLength = length;
  }
}

// The bytes are those of a token: with this bit set a capital letter becomes its small one and nothing else becomes a letter.
function standsAt(name: string, bytes: Buffer, at: number): boolean {
  for (let i = 0; i < name.length; i++) if ((bytes[at + i]! | 32) !== name.charCodeAt(i)) return false;
  return true;
}

function tableOf(of: string | ((byte: number) => boolean)): Uint8Array {
  const has = typeof of === 'string' ? (byte: number) => of.includes(String.fromCharCode(byte)) : of;
  return Uint8Array.from({ length: 256 }, (_, byte) => (has(byte) ? 1 : 0));
}

function bad(what: string): RequestError {
  return new RequestError(400, what);
}
