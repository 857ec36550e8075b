import type { Answers } from '../http/answers.js';
import type { CallLog, CallRecord } from '../calls/call-log.js';
import type { DueQueue } from '../time/due-queue.js';
import type { EventText } from './event-text.js';
import type { CallAnswer, Twist } from '../peers/call-answer.js';
import type { PeerCall } from '../peers/peer-call.js';
import type { Peer } from '../peers/peer.js';
import type { BodyPost } from '../http/post.js';
import { httpReply } from '../http/http-reply.js';
import type { HttpReply } from '../http/http-reply.js';
import type { Loop } from '../time/loop.js';
import type { Stats } from '../stats.js';
import { refusals } from './refusals.js';
import { plainStreamHead, Stream } from '../sessions/stream.js';
import type { BodyHead, BodyReader } from '../sessions/stream.js';
import type { Streams } from '../sessions/streams.js';
import { bodyFor } from './streamable-options.js';
import type { StreamableOptions } from './streamable-options.js';

const splitGapNs = 1e6;
const jsonHead: BodyHead = { contentType: 'application/json', headers: [] };
const firstPrimed = '2025-11-25';

/** What answers work with. */
export interface AnswerParts {
  readonly options: StreamableOptions;
  readonly text: EventText;
  readonly streams: Streams<Peer>;
  readonly stats: Stats;
  readonly answers: Answers;
  readonly due: DueQueue;
  readonly loop: Loop;
  readonly log: CallLog | null;
}

const noTwist: Twist = { record: null, twice: false, splitAt: -1 };

/** The answer to one POST: a JSON body, or a stream in its body that may break off and go on elsewhere. */
export class Answer implements CallAnswer {
  /** Calls that have not come to their end. */
  private readonly calls: PeerCall[] = [];
  stream: Stream<Peer> | null = null;
  /** Its client has gone, and nobody will read it. */
  gone = false;
  /** Its stream has ended before its last response: the rest can be had by resuming it. */
  detached = false;
  done = false;
  /** A body that is written piece by piece has begun: who reads it is told there what becomes of it. */
  private begun = false;
  private number = 0;
  private sequence = 0;
  private readonly parts: string[] = [];

  constructor(
    private readonly using: AnswerParts,
    private readonly post: BodyPost,
    readonly peer: Peer,
    /** Responses that are to come. */
    private expected: number,
    private readonly batch: boolean,
    /** It is a stream also where there is nothing but the response. */
    readonly wantsStream: boolean,
  ) {
    peer.answers.add(this);
    post.whenGone = () => {
      if (!this.begun && !this.done) this.leave();
    };
  }

  began(call: PeerCall): void {
    this.calls.push(call);
  }

  ended(call: PeerCall): void {
    this.calls.splice(this.calls.indexOf(call), 1);
  }

  /** It can have messages before its response. */
  get mayStream(): boolean {
    return bodyFor(this.using.options, this.peer.era) !== 'json';
  }

  /** Sends the head of a stream before there is a response, where the endpoint does so. */
  startEarly(): void {
    if (this.wantsStream && this.using.options.headers === 'early') this.start();
  }

  /** Puts a message before the response, or on the session's own stream; false where there is neither. */
  emit(data: string): boolean {
    if (this.gone || this.done) return false;
    if (!this.mayStream || (this.stream === null && !this.detached && this.batch && !this.wantsStream)) {
      const [other] = this.peer.streams;
      if (other === undefined) return false;
      this.using.streams.send(other, this.using.text.event(data), 0);
      return true;
    }
    this.start();
    this.push(data, 0);
    return true;
  }

  /** Gives a response; false where nobody can get it any more. */
  respond(data: string, status = 200, twist = noTwist): boolean {
    this.expected--;
    if (this.gone) return false;
    if (this.stream === null && !this.detached) {
      // A status of its own needs a body that is none: the head of a stream says 200.
      if (!this.wantsStream || status !== 200) return this.respondJson(data, status, twist);
      if (this.fitsOneWrite(twist)) return this.respondAtOnce(data, twist.record);
      this.start();
      if (this.gone) return false;
    }
    this.push(data, 1, twist.record, twist.splitAt);
    if (twist.twice) this.push(data, 1);
    if (this.expected === 0) this.release(twist.splitAt >= 0 ? 2 * splitGapNs : 0);
    return true;
  }

