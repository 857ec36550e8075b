const streams = 0;
const connections = 1;
const sessions = 2;
const cellCount = 3;

/** What the whole mock has open, on however many threads: limits are its own and not each thread's. */
export class Usage {
  /** Threads of one mock share the cells. */
  constructor(private readonly cells: Int32Array = new Int32Array(cellCount)) {}

  /** Cells that several threads can count in. */
  static sharedCells(): Int32Array {
    return new Int32Array(new SharedArrayBuffer(cellCount * Int32Array.BYTES_PER_ELEMENT));
  }

  /** Counts one more stream; false, and none counted, where there are as many as there may be. */
  takeStream(most: number): boolean {
    return this.take(streams, most);
  }

  giveStream(): void {
    Atomics.sub(this.cells, streams, 1);
  }

  /** The same for a session of Streamable HTTP, which is none of its streams. */
  takeSession(most: number): boolean {
    return this.take(sessions, most);
  }

  giveSession(): void {
    Atomics.sub(this.cells, sessions, 1);
  }

  private take(cell: number, most: number): boolean {
    for (;;) {
      const open = Atomics.load(this.cells, cell);
      if (open >= most) return false;
      if (Atomics.compareExchange(this.cells, cell, open, open + 1) === open) return true;
    }
  }

  /** Counts connections that came or went, and says how many there are then. */
  connections(change: number): number {
    return Atomics.add(this.cells, connections, change) + change;
  }
}
