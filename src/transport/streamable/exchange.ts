import { headNote } from '../../wire/head-note.js';
import { strayInHead } from '../../wire/head-text.js';
import type { ResponseHeaders } from '../../wire/http-response-parser.js';
import type { PendingPost } from '../http/post-channel.js';
import { refusalOf } from '../http/refusal-of.js';
import type { Outgoing } from '../transport.js';
import type { EventReader, EventSink } from './event-readers.js';
import { Resumption } from './resumption.js';
import type { StreamableChannel } from './streamable-channel.js';
import { WholeBody } from './whole-body.js';

const maxJsonBytes = 16 * 1024 * 1024;
// What a server says when it refuses something is short.
const maxRefusalBytes = 64 * 1024;
// Each resumption sends it back in a header.
const longestEventId = 1024;
const usualRetryMs = 1000;
const shortestRetryMs = 10;
const longestRetryMs = 30_000;
const openingBrace = 0x7b;
const openingBracket = 0x5b;

/** One message as a POST, and its reply: an acceptance, one JSON body or a stream of events, as status and content type say. */
export class Exchange implements PendingPost, EventSink {
  private state: 'waiting' | 'skipping' | 'json' | 'events' | 'refusal' | 'over' = 'waiting';
  private status = 0;
  private note = '';
  private whole: WholeBody | null = null;
  private reader: EventReader | null = null;
  private resumption: Resumption | null = null;
  private hasBegun = false;
  /** Of a stream of events; 0 before it. */
  private firstByte = 0;
  private readAtNs = 0;
  private lastId = '';
  private retryMs = usualRetryMs;
  private idIsNew = false;

  constructor(
    readonly head: string,
    readonly body: string,
    readonly ascii: boolean,
    readonly by: Outgoing,
    readonly channel: StreamableChannel,
    /** It asks for a session, whose id the head of its reply may hold. */
    private readonly asksForSession: boolean,
  ) {}

  onSent(atNs: number, askedNs: number, stoodNs: number, freeNs: number): void {
    this.by.onSent(atNs, askedNs, stoodNs, freeNs);
  }

  onHead(status: number, headers: ResponseHeaders, atNs: number): void {
    const { by, channel } = this;
    this.status = status;
    channel.onAnswered(atNs);
    const { contentType, contentEncoding } = headers;
    if (status >= 300 || contentEncoding !== '') this.note = headNote(status, headers);
    if (status < 200 || status >= 300) {
      if (contentType === 'application/json' && contentEncoding === '' && headers.contentLength !== 0) {
        this.state = 'refusal';
        this.whole = new WholeBody(maxRefusalBytes);
      } else this.refuse(atNs);
      return;
    }
    if (this.asksForSession) channel.takeSessionId(headers.get('mcp-session-id'));
    else channel.hasWorked = true;
    if (channel.isOver) return;
    if (contentEncoding !== '' || headers.contentLength === 0 || status === 204) this.skip(atNs);
    else if (contentType === 'text/event-stream') {
      this.state = 'events';
      this.reader = channel.readers.take(this);
      by.onAccepted('', 'events', atNs);
    } else if (contentType === 'application/json') {
      this.state = 'json';
      this.whole = new WholeBody(maxJsonBytes);
      by.onAccepted('', 'json', atNs);
    } else this.skip(atNs, contentType);
  }

  onBody(chunk: Buffer, start: number, end: number, atNs: number): void {
    if (this.state === 'events') {
      this.readAtNs = atNs;
      if (this.firstByte === 0 && start < end) this.firstByte = chunk[start]!;
      this.reader!.parser.feed(chunk, start, end);
    } else this.whole?.add(chunk, start, end);
  }

  onPaused(): void {
    this.whole?.keep();
  }

  onEnd(atNs: number): void {
    const { state, whole, by, channel } = this;
    this.whole = null;
    switch (state) {
      case 'json':
        this.state = 'over';
        if (whole!.length > 0) channel.deliver(whole!.buffer, whole!.start, whole!.end, atNs);
        return by.onReplyEnded(atNs, false);
      case 'events':
        this.giveBackReader();
        if (!this.resume()) by.onReplyEnded(atNs, false);
        return;
      case 'skipping':
        this.state = 'over';
        return by.onReplyEnded(atNs, false);
      case 'refusal':
        return this.readRefusal(whole!, atNs);
      default:
    }
  }

  onLost(unsent: boolean, message: string, atNs: number): void {
    this.whole = null;
    if (this.state === 'events') {
      this.giveBackReader();
      if (this.resume()) return;
    } else if (this.state === 'refusal') return this.refuse(atNs);
    else if (this.state === 'waiting' && !unsent) this.channel.onUnanswered(message, atNs);
    this.state = 'over';
    this.by.onFailed(unsent, message, atNs);
  }

