import { GrowingBytes } from './growing-bytes.js';
import { WireError } from './wire-error.js';

/** Receives one line, without what ended it: bytes [start, end) of `buffer`, valid only during the call. It may call `reset`. */
export type LineTaker = (buffer: Buffer, start: number, end: number) => void;

export interface LineLimits {
  /** Of a line, without what ends it; 16 MiB unless told. */
  maxLineBytes?: number;
}

const LF = 10;
const CR = 13;

/** Splits bytes into lines that end with LF or CRLF; no I/O, and a line within one chunk is not copied. */
export class LineParser {
  private readonly maxLineBytes: number;
  /** The beginning of a line whose end has not come. */
  private readonly held = new GrowingBytes();
  /** Changes with each reset, so that `feed` notices one made by the taker. */
  private epoch = 0;

  constructor(
    private readonly take: LineTaker,
    limits: LineLimits = {},
  ) {
    this.maxLineBytes = limits.maxLineBytes ?? 16 * 1024 * 1024;
  }

  /** Reports the lines that the chunk completes; throws WireError('line-too-large'). */
  feed(chunk: Buffer): void {
    const { epoch } = this;
    let at = 0;
    for (let lf = chunk.indexOf(LF); lf >= 0; lf = chunk.indexOf(LF, at)) {
      if (this.held.length === 0) this.report(chunk, at, lf);
      else this.reportHeld(chunk, at, lf);
      if (this.epoch !== epoch) return;
      at = lf + 1;
    }
    if (at === chunk.length) return;
    // A CR at the end may belong to what ends the line.
    this.checkSize(this.held.length + chunk.length - at - 1);
    this.held.append(chunk, at, chunk.length);
  }

  /** There will be no more bytes: true if an unfinished line was dropped. Ready for others. */
  end(): boolean {
    const cut = this.held.length > 0;
    this.reset();
    return cut;
  }

  /** Forgets the unfinished line. */
  reset(): void {
    this.epoch++;
    this.held.clear();
  }

  private reportHeld(chunk: Buffer, at: number, lf: number): void {
    this.checkSize(this.held.length + lf - at - 1);
    this.held.append(chunk, at, lf);
    const { bytes, length } = this.held;
    // Its bytes stay as they are until the next append, which is after the taker has had them.
    this.held.clear();
    this.report(bytes, 0, length);
  }

  private report(buffer: Buffer, start: number, end: number): void {
    const lineEnd = end > start && buffer[end - 1] === CR ? end - 1 : end;
    this.checkSize(lineEnd - start);
    this.take(buffer, start, lineEnd);
  }

  private checkSize(bytes: number): void {
    if (bytes > this.maxLineBytes)
      throw new WireError('line-too-large', `a line is larger than ${this.maxLineBytes} bytes`);
  }
}