  /** Refuses the POST: nothing follows. */
  refuse(status: number): void {
    this.done = true;
    this.peer.answers.delete(this);
    this.using.answers.answer(this.post, httpReply(status, 'Injected by the mock'));
  }

  /** A call that will not be answered. */
  drop(): void {
    this.expected--;
    if (this.expected > 0 || this.gone) return;
    if (this.stream !== null || this.detached) this.release(0);
    else if (this.parts.length > 0) this.reply(`[${this.parts.join(',')}]`, 200);
    else
      this.finishWith({
        status: 202,
        statusLine: '202 Accepted',
        contentType: '',
        body: '',
        headers: [],
        chunked: false,
      });
  }

  /** Breaks the connection off. */
  cut(): void {
    const { streams } = this.using;
    const { stream } = this;
    this.leave();
    this.stream = null;
    if (stream !== null) {
      streams.flush(stream);
      streams.remove(stream);
      stream.sink.destroy();
    } else this.post.begin(plainStreamHead, { drained: () => undefined, lost: () => undefined })?.destroy();
  }

  /** Ends the stream though there is more to come; false where that could not be had by resuming it. */
  disconnect(): boolean {
    if (this.peer.store === null || !this.mayStream || this.gone || this.detached) return false;
    this.start();
    if (this.stream === null || this.sequence === 0) return false;
    this.detached = true;
    this.using.stats.streamable.disconnects++;
    this.using.streams.finish(this.stream);
    this.stream = null;
    return true;
  }

  /** Goes on with a stream on another connection, and ends it on the one before; false where that is not the stream. */
  attach(streamNumber: number, stream: Stream<Peer>): boolean {
    if (streamNumber !== this.number || this.done) return false;
    const before = this.stream;
    this.detached = false;
    this.stream = stream;
    if (before !== null) this.using.streams.finish(before);
    return true;
  }

  /** Its client has gone from the connection that its stream was on. */
  lost(why: 'client' | 'unread'): void {
    const { stream } = this;
    if (stream === null) return;
    this.stream = null;
    if (stream.open) {
      if (why === 'unread') this.using.stats.unreadCuts++;
      this.using.streams.remove(stream);
    }
    if (this.done) return;
    if (this.peer.store !== null && this.sequence > 0) this.detached = true;
    else this.leave();
  }

  /** Its session has ended, and with it what was still to come; a POST that has no answer yet is told so. */
  abandon(): void {
    if (this.done || this.gone) return;
    for (const call of this.calls.slice()) call.leave();
    if (this.stream === null && !this.detached) this.finishWith(refusals.sessionEnded);
    else this.end();
  }

  /** Begins the stream, where it has not begun. */
  start(): void {
    if (this.stream !== null || this.detached || this.gone) return;
    const { streams, stats, options, text } = this.using;
    const head: BodyHead = { contentType: 'text/event-stream', headers: this.peer.headers };
    const reader: BodyReader = {
      drained: () => {
        if (this.stream !== null) streams.drained(this.stream);
      },
      lost: (why) => {
        // It may have gone on elsewhere.
        if (this.stream?.sink === sink) this.lost(why);
      },
    };
    const sink = this.post.begin(head, reader);
    if (sink === null) return this.leave();
    this.begun = true;
    stats.answered(200);
    stats.streamable.bodiesSse++;
    this.stream = new Stream(sink, this.peer);
    streams.add(this.stream);
    this.number = ++this.peer.lastStreamNumber;
    if (options.prime === 'none' || this.peer.version < firstPrimed || this.peer.era === 'stateless')
      return sink.start(head);
    stats.streamable.primes++;
    streams.send(this.stream, text.prime(`${this.number}-${++this.sequence}`), 0);
  }

  private push(data: string, responses: number, record: CallRecord | null = null, splitAt = -1): void {
    const { options, text, streams } = this.using;
    const { store } = this.peer;
    const id = options.eventIds || store !== null ? `${this.number}-${++this.sequence}` : '';
    const event = text.event(data, id);
    const written = this.stream !== null;
    store?.put({ stream: this.number, sequence: this.sequence, text: event, responses, written });
    if (this.stream === null) {
      if (record !== null) this.using.log?.write(record, null);
    } else if (splitAt >= 0) streams.sendSplit(this.stream, event, responses, splitAt, record);
    else streams.send(this.stream, event, responses, 1, record);
  }

