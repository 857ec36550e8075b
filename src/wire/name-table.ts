const maxNames = 32;
const maxNameBytes = 64;

/** Turns the bytes of names that keep coming back into one shared string each, without allocating after the first time. */
export class NameTable {
  private readonly names: string[] = [];
  private readonly bytes: Buffer[] = [];
  private lastName = '';
  private lastBytes: Buffer = Buffer.alloc(0);

  constructor(known: readonly string[] = []) {
    for (const name of known) this.remember(name, Buffer.from(name));
  }

  get(buffer: Buffer, start: number, end: number): string {
    return standsAt(this.lastBytes, buffer, start, end) ? this.lastName : this.find(buffer, start, end);
  }

  private find(buffer: Buffer, start: number, end: number): string {
    for (let i = 0; i < this.names.length; i++) {
      if (!standsAt(this.bytes[i]!, buffer, start, end)) continue;
      this.lastBytes = this.bytes[i]!;
      return (this.lastName = this.names[i]!);
    }
    const name = buffer.toString('utf8', start, end);
    // Bounded: a peer that makes up a new name each time must not fill our memory.
    if (this.names.length < maxNames && end - start <= maxNameBytes)
      this.remember(name, Buffer.from(buffer.subarray(start, end)));
    return name;
  }

  private remember(name: string, bytes: Buffer): void {
    this.names.push(name);
    this.bytes.push(bytes);
  }
}

function standsAt(bytes: Buffer, buffer: Buffer, start: number, end: number): boolean {
  const length = bytes.length;
  if (length !== end - start) return false;
  for (let i = 0; i < length; i++) if (bytes[i] !== buffer[start + i]) return false;
  return true;
}
