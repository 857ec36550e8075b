import type { CallLog, CallRecord } from '../calls/call-log.js';
import type { DueQueue } from '../time/due-queue.js';
import type { Loop } from '../time/loop.js';
import type { Stats } from '../stats.js';
import type { Session } from './session.js';
import type { Backlog, Stream } from './stream.js';

const splitGapNs = 1e6;
const outboxCharacters = 1024 * 1024;
// Less than a socket has room for when it says that it has room again: then an engine's own buffer shrinks at every step.
const catchUpCharacters = 16_384;

/** All open streams. What is sent to them in one turn of the event loop is gathered into one write per stream. */
export class Streams<Owner = Session> {
  readonly open: Stream<Owner>[] = [];
  private dirty: Stream<Owner>[] = [];
  private flushing: Stream<Owner>[] = [];
  private scheduled = false;
  private readonly flushAll = (): void => this.flushDirty();

  constructor(
    private readonly loop: Loop,
    private readonly stats: Stats,
    private readonly due: DueQueue,
    private readonly log: CallLog | null,
    private readonly unreadLimitBytes: number,
    /** Called for a stream whose reader does not read. */
    private readonly cutUnread: (stream: Stream<Owner>) => void,
  ) {}

  add(stream: Stream<Owner>): void {
    stream.index = this.open.push(stream) - 1;
  }

  /** Puts an event (or, with `events` 0, a comment) into a stream's outbox; a call's record is logged when that is written. */
  send(
    stream: Stream<Owner>,
    text: string,
    responses: number,
    events = 1,
    record: CallRecord | null = null,
  ): void {
    if (stream.rest !== null) {
      stream.rest.behind += text;
      stream.rest.responses += responses;
      stream.rest.events += events;
      if (record !== null) (stream.rest.records ??= []).push(record);
      if (stream.rest.behind.length > outboxCharacters) this.sendRest(stream);
    } else if (stream.blocked) {
      this.keep(stream, { text, responses, events, record });
    } else {
      stream.outbox += text;
      if (record !== null) (stream.records ??= []).push(record);
      stream.outboxResponses += responses;
      stream.outboxEvents += events;
      this.touch(stream);
      // A few huge answers in one turn must neither pass the longest string there can be nor escape the unread limit.
      if (stream.outbox.length > outboxCharacters) this.flush(stream);
    }
  }

  /** Sends one event in two pieces, the second a moment after the first; cut at a byte, be it inside a character. */
  sendSplit(
    stream: Stream<Owner>,
    text: string,
    responses: number,
    at: number,
    record: CallRecord | null = null,
  ): void {
    this.flush(stream);
    if (stream.rest !== null || stream.blocked) return this.send(stream, text, responses, 1, record);
    const bytes = Buffer.from(text);
    const cut = 1 + Math.floor(at * (bytes.length - 1));
    const records = record === null ? null : [record];
    stream.rest = { bytes: bytes.subarray(cut), behind: '', responses, events: 1, records };
    this.write(stream, bytes.subarray(0, cut), cut);
    this.due.add(this.loop.nowNs() + splitGapNs, () => this.sendRest(stream));
  }

  /** Writes what is in the outbox now instead of at the end of the turn. */
  flush(stream: Stream<Owner>): void {
    if (stream.outbox === '' || !stream.open) return;
    const { text, records } = this.takeOutbox(stream);
    this.write(stream, text, Buffer.byteLength(text));
    if (records !== null) this.logSent(records);
  }

  /** The reader has caught up, or at least made room. */
  drained(stream: Stream<Owner>): void {
    stream.blocked = false;
    while (stream.open && stream.backlog !== null && !stream.blocked) this.catchUp(stream, catchUpCharacters);
  }

  /** Writes all that is waiting, whether the reader is behind or not. */
  flushBacklog(stream: Stream<Owner>): void {
    this.flush(stream);
    this.sendRest(stream);
    while (stream.backlog !== null) this.catchUp(stream, outboxCharacters);
  }