  private fitsOneWrite({ twice, splitAt }: Twist): boolean {
    const { options } = this.using;
    return (
      this.expected === 0 &&
      !twice &&
      splitAt < 0 &&
      options.releaseDelay === 0 &&
      options.prime === 'none' &&
      this.peer.store === null
    );
  }

  private respondAtOnce(data: string, record: CallRecord | null): boolean {
    const { text, options, stats } = this.using;
    this.number = ++this.peer.lastStreamNumber;
    const body = text.event(data, options.eventIds ? `${this.number}-1` : '');
    stats.streamable.bodiesSse++;
    const sent = this.finishWith(streamReply(body, this.peer.headers, !options.contentLength));
    if (sent) stats.eventsSent++;
    this.count(sent, body, 1, record);
    return sent;
  }

  private respondJson(data: string, status: number, { record, splitAt }: Twist): boolean {
    if (this.batch) {
      this.parts.push(data);
      if (record !== null) this.using.log?.write(record, this.using.loop.nowNs());
      return this.expected > 0 || this.reply(`[${this.parts.join(',')}]`, status, this.parts.length);
    }
    return splitAt < 0 || status !== 200
      ? this.reply(data, status, 1, record)
      : this.replySplit(data, splitAt, record);
  }

  private reply(body: string, status: number, responses = 1, record: CallRecord | null = null): boolean {
    this.using.stats.streamable.bodiesJson++;
    const sent = this.finishWith(jsonReply(body, this.peer.headers, status));
    this.count(sent, body, responses, record);
    return sent;
  }

  /** A JSON body in two pieces, a moment apart. */
  private replySplit(body: string, at: number, record: CallRecord | null): boolean {
    const { streams, stats } = this.using;
    const head = { ...jsonHead, headers: this.peer.headers };
    const sink = this.post.begin(head, { drained: () => undefined, lost: (why) => this.lost(why) });
    if (sink === null) return false;
    this.begun = true;
    stats.answered(200);
    stats.streamable.bodiesJson++;
    this.stream = new Stream(sink, this.peer, false);
    streams.add(this.stream);
    streams.sendSplit(this.stream, body, 1, at, record);
    // It is no event.
    if (this.stream.rest !== null) this.stream.rest.events = 0;
    this.release(2 * splitGapNs);
    return true;
  }

  private count(sent: boolean, body: string, responses: number, record: CallRecord | null): void {
    const { stats, log, loop } = this.using;
    if (!sent) return;
    stats.responsesSent += responses;
    stats.bytesOut += Buffer.byteLength(body);
    if (record !== null) log?.write(record, loop.nowNs());
  }

  private finishWith(reply: HttpReply): boolean {
    this.done = true;
    this.peer.answers.delete(this);
    return this.using.answers.reached(this.post, reply);
  }

  /** Ends the body, after the delay that the endpoint has for it. */
  private release(atLeastNs: number): void {
    const { options, due, loop, streams } = this.using;
    const delayNs = Math.max(options.releaseDelay, atLeastNs);
    if (delayNs === 0) return this.end();
    this.done = true;
    this.peer.answers.delete(this);
    if (this.stream === null) return;
    const { stream } = this;
    streams.flush(stream);
    due.add(loop.nowNs() + delayNs, () => streams.finish(stream));
  }

  private end(): void {
    const { stream } = this;
    this.done = true;
    this.peer.answers.delete(this);
    if (stream === null) return;
    this.stream = null;
    this.using.streams.finish(stream);
  }

  private leave(): void {
    if (this.gone) return;
    this.gone = true;
    this.peer.answers.delete(this);
    for (const call of this.calls.slice()) call.leave();
  }
}

/** A JSON body in one write. */
export function jsonReply(
  body: string,
  headers: readonly (readonly [string, string])[],
  status = 200,
): HttpReply {
  const statusLine = status === 200 ? '200 OK' : status === 404 ? '404 Not Found' : '400 Bad Request';
  return { status, statusLine, contentType: 'application/json', body, headers, chunked: false };
}

/** A whole stream in one write. */
export function streamReply(
  body: string,
  headers: readonly (readonly [string, string])[],
  chunked: boolean,
): HttpReply {
  return { status: 200, statusLine: '200 OK', contentType: 'text/event-stream', body, headers, chunked };
}
