import { GrowingBytes } from './growing-bytes.js';
import { NameTable } from './name-table.js';
import { WireError } from './wire-error.js';

/** Receives what the parser finds. A callback may call `reset`: the rest of the chunk is then left unread. */
export interface SseHandler {
  /** One event; its data is bytes [start, end) of `buffer`, valid only during the call, lines joined by LF; `event` is '' where it has no name. */
  onEvent(event: string, buffer: Buffer, start: number, end: number): void;
  /** The text after the colon. */
  onComment?(buffer: Buffer, start: number, end: number): void;
  /** The last event id changed; called when its event is complete, just before `onEvent`. */
  onId?(id: string): void;
  onRetry?(ms: number): void;
}

export interface SseLimits {
  /** Of an event's data plus the line being read; 16 MiB unless told. */
  maxEventBytes?: number;
}

const LF = 10;
const CR = 13;
const SP = 32;
const COLON = 58;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const fields = {
  data: Buffer.from('data'),
  event: Buffer.from('event'),
  id: Buffer.from('id'),
  retry: Buffer.from('retry'),
};
const usual = { event: Buffer.from('event: '), data: Buffer.from('data: ') };
const eventNames = new NameTable([
  'message',
  'endpoint',
  'response',
  'notification',
  'lifecycle',
  'ping',
  'error',
]);

/** Splits an event stream into events after the WHATWG rules, on bytes; no I/O, and an event within one chunk is not copied. */
export class SseParser {
  /** How the lines seen so far ended. */
  readonly sawLineEndings = { lf: 0, crlf: 0, cr: 0 };
  private readonly maxEventBytes: number;
  /** The beginning of a line whose end has not come. */
  private readonly line = new GrowingBytes();
  /** The data lines so far of an event whose end has not come, once they do not lie in one piece of one chunk. */
  private readonly data = new GrowingBytes();
  private event = '';
  private dataLines = 0;
  /** Where a first data line lies, as long as it need not be copied. */
  private pieceStart = 0;
  private pieceEnd = 0;
  private piece: Buffer | undefined;
  private id: string | undefined;
  private sawField = false;
  /** The last byte was a CR: it ended a line, and an LF that follows belongs to it. */
  private afterCr = false;
  /** How many bytes of a byte order mark have been seen at the very start; 3 = past it. */
  private markBytes = 0;
  /** Changes with each reset, so that `feed` notices one made by a callback. */
  private epoch = 0;

  constructor(
    private readonly handler: SseHandler,
    limits: SseLimits = {},
  ) {
    this.maxEventBytes = limits.maxEventBytes ?? 16 * 1024 * 1024;
  }

  /** Reports the events that bytes [start, end) of the chunk complete; throws WireError('event-too-large'). */
  feed(chunk: Buffer, start = 0, end = chunk.length): void {
    let at = start;
    if (at < end && this.markBytes < 3) at = this.skipByteOrderMark(chunk, at, end);
    if (at < end && this.afterCr) {
      this.afterCr = false;
      if (chunk[at] === LF) {
        at++;
        this.sawLineEndings.crlf++;
      } else this.sawLineEndings.cr++;
    }
    if (at < end) this.readLines(chunk, at, end);
  }

  /** The stream is over: true if an unfinished event was dropped. Ready for another stream. */
  end(): boolean {
    const cut = this.sawField || (this.line.length > 0 && this.line.bytes[0] !== COLON);
    this.reset();
    return cut;
  }

  /** Forgets the unfinished event and expects a new stream; the counts of line endings stay. */
  reset(): void {
    this.epoch++;
    if (this.afterCr) this.sawLineEndings.cr++;
    this.afterCr = false;
    this.markBytes = 0;
    this.line.clear();
    this.clearEvent();
  }