  /** Ends a stream in good order, in one write with what waits in its outbox. */
  finish(stream: Stream<Owner>): void {
    if (!stream.open) return;
    const { sink, outbox } = stream;
    if (outbox === '' || stream.blocked || stream.rest !== null || stream.backlog !== null) {
      this.flushBacklog(stream);
      this.remove(stream);
      return sink.end();
    }
    const { records } = this.takeOutbox(stream);
    this.stats.bytesOut += Buffer.byteLength(outbox);
    this.remove(stream);
    sink.end(outbox);
    if (records !== null) this.logSent(records);
  }

  /** Forgets a stream; what was still to be written to it counts as late. */
  remove(stream: Stream<Owner>): void {
    const waiting = stream.backlog?.events ?? [];
    this.stats.lateWrites +=
      stream.outboxResponses +
      (stream.rest?.responses ?? 0) +
      waiting.reduce((sum, event) => sum + event.responses, 0);
    if (this.log !== null)
      this.logLate([
        ...(stream.rest?.records ?? []),
        ...(stream.records ?? []),
        ...waiting.map(({ record }) => record),
      ]);
    stream.open = false;
    stream.outbox = '';
    stream.outboxResponses = 0;
    stream.backlog = null;
    stream.rest = null;
    stream.records = null;
    const last = this.open.pop()!;
    if (last !== stream) {
      this.open[stream.index] = last;
      last.index = stream.index;
    }
    stream.index = -1;
  }

  /** Empties the outbox, as what has been sent. */
  private takeOutbox(stream: Stream<Owner>): { text: string; records: CallRecord[] | null } {
    const { outbox: text, records } = stream;
    stream.outbox = '';
    this.stats.responsesSent += stream.outboxResponses;
    this.stats.eventsSent += stream.outboxEvents;
    stream.outboxResponses = 0;
    stream.outboxEvents = 0;
    stream.records = null;
    return { text, records };
  }

  private keep(stream: Stream<Owner>, event: Backlog['events'][number]): void {
    stream.backlog ??= { events: [], characters: 0 };
    stream.backlog.events.push(event);
    stream.backlog.characters += event.text.length;
    // A character is at least one byte. Cut at the end of the turn: whoever sends is still walking over the streams.
    if (stream.backlog.characters > this.unreadLimitBytes) this.touch(stream);
  }

  private catchUp(stream: Stream<Owner>, mostCharacters: number): void {
    const backlog = stream.backlog!;
    const records: CallRecord[] = [];
    let text = '';
    let count = 0;
    for (const event of backlog.events) {
      if (text !== '' && text.length + event.text.length > mostCharacters) break;
      text += event.text;
      this.stats.responsesSent += event.responses;
      this.stats.eventsSent += event.events;
      if (event.record !== null) records.push(event.record);
      count++;
    }
    backlog.events.splice(0, count);
    backlog.characters -= text.length;
    if (backlog.events.length === 0) stream.backlog = null;
    this.write(stream, text, Buffer.byteLength(text));
    if (records.length > 0) this.logSent(records);
  }

  private touch(stream: Stream<Owner>): void {
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
      if (stream.backlog !== null && stream.backlog.characters > this.unreadLimitBytes)
        this.cutUnread(stream);
      else this.flush(stream);
    }
    streams.length = 0;
  }

  private write(stream: Stream<Owner>, chunk: string | Uint8Array, bytes: number): void {
    this.stats.bytesOut += bytes;
    if (!stream.sink.write(chunk)) stream.blocked = true;
  }

  private sendRest(stream: Stream<Owner>): void {
    const { rest } = stream;
    if (rest === null || !stream.open) return;
    stream.rest = null;
    this.stats.responsesSent += rest.responses;
    this.stats.eventsSent += rest.events;
    this.write(stream, rest.bytes, rest.bytes.length);
    if (rest.behind !== '') this.write(stream, rest.behind, Buffer.byteLength(rest.behind));
    if (rest.records !== null) this.logSent(rest.records);
  }

  private logSent(records: readonly CallRecord[]): void {
    const sentNs = this.loop.nowNs();
    for (const record of records) this.log!.write(record, sentNs);
  }

  private logLate(records: readonly (CallRecord | null)[]): void {
    for (const record of records) {
      if (record === null) continue;
      record.injected.push('late');
      this.log!.write(record, null);
    }
  }
}
