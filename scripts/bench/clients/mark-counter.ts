/** Counts how often a mark occurs in a stream of bytes, over the borders of chunks too. The mark must not overlap itself. */
export class MarkCounter {
  /** How many bytes of the mark the last chunk ended with. */
  private begun = 0;

  constructor(private readonly mark: Buffer) {}

  feed(chunk: Buffer): number {
    const { mark } = this;
    let count = 0;
    let from = 0;
    if (this.begun > 0) {
      from = this.continued(chunk);
      if (from > 0) count++;
      else if (this.begun > 0) return 0;
    }
    for (let at = chunk.indexOf(mark, from); at >= 0; at = chunk.indexOf(mark, from)) {
      count++;
      from = at + mark.length;
    }
    this.begun = this.begunAtEnd(chunk, from);
    return count;
  }

  /** Where the mark that the last chunk began ends in this one; 0 where it does not. */
  private continued(chunk: Buffer): number {
    const rest = this.mark.length - this.begun;
    const length = Math.min(rest, chunk.length);
    for (let i = 0; i < length; i++) {
      if (chunk[i] !== this.mark[this.begun + i]) {
        this.begun = 0;
        return 0;
      }
    }
    if (length < rest) {
      this.begun += length;
      return 0;
    }
    this.begun = 0;
    return rest;
  }

  private begunAtEnd(chunk: Buffer, from: number): number {
    const { mark } = this;
    for (let size = Math.min(mark.length - 1, chunk.length - from); size > 0; size--) {
      let i = 0;
      while (i < size && chunk[chunk.length - size + i] === mark[i]) i++;
      if (i === size) return size;
    }
    return 0;
  }
}