  private readLines(chunk: Buffer, start: number, end: number): void {
    const epoch = this.epoch;
    const counts = this.sawLineEndings;
    let at = start;
    let lf = -1;
    let cr = -1;
    while (at < end) {
      if (cr < at) cr = find(chunk, CR, at, end);
      if (!this.sawField && this.line.length === 0) {
        const after = this.readUsualEvent(chunk, at, end, cr);
        if (this.epoch !== epoch) return;
        if (after > 0) {
          at = after;
          continue;
        }
      }
      if (lf < at) lf = find(chunk, LF, at, end);
      const lineEnd = lf < cr ? lf : cr;
      if (lineEnd === end) break;
      if (this.line.length === 0) this.readLine(chunk, at, lineEnd);
      else this.readHeldLine(chunk, at, lineEnd);
      if (this.epoch !== epoch) return;
      at = lineEnd + 1;
      if (lineEnd === lf) counts.lf++;
      else if (at === end) this.afterCr = true;
      else if (at === lf) {
        at++;
        counts.crlf++;
      } else counts.cr++;
    }
    this.keep(chunk, at, end);
  }

  // The event that servers send a million times, an optional `event: ` line and one `data: ` line with LF or CRLF, whole in this
  // chunk: reported at once. Returns what follows it, or -1 for anything else; `cr` is where the next CR stands.
  private readUsualEvent(chunk: Buffer, start: number, end: number, cr: number): number {
    let at = start;
    let name = '';
    let crlfs = 0;
    if (chunk[at] === 101) {
      if (!startsWith(chunk, at, end, usual.event)) return -1;
      const lf = chunk.indexOf(LF, at + 7);
      if (lf < 0 || lf >= end) return -1;
      const isCrlf = cr < lf;
      if (isCrlf && cr !== lf - 1) return -1;
      name = eventNames.get(chunk, at + 7, isCrlf ? cr : lf);
      at = lf + 1;
      if (isCrlf) {
        crlfs++;
        cr = find(chunk, CR, at, end);
      }
    }
    if (!startsWith(chunk, at, end, usual.data)) return -1;
    const lf = chunk.indexOf(LF, at + 6);
    if (lf < 0 || lf + 1 >= end || lf - at > this.maxEventBytes) return -1;
    const isCrlf = cr < lf;
    if (isCrlf && cr !== lf - 1) return -1;
    if (isCrlf) crlfs++;
    let after = lf + 2;
    if (chunk[lf + 1] === CR && after < end && chunk[after] === LF) {
      after++;
      crlfs++;
    } else if (chunk[lf + 1] !== LF) return -1;
    this.sawLineEndings.crlf += crlfs;
    this.sawLineEndings.lf += (at === start ? 2 : 3) - crlfs;
    this.handler.onEvent(name, chunk, at + 6, isCrlf ? cr : lf);
    return after;
  }

  // What the next chunk will need of this one.
  private keep(chunk: Buffer, at: number, end: number): void {
    if (this.piece !== undefined) this.copyPiece();
    if (at >= end) return;
    this.checkSize(this.line.length + end - at);
    this.line.append(chunk, at, end);
  }

  private readHeldLine(chunk: Buffer, at: number, lineEnd: number): void {
    this.checkSize(this.line.length + lineEnd - at);
    this.line.append(chunk, at, lineEnd);
    const { bytes, length } = this.line;
    // Its bytes stay as they are until the next append, in `keep`, which first copies what is still needed of them.
    this.line.clear();
    this.readLine(bytes, 0, length);
  }

  private readLine(buffer: Buffer, start: number, end: number): void {
    if (start === end) return this.dispatch();
    this.checkSize(end - start);
    switch (buffer[start]) {
      case 100: // d
        if (isField(buffer, start, end, fields.data))
          this.takeData(buffer, valueStart(buffer, start + 4, end), end);
        return;
      case 101: // e
        if (!isField(buffer, start, end, fields.event)) return;
        this.sawField = true;
        this.event = eventNames.get(buffer, valueStart(buffer, start + 5, end), end);
        return;
      case COLON:
        this.handler.onComment?.(buffer, start + 1, end);
        return;
      case 105: // i
        if (isField(buffer, start, end, fields.id))
          this.takeId(buffer, valueStart(buffer, start + 2, end), end);
        return;
      case 114: // r
        if (isField(buffer, start, end, fields.retry))
          this.takeRetry(buffer, valueStart(buffer, start + 5, end), end);
    }
  }

