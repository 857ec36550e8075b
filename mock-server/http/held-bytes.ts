const firstBytes = 512;

/** Bytes that came in pieces, in one buffer that doubles as it grows: n bytes cost O(n), however small the pieces are. */
export class HeldBytes {
  /** Only the first `length` bytes mean anything; replaced when it grows. */
  bytes: Buffer = Buffer.alloc(0);
  length = 0;

  append(source: Buffer, start: number, end: number): void {
    const needed = this.length + end - start;
    if (needed > this.bytes.length) this.grow(needed);
    source.copy(this.bytes, this.length, start, end);
    this.length = needed;
  }

  text(): string {
    return this.bytes.toString('utf8', 0, this.length);
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
