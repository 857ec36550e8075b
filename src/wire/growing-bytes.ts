const empty = Buffer.alloc(0);
const firstBytes = 256;
const keptBytes = 16 * 1024;

/** An append-only byte store that doubles as it grows, so that appending n bytes in any pieces costs O(n). */
export class GrowingBytes {
  /** Only the first `length` bytes mean anything; replaced when it grows. */
  bytes: Buffer = empty;
  length = 0;

  append(source: Buffer, start: number, end: number): void {
    const needed = this.length + end - start;
    if (needed > this.bytes.length) this.grow(needed);
    source.copy(this.bytes, this.length, start, end);
    this.length = needed;
  }

  appendByte(byte: number): void {
    if (this.length === this.bytes.length) this.grow(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  /** Empties it, and lets go of the memory that one large message needed: a fleet has thousands of these. */
  clear(): void {
    this.length = 0;
    if (this.bytes.length > keptBytes) this.bytes = empty;
  }

  private grow(needed: number): void {
    let capacity = Math.max(firstBytes, this.bytes.length * 2);
    while (capacity < needed) capacity *= 2;
    // Not from Node's shared pool: a small slice of it would keep a whole 8 KB slab alive.
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
