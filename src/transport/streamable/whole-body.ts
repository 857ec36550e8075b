import { GrowingBytes } from '../../wire/growing-bytes.js';
import { WireError } from '../../wire/wire-error.js';

/** A body that is wanted whole: one that comes in a single piece is not copied. */
export class WholeBody {
  private piece: Buffer | null = null;
  private pieceStart = 0;
  private pieceEnd = 0;
  private kept: GrowingBytes | null = null;

  constructor(private readonly maxBytes: number) {}

  /** Bytes [start, end) of `chunk` come next; they stay as they are until `keep` is called. */
  add(chunk: Buffer, start: number, end: number): void {
    if (this.length + end - start > this.maxBytes)
      throw new WireError('body-too-large', `the body of a reply is larger than ${this.maxBytes} bytes`);
    if (this.kept === null && this.piece === null) {
      this.piece = chunk;
      this.pieceStart = start;
      this.pieceEnd = end;
      return;
    }
    this.keep();
    this.kept!.append(chunk, start, end);
  }

  /** Copies what would be overwritten. */
  keep(): void {
    if (this.piece === null) return;
    this.kept = new GrowingBytes();
    this.kept.append(this.piece, this.pieceStart, this.pieceEnd);
    this.piece = null;
  }

  get length(): number {
    return this.kept === null ? this.pieceEnd - this.pieceStart : this.kept.length;
  }

  /** Its bytes are [start, end) of this. */
  get buffer(): Buffer {
    return this.kept?.bytes ?? this.piece ?? empty;
  }

  get start(): number {
    return this.kept === null ? this.pieceStart : 0;
  }

  get end(): number {
    return this.start + this.length;
  }
}

const empty = Buffer.alloc(0);
