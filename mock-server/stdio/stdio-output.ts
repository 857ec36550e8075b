import type { CallLog, CallRecord } from '../calls/call-log.js';
import type { DueQueue } from '../time/due-queue.js';
import type { Loop } from '../time/loop.js';
import { messageJson } from '../peers/era-text.js';
import { noiseLine, stderrText } from './noise.js';
import type { Peer } from '../peers/peer.js';
import type { Stats } from '../stats.js';
import type { StdioCounts } from './stdio-stats.js';
import { Stream } from '../sessions/stream.js';
import type { StreamSink } from '../sessions/stream.js';
import { Streams } from '../sessions/streams.js';

/** What lines are written with. */
export interface StdioOutputParts {
  readonly loop: Loop;
  readonly due: DueQueue;
  readonly stats: Stats;
  readonly counts: StdioCounts;
  readonly log: CallLog | null;
  readonly stdout: StreamSink;
  readonly owner: Peer;
  /** `\n`, or `\r\n`. */
  readonly lineEnd: string;
  stderr(text: string): void;
}

/** All that the mock writes: lines on stdout, gathered into one write a turn, and text on stderr. */
export class StdioOutput {
  readonly streams: Streams<Peer>;
  readonly stream: Stream<Peer>;
  readonly lineEnd: string;

  constructor(private readonly using: StdioOutputParts) {
    const { loop, stats, due, log, stdout, owner } = using;
    this.lineEnd = using.lineEnd;
    // Who does not read is not cut off: the input waits instead, as the server says.
    this.streams = new Streams<Peer>(loop, stats, due, log, Infinity, () => undefined);
    this.stream = new Stream(stdout, owner);
    this.streams.add(this.stream);
  }

  /** How much waits for a client that is behind with reading. */
  get waitingCharacters(): number {
    return this.stream.backlog?.characters ?? 0;
  }

  /** One message; `responses` 1 where it is the response to a request. */
  message(data: string, responses: number, record: CallRecord | null = null): void {
    if (this.stream.open) this.streams.send(this.stream, data + this.lineEnd, responses, 1, record);
  }

  /** One message in two pieces, cut at that share of its bytes. */
  split(data: string, at: number, record: CallRecord | null): void {
    if (this.stream.open) this.streams.sendSplit(this.stream, data + this.lineEnd, 1, at, record);
  }

  notify(method: string, paramsJson: string): void {
    if (!this.stream.open) return;
    this.using.stats.notificationsSent++;
    this.message(messageJson(method, paramsJson), 0);
  }

  /** A line that is not JSON. */
  noise(): void {
    if (!this.stream.open) return;
    const text = noiseLine(this.using.counts.noise++);
    this.streams.send(this.stream, text + this.lineEnd, 0, 0);
  }

  stderr(bytes: number): void {
    if (bytes === 0) return;
    this.using.counts.stderrBytes += bytes;
    this.using.stderr(stderrText(bytes));
  }

  flush(): void {
    this.streams.flush(this.stream);
  }

  drained(): void {
    this.streams.drained(this.stream);
  }

  /** Ends in good order, with all that waits. */
  finish(): void {
    this.streams.finish(this.stream);
  }

  /** Ends in the middle of a line, and without what a full pipe did not take. */
  breakOff(beginning: string): void {
    if (this.stream.blocked) return this.lose();
    if (beginning !== '') this.streams.send(this.stream, beginning, 0, 0);
    this.finish();
  }

  /** Nobody reads it any more: what waits is late. */
  lose(): void {
    this.streams.remove(this.stream);
  }
}
