const maxNames = 32;
const maxNameBytes = 64;

/** Turns the bytes of names that keep coming back into one shared string each, without allocating after the first time. */
export class NameTable {
  private readonly names: string[] = [];
  private readonly bytes: Buffer[] = [];
  private last = 0;

  constructor(known: readonly string[] = []) {
    for (const name of known) this.remember(name, Buffer.from(name));
  }

  get(buffer: Buffer, start: number, end: number): string {
    const names = this.names;
    if (this.last < names.length && this.equals(this.last, buffer, start, end)) return names[this.last]!;
    for (let i = 0; i < names.length; i++) {
      if (!this.equals(i, buffer, start, end)) continue;
      this.last = i;
      return names[i]!;
    }
    const name = buffer.toString('utf8', start, end);
    // Bounded: a peer that makes up a new name each time must not fill our memory.
    if (names.length < maxNames && end - start <= maxNameBytes)
      this.remember(name, Buffer.from(buffer.subarray(start, end)));
    return name;
  }

  private remember(name: string, bytes: Buffer): void {
    this.names.push(name);
    this.bytes.push(bytes);
  }

  private equals(index: number, buffer: Buffer, start: number, end: number): boolean {
    const bytes = this.bytes[index]!;
    if (bytes.length !== end - start) return false;
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== buffer[start + i]) return false;
    return true;
  }
}
