import { closeSync, openSync, readSync } from 'node:fs';

/** What the system says of one thread so far. */
export interface ThreadTimes {
  readonly cpuNs: number;
  /** Ready to run and without a core. */
  readonly waitedNs: number;
  /** Times that it was given a core. */
  readonly slices: number;
}

/** Reads the times of the thread that opened it, for a few microseconds; Linux only, else null. */
export class ThreadClock {
  private file: number | null = null;
  private readonly text = Buffer.alloc(80);

  open(): void {
    try {
      this.file = openSync('/proc/thread-self/schedstat', 'r');
    } catch {
      this.file = null;
    }
  }

  read(): ThreadTimes | null {
    if (this.file === null) return null;
    try {
      const bytes = readSync(this.file, this.text, 0, this.text.length, 0);
      const [cpuNs, waitedNs, slices] = this.text.toString('latin1', 0, bytes).split(' ').map(Number);
      return { cpuNs, waitedNs, slices };
    } catch {
      return null;
    }
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }
}
