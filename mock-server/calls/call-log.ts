import { appendFileSync } from 'node:fs';
import type { Loop } from '../time/loop.js';

const flushAfterMs = 100;
const flushAfterLines = 2000;

/** What becomes of one call, for one line of the log. */
export interface CallRecord {
  readonly idJson: string;
  readonly session: string;
  readonly tool: string;
  readonly receivedNs: number;
  readonly dueNs: number;
  readonly injected: string[];
}

/** One JSON line per call, in a file: what came when, was due when, was sent when, and what was done to it on purpose. */
export class CallLog {
  private lines: string[] = [];
  private timer: unknown;
  private broken = false;

  constructor(
    private readonly path: string,
    private readonly loop: Loop,
  ) {}

  /** `sentNs` null: nothing was sent. */
  write(record: CallRecord, sentNs: number | null): void {
    this.add(
      `{"id":${record.idJson},"session":${JSON.stringify(record.session)},"tool":${JSON.stringify(record.tool)},` +
        `"receivedNs":${this.at(record.receivedNs)},"dueNs":${this.at(record.dueNs)},` +
        `"sentNs":${sentNs === null ? 'null' : this.at(sentNs)},"injected":${JSON.stringify(record.injected)}}\n`,
    );
  }

  /** The server stood still on purpose. */
  freeze(fromNs: number, toNs: number): void {
    this.add(`{"freeze":{"fromNs":${this.at(fromNs)},"toNs":${this.at(toNs)}}}\n`);
  }

  private add(line: string): void {
    if (this.broken) return;
    this.lines.push(line);
    if (this.lines.length >= flushAfterLines) this.flush();
    else this.timer ??= this.loop.after(flushAfterMs, () => this.flush());
  }

  // Nanoseconds of the machine's monotonic clock: comparable with those of another process on it.
  private at(ns: number): string {
    return String(this.loop.originNs + BigInt(ns));
  }

  flush(): void {
    this.loop.clear(this.timer);
    this.timer = undefined;
    const { lines } = this;
    this.lines = [];
    if (lines.length === 0) return;
    try {
      appendFileSync(this.path, lines.join(''));
    } catch (error) {
      // A full disk must not end the server: the log is incomplete from here on, and says so.
      this.broken = true;
      console.error(`mcp-bench: the log ${this.path} ends here: ${(error as Error).message}`);
    }
  }
}
