import type { CallLog } from './call-log.js';
import type { DueQueue } from './due-queue.js';
import type { Loop } from './loop.js';
import type { Stats } from './stats.js';
import type { Stream } from './stream.js';

const splitGapNs = 1e6;

/** All open streams. What is sent to them in one turn of the event loop is gathered into one write per stream. */
export class Streams {
  readonly open: Stream[] = [];
  private dirty: Stream[] = [];
  private flushing: Stream[] = [];
  private scheduled = false;
  private readonly flushAll = (): void => this.flushDirty();

  constructor(
    private readonly loop: Loop,
    private readonly stats: Stats,
    private readonly due: DueQueue,
    private readonly log: CallLog | null,
    private readonly unreadLimitBytes: number,
  ) {}

  add(stream: Stream): void {
    stream.index = this.open.push(stream) - 1;
  }

  /** Puts an event (or, with `events` 0, a comment) into a stream's outbox. */
  send(stream: Stream, text: string, responses: number, events = 1): void {
    if (stream.rest !== null) {
      stream.rest.behind += text;
      stream.rest.responses += responses;
      stream.rest.events += events;
      return;
    }
    stream.outbox += text;
    stream.outboxResponses += responses;
    stream.outboxEvents += events;
    this.touch(stream);
  }

  /** Sends one event in two pieces, the second a moment after the first; cut at a byte, be it inside a character. */
  sendSplit(stream: Stream, text: string, responses: number, at: number): boolean {
    if (stream.rest !== null || stream.blocked) {
      this.send(stream, text, responses);
      return false;
    }
    this.flush(stream);
    const bytes = Buffer.from(text);
    const cut = 1 + Math.floor(at * (bytes.length - 1));
    stream.rest = { bytes: bytes.subarray(cut), behind: '', responses, events: 1 };
    this.write(stream, bytes.subarray(0, cut), cut);
    this.due.add(this.loop.nowNs() + splitGapNs, () => this.sendRest(stream));
    return true;
  }

  /** Writes what is in the outbox now instead of at the end of the turn. */
  flush(stream: Stream): void {
    if (stream.outbox === '' || stream.blocked || !stream.open) return;
    const text = stream.outbox;
    stream.outbox = '';
    this.stats.responsesSent += stream.outboxResponses;
    this.stats.eventsSent += stream.outboxEvents;
    stream.outboxResponses = 0;
    stream.outboxEvents = 0;
    this.write(stream, text, Buffer.byteLength(text));
    if (stream.records !== null) this.logSent(stream);
  }

  /** The reader has caught up. */
  drained(stream: Stream): void {
    stream.blocked = false;
    if (stream.outbox !== '') this.touch(stream);
  }

  /** Forgets a stream; what was still to be written to it counts as late. */
  remove(stream: Stream): void {
    stream.open = false;
    stream.outbox = '';
    this.stats.lateWrites += stream.outboxResponses + (stream.rest?.responses ?? 0);
    stream.outboxResponses = 0;
    stream.rest = null;
    if (stream.records !== null) this.logLate(stream);
    const last = this.open.pop()!;
    if (last !== stream) {
      this.open[stream.index] = last;
      last.index = stream.index;
    }
    stream.index = -1;
  }

  private touch(stream: Stream): void {
    if (stream.blocked) {
      // Cheap and close enough: a character of an outbox is at least one byte.
      if (stream.outbox.length > this.unreadLimitBytes) this.cutUnread(stream);
      return;
    }
    if (stream.dirty) return;
    stream.dirty = true;
    this.dirty.push(stream);
    if (this.scheduled) return;
    this.scheduled = true;
    this.loop.soon(this.flushAll);
  }

  private flushDirty(): void {
    this.scheduled = false;
    const streams = this.dirty;
    this.dirty = this.flushing;
    this.flushing = streams;
    for (let i = 0; i < streams.length; i++) {
      const stream = streams[i]!;
      stream.dirty = false;
      this.flush(stream);
    }
    streams.length = 0;
  }

  private write(stream: Stream, chunk: string | Uint8Array, bytes: number): void {
    this.stats.bytesOut += bytes;
    if (!stream.sink.write(chunk)) stream.blocked = true;
  }

  private sendRest(stream: Stream): void {
    const { rest } = stream;
    if (rest === null || !stream.open) return;
    stream.rest = null;
    this.stats.responsesSent += rest.responses;
    this.stats.eventsSent += rest.events;
    this.write(stream, rest.bytes, rest.bytes.length);
    if (rest.behind !== '') this.write(stream, rest.behind, Buffer.byteLength(rest.behind));
    if (stream.records !== null) this.logSent(stream);
  }

  private cutUnread(stream: Stream): void {
    this.stats.unreadCuts++;
    stream.sink.destroy();
  }

  private logSent(stream: Stream): void {
    const sentNs = this.loop.nowNs();
    for (const record of stream.records!) this.log!.write(record, sentNs);
    stream.records = null;
  }

  private logLate(stream: Stream): void {
    for (const record of stream.records!) {
      record.injected.push('late');
      this.log!.write(record, null);
    }
    stream.records = null;
  }
}
