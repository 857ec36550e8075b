/** Someone whose bytes were read, and who handles them now or later. */
export interface Reader {
  /** Handles bytes that were read at `atNs`; valid only during the call. */
  onHeldRead(chunk: Buffer, atNs: number): void;
}

// The answers to a burst of some ten thousand calls; more is handled at once.
const mostBytes = 4 * 1024 * 1024;

/**
 * Bytes that were read while something more urgent is being written, each with its moment: handling them takes several times as
 * long as reading them. Handled in the order in which they came, so that nothing overtakes anything.
 */
export class HeldReads {
  private bytes: Buffer | null = null;
  private used = 0;
  private readers: Reader[] = [];
  /** Of each read: when it was read, since when its bytes may have been there, and where they end. */
  private moments: number[] = [];
  private next = 0;
  private holding = false;

  /** `replay` handles one read as if it were its moment. */
  constructor(
    private readonly replay: (reader: Reader, chunk: Buffer, atNs: number, sinceNs: number) => void,
  ) {}

  /** New reads are to be kept: so it was asked, or earlier ones still wait. */
  get keeping(): boolean {
    return this.holding || this.next < this.readers.length;
  }

  hold(): void {
    this.holding = true;
  }

  /** Keeps a read; where there is no more room, all that waits is handled first. */
  keep(reader: Reader, chunk: Buffer, atNs: number, sinceNs: number): void {
    if (this.used + chunk.length > mostBytes) this.handleAll();
    if (chunk.length > mostBytes) {
      this.replay(reader, chunk, atNs, sinceNs);
      return;
    }
    this.bytes ??= Buffer.allocUnsafeSlow(mostBytes);
    chunk.copy(this.bytes, this.used);
    this.used += chunk.length;
    this.readers.push(reader);
    this.moments.push(atNs, sinceNs, this.used);
  }

  /** Ends the holding and handles what waits for as long as `more` allows; true where nothing waits any more. */
  release(more: () => boolean): boolean {
    this.holding = false;
    while (this.next < this.readers.length) {
      this.handleNext();
      if (!more()) break;
    }
    if (this.next < this.readers.length) return false;
    this.clear();
    return true;
  }

  /** Handles all that waits. */
  handleAll(): void {
    while (this.next < this.readers.length) this.handleNext();
    this.clear();
  }

  private handleNext(): void {
    const { next, moments } = this;
    this.next++;
    const start = next === 0 ? 0 : moments[3 * next - 1];
    const chunk = this.bytes!.subarray(start, moments[3 * next + 2]);
    this.replay(this.readers[next], chunk, moments[3 * next], moments[3 * next + 1]);
  }

  private clear(): void {
    this.readers = [];
    this.moments = [];
    this.next = 0;
    this.used = 0;
  }
}