  private takeData(buffer: Buffer, start: number, end: number): void {
    this.sawField = true;
    if (this.dataLines++ === 0) {
      this.piece = buffer;
      this.pieceStart = start;
      this.pieceEnd = end;
      return;
    }
    if (this.piece !== undefined) this.copyPiece();
    this.data.appendByte(LF);
    this.data.append(buffer, start, end);
  }

  private takeId(buffer: Buffer, start: number, end: number): void {
    this.sawField = true;
    if (this.handler.onId === undefined) return;
    const nul = buffer.indexOf(0, start);
    if (nul < 0 || nul >= end) this.id = buffer.toString('utf8', start, end);
  }

  private takeRetry(buffer: Buffer, start: number, end: number): void {
    if (this.handler.onRetry === undefined || start === end) return;
    for (let i = start; i < end; i++) if (buffer[i]! < 48 || buffer[i]! > 57) return;
    this.handler.onRetry(Number(buffer.toString('latin1', start, end)));
  }

  private dispatch(): void {
    const { event, piece, dataLines, id, epoch } = this;
    if (id !== undefined) {
      this.id = undefined;
      this.handler.onId?.(id);
      if (this.epoch !== epoch) return;
    }
    if (dataLines === 0) {
      this.event = '';
      this.sawField = false;
      return;
    }
    const buffer = piece ?? this.data.bytes;
    const start = piece === undefined ? 0 : this.pieceStart;
    const end = piece === undefined ? this.data.length : this.pieceEnd;
    this.clearEvent();
    this.handler.onEvent(event, buffer, start, end);
  }

  private clearEvent(): void {
    this.event = '';
    this.dataLines = 0;
    this.piece = undefined;
    this.id = undefined;
    this.sawField = false;
    if (this.data.length > 0) this.data.clear();
  }

  private copyPiece(): void {
    this.data.append(this.piece!, this.pieceStart, this.pieceEnd);
    this.piece = undefined;
  }

  // The same bytes in any pieces meet the same limit: the data so far plus the line, as far as it has come.
  private checkSize(lineBytes: number): void {
    const dataBytes = this.piece === undefined ? this.data.length : this.pieceEnd - this.pieceStart;
    if (lineBytes + dataBytes > this.maxEventBytes)
      throw new WireError('event-too-large', `an event is larger than ${this.maxEventBytes} bytes`);
  }

  private skipByteOrderMark(chunk: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end && this.markBytes < 3 && chunk[at] === byteOrderMark[this.markBytes]) {
      at++;
      this.markBytes++;
    }
    if (at < end && this.markBytes < 3) {
      this.line.append(byteOrderMark, 0, this.markBytes);
      this.markBytes = 3;
    }
    return at;
  }
}

function find(chunk: Buffer, byte: number, from: number, end: number): number {
  const at = chunk.indexOf(byte, from);
  return at < 0 || at > end ? end : at;
}

function startsWith(chunk: Buffer, at: number, end: number, bytes: Buffer): boolean {
  if (end - at < bytes.length) return false;
  for (let i = 0; i < bytes.length; i++) if (chunk[at + i] !== bytes[i]) return false;
  return true;
}

// A field is its name, then a colon or the end of the line.
function isField(buffer: Buffer, start: number, end: number, name: Buffer): boolean {
  const nameEnd = start + name.length;
  if (nameEnd > end || (nameEnd < end && buffer[nameEnd] !== COLON)) return false;
  for (let i = 0; i < name.length; i++) if (buffer[start + i] !== name[i]) return false;
  return true;
}

// After the colon, less one space; a field without a colon has an empty value.
function valueStart(buffer: Buffer, nameEnd: number, end: number): number {
  if (nameEnd >= end) return end;
  return buffer[nameEnd + 1] === SP && nameEnd + 1 < end ? nameEnd + 2 : nameEnd + 1;
}
