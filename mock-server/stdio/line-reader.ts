/** Who is told what a `LineReader` finds. */
export interface LineHandler {
  /** One line without its end; the reader may be held from here on. */
  line(text: string, bytes: number): void;
  /** A line is longer than it may be, and is skipped to its end. */
  tooLong(): void;
  /** All that came before the end of the input has been told. */
  end(): void;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Cuts bytes into lines of a bounded length; while it is held, it keeps what comes, which its source should stop then. */
export class LineReader {
  private parts: Buffer[] = [];
  private heldBytes = 0;
  private skipping = false;
  private held = false;
  private ended = false;
  private done = false;
  private waiting: Buffer[] = [];

  constructor(
    private readonly handler: LineHandler,
    private readonly mostBytes: number,
  ) {}

  feed(chunk: Buffer): void {
    if (this.held) this.waiting.push(chunk);
    else this.scan(chunk);
  }

  /** The input has ended: a last line needs no line end. */
  end(): void {
    this.ended = true;
    if (!this.held) this.finish();
  }

  /** Tells no more lines until `release`. */
  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    while (!this.held && this.waiting.length > 0) this.scan(this.waiting.shift()!);
    if (this.ended && !this.held) this.finish();
  }

  private scan(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(lineFeed, from);
      if (at === -1) break;
      this.complete(chunk.subarray(from, at), 1);
      from = at + 1;
      if (!this.held) continue;
      if (from < chunk.length) this.waiting.unshift(chunk.subarray(from));
      return;
    }
    if (from < chunk.length) this.keep(chunk.subarray(from));
  }

  private keep(part: Buffer): void {
    if (this.skipping) return;
    this.heldBytes += part.length;
    if (this.heldBytes > this.mostBytes) return this.skip();
    this.parts.push(part);
  }

  private skip(): void {
    this.skipping = true;
    this.parts = [];
    this.heldBytes = 0;
    this.handler.tooLong();
  }

  private complete(last: Buffer, endBytes: number): void {
    if (!this.skipping && this.heldBytes + last.length > this.mostBytes) this.skip();
    if (this.skipping) {
      this.skipping = false;
      return;
    }
    const whole = this.parts.length === 0 ? last : Buffer.concat([...this.parts, last]);
    this.parts = [];
    this.heldBytes = 0;
    const length = whole.at(-1) === carriageReturn ? whole.length - 1 : whole.length;
    if (length > 0) this.handler.line(whole.toString('utf8', 0, length), whole.length + endBytes);
  }

  private finish(): void {
    if (this.done) return;
    this.done = true;
    this.complete(Buffer.alloc(0), 0);
    // The last line may have held it.
    if (this.held) this.done = false;
    else this.handler.end();
  }
}