  onEvent(event: string, buffer: Buffer, start: number, end: number): void {
    const { by, channel, readAtNs } = this;
    const { idIsNew } = this;
    this.idIsNew = false;
    if (start === end) {
      if (idIsNew) channel.counts.priming++;
      return;
    }
    if (event !== '' && event !== 'message') return;
    if (!this.hasBegun) {
      this.hasBegun = true;
      by.onFirstMessage(readAtNs);
    }
    channel.deliver(buffer, start, end, readAtNs);
  }

  onEventId(id: string): void {
    this.idIsNew = true;
    // Without one there is nothing to come back with.
    this.lastId = id.length <= longestEventId && strayInHead('value', id) === null ? id : '';
  }

  onEventRetry(ms: number): void {
    this.retryMs = Math.min(longestRetryMs, Math.max(shortestRetryMs, ms));
  }

  /** An event of the reply as it goes on elsewhere. */
  onResumedEvent(event: string, buffer: Buffer, start: number, end: number, atNs: number): void {
    this.readAtNs = atNs;
    this.onEvent(event, buffer, start, end);
    if (!this.by.answered) return;
    this.endResumption();
    this.by.onReplyEnded(atNs, true);
  }

  /** It has broken off there, too. */
  onResumedBreak(message: string, atNs: number): void {
    this.endResumption();
    this.state = 'events';
    if (this.resume()) return;
    this.state = 'over';
    this.by.onFailed(false, message, atNs);
  }

  /** It cannot go on. */
  onResumeRefused(status: number, text: string, atNs: number): void {
    this.endResumption();
    this.state = 'over';
    this.channel.counts.resumeRefused++;
    if (this.channel.losesSessionBy(status)) {
      this.channel.forget(text);
      this.by.onRefused({ ...refusalOf(status, ''), text }, atNs);
    } else this.by.onFailed(false, text, atNs);
  }

  /** Stops waiting for the rest of a reply that has broken off. */
  endResumption(): void {
    this.resumption?.end();
    if (this.resumption !== null) this.channel.resuming.delete(this);
    this.resumption = null;
  }

  /** Asks for the rest where there is one to be had; false where there is none. */
  private resume(): boolean {
    this.state = 'over';
    const { by, channel, lastId } = this;
    if (by.answered || channel.isOver || !channel.mayResume || lastId === '') return false;
    this.resumption = new Resumption(this, channel, lastId, this.retryMs);
    channel.resuming.add(this);
    channel.counts.resumed++;
    return true;
  }

  private skip(atNs: number, contentType = ''): void {
    this.state = 'skipping';
    const { status } = this;
    if (contentType !== '') this.note = ` with ${contentType.slice(0, 80)}, which is neither JSON nor events`;
    this.by.onAccepted(this.note === '' ? '' : `its POST was answered ${status}${this.note}`, 'none', atNs);
  }

  private giveBackReader(): void {
    const { reader, channel } = this;
    this.reader = null;
    if (reader === null) return;
    const isCut = channel.readers.giveBack(reader);
    // A line of an event cannot begin so.
    if (!this.hasBegun && (this.firstByte === openingBrace || this.firstByte === openingBracket))
      channel.counts.jsonAsEvents++;
    else if (isCut && !channel.isOver) channel.onTruncated();
  }

  // It may hold the response itself: a refusal of HTTP's is then only how the server says so.
  private readRefusal(whole: WholeBody, atNs: number): void {
    const { by, channel, status } = this;
    this.state = 'over';
    const { buffer, start, end } = whole;
    if (status === 404 && channel.losesSessionBy(404) && !isUnknownMethod(buffer, start, end))
      channel.forget(`a POST was answered 404${this.note}`);
    by.onAccepted('', 'none', atNs);
    channel.deliverRefusal(buffer, start, end, atNs);
    if (!by.answered) this.refuse(atNs);
    else by.onReplyEnded(atNs, false);
  }

  private refuse(atNs: number): void {
    this.state = 'over';
    const refusal = refusalOf(this.status, this.note);
    // First: whoever hears of the refusal may have something new to send.
    if (this.channel.losesSessionBy(this.status)) this.channel.forget(refusal.text);
    this.by.onRefused(refusal, atNs);
  }
}

// In its body a 404 may mean the method and not the session.
function isUnknownMethod(buffer: Buffer, start: number, end: number): boolean {
  const at = buffer.indexOf('-32601', start);
  return at >= 0 && at < end;
}
