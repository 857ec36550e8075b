import { nowNs } from '../clock.js';
import { Failure } from '../failure.js';
import { type Dialect, type DialectName, dialects, readOpening } from '../mcp/dialect.js';
import { answerServerRequest, initializedMessage, initializeMessage } from '../mcp/messages.js';
import type { Plan } from '../scenario/plan.js';
import { countName } from '../stats/outcomes.js';
import type { HandshakeMetric, Recorder } from '../stats/recorder.js';
import type { SlotRecorder } from '../stats/slot-recorder.js';
import type { Address } from '../transport/http/address.js';
import { readEndpoint } from '../transport/sse/endpoint.js';
import type {
  CloseReason,
  PostChannel,
  PostHandler,
  StreamHandle,
  StreamHandler,
  Transport,
} from '../transport/transport.js';
import type { Turn } from '../transport/turn.js';
import { createEnvelope, type Envelope, isArray, scanEnvelope } from '../wire/json-rpc-scanner.js';
import { parseBounded } from '../wire/parse-bounded.js';
import type { Correlator } from '../mcp/correlator.js';
import type { Call } from './call.js';
import type { CallBook } from './call-book.js';
import type { Courtesies } from '../mcp/background-messages.js';
import type { OddityCounts } from '../mcp/oddities.js';
import { readServerInfo, shortText } from '../mcp/server-info.js';
import { cut } from '../text/cut.js';

/** What every session of a worker needs. */
export interface SessionContext {
  readonly plan: Plan;
  readonly transport: Transport;
  readonly address: Address;
  readonly recorder: Recorder;
  readonly oddities: OddityCounts;
  readonly slots: SlotRecorder;
  readonly book: CallBook;
  readonly correlator: Correlator;
  readonly courtesies: Courtesies;
  readonly turn: Turn;
  readonly clientVersion: string;
}

/** Who opened a session and hears what became of it. */
export interface SessionOwner {
  onSessionReady(session: Session, atNs: number): void;
  /** It never became ready. `kind` is stable and counted. */
  onSessionFailed(session: Session, kind: string, message: string): void;
  /** It was ready, and its stream is gone. */
  onSessionDropped(session: Session, message: string): void;
}

export interface ServerIdentity {
  name: string;
  version: string;
  protocolVersion: string | null;
}

/** Where a session is in its life; a time limit leads out of every state that waits for the server. */
export type SessionState = 'connecting' | 'opening' | 'initializing' | 'confirming' | 'ready' | 'over';

// Of a request of the server's that is answered.
const longestId = 1024;

const envelope: Envelope = createEnvelope();

/** One MCP client's life: stream, handshake, calls, end. */
export class Session implements StreamHandler {
  state: SessionState = 'connecting';
  dialect: Dialect = dialects.classic;
  posts: PostChannel | null = null;
  readonly calls = new Map<number, Call>();
  server: ServerIdentity | null = null;
  /** Calls given to it so far. */
  started = 0;
  readyNs = 0;
  lastAliveNs = 0;
  /** Its life is over as soon as its calls are answered. */
  retiring = false;
  /** Already in the line of sessions with room for a call. */
  queued = false;
  /** What calls end as when the session goes: `aborted` where we left, `disconnected` where the server did. */
  lossOutcome: 'disconnected' | 'aborted' = 'disconnected';
  /** The burst for which calls of this session were last rendered ahead. */
  draftedFor = 0;
  /** The answers that came in the last read. */
  readonly clump = { readNs: 0, sentNs: 0, size: 0 };
  private stream: StreamHandle | null = null;
  private readonly path: string;
  private timer: NodeJS.Timeout | null = null;
  private getSentNs = 0;
  private initializeId = 0;
  private postSentNs = 0;
  /** What the last POST of the handshake was answered that explains why nothing more came. */
  private postNote = '';
  /** What of the handshake so far may have been our own doing: a late start, and answers that lay unread. */
  private ownNs = 0;
  /** The POST of initialize while it owes its status, and its time limit once the response has overtaken that. */
  private owedPost: PostHandler | null = null;
  private owedTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly context: SessionContext,
    private readonly owner: SessionOwner,
    /** Its place among the sessions of the run; a successor keeps it. */
    readonly ordinal: number,
    /** Unique among all sessions that this worker ever opened, from 1. */
    readonly serial: number,
    path: string,
    private readonly intendedNs: number,
  ) {
    this.path = path.replaceAll('{session}', String(ordinal)).replaceAll('%7Bsession%7D', String(ordinal));
  }

  get inFlight(): number {
    return this.calls.size;
  }

  open(): void {
    this.ownNs = Math.max(0, nowNs() - this.intendedNs);
    this.stream = this.context.transport.openStream(this.path, this);
  }

  /** Ends the session from our side: the sockets go away, calls in flight end as aborted. */
  end(): void {
    if (this.state === 'over') return;
    this.lossOutcome = 'aborted';
    this.finish('the session was ended by the generator');
  }

  onStreamConnected(atNs: number, sinceNs: number): void {
    this.timed('handshake.connect', sinceNs, atNs);
    this.getSentNs = atNs;
    this.state = 'opening';
    const limitMs = this.context.plan.timeouts.handshakeNs / 1e6;
    this.timer = setTimeout(
      () => this.fail('timeout', `not ready within ${limitMs / 1000} s (${this.state})${this.postNote}`),
      limitMs,
    );
  }

  onStreamHead(status: number, contentType: string, note: string, atNs: number): void {
    if (this.state !== 'opening') return;
    if (status !== 200) {
      this.fail(`http ${status}`, `the event stream was answered ${status}${note}`);
    } else if (!contentType.toLowerCase().startsWith('text/event-stream')) {
      this.fail(
        'not a stream',
        `the answer is ${contentType || 'of no type'}, not text/event-stream: is this an MCP server's SSE address?`,
      );
    } else if (note !== '') {
      this.fail('encoded', `the event stream was answered ${status}${note}: is there a proxy in between?`);
    } else {
      // Not part of the whole: the endpoint event has a time of its own, from the same start.
      const deafNs = this.context.turn.deafNs(atNs);
      this.context.recorder.handshake('handshake.headers', atNs - this.getSentNs, deafNs);
    }
  }

  onStreamAlive(atNs: number): void {
    this.lastAliveNs = atNs;
  }

  onStreamEvent(event: string, buffer: Buffer, start: number, end: number, atNs: number): void {
    if (this.state === 'opening') this.onOpening(event, buffer.toString('utf8', start, end), atNs);
    else if (event !== 'ping' && event !== 'endpoint') this.onMessage(buffer, start, end, atNs);
  }

  onStreamClosed(reason: CloseReason): void {
    if (reason.truncated) this.context.oddities.truncatedEvent++;
    if (this.state === 'over') return;
    if (this.state === 'ready') this.drop(`the stream was lost: ${reason.message}`);
    else this.fail(reason.kind === 'ended' ? 'closed' : reason.kind, reason.message);
  }

  /** The stream has been silent for longer than allowed, or another reason of ours to give it up. */
  drop(message: string): void {
    if (this.state !== 'ready') return;
    this.finish(message);
    this.owner.onSessionDropped(this, message);
  }

  private onOpening(event: string, data: string, atNs: number): void {
    const opening = readOpening(event, data);
    if (opening === null) {
      this.noteEarlyEvent(data);
      return;
    }
    const { plan, transport, address } = this.context;
    this.dialect =
      dialects[plan.target.dialect === 'auto' ? opening.dialect : (plan.target.dialect as DialectName)];
    const given = opening.endpoint ?? this.path;
    const endpoint = readEndpoint(given, address, this.path, plan.target.allowForeignEndpoint);
    if (!endpoint.ok) {
      this.fail('endpoint', endpoint.message);
      return;
    }
    try {
      this.posts = transport.openPosts(endpoint.path, endpoint.address);
    } catch (error) {
      // Of another origin there may be too many, or none that our certificates are fit for.
      if (!(error instanceof Failure)) throw error;
      this.fail('endpoint', error.message);
      return;
    }
    this.timed('handshake.endpoint', this.getSentNs, atNs);
    if (this.dialect.readyAfter === 'stream') {
      this.becomeReady(atNs);
      return;
    }
    this.state = 'initializing';
    this.initializeId = this.context.correlator.issue(this.serial);
    const message = initializeMessage(this.initializeId, this.dialect, this.context.clientVersion);
    this.owedPost = this.handshakePost('initialize');
    this.posts.post(message, this.owedPost);
  }

  private noteEarlyEvent(data: string): void {
    const text = Buffer.from(data);
    scanEnvelope(text, 0, text.length, envelope);
    if (envelope.kind === 'notification') countName(this.context.oddities.notification, envelope.method);
  }

  // The two POSTs of the handshake: their acceptance matters, and a JSON body may be the response itself.
  private handshakePost(step: 'initialize' | 'initialized'): PostHandler {
    const during: SessionState = step === 'initialize' ? 'initializing' : 'confirming';
    let accepted = false;
    return {
      onPostSent: (atNs) => {
        this.postSentNs = atNs;
      },
      onPostStatus: (status, note, atNs) => {
        if (step === 'initialize') this.settle();
        // The response may have come first: whatever its POST is answered then changes nothing.
        if (this.state !== during) return;
        if (status < 200 || status >= 300) {
          this.fail(`http ${status}`, `the POST of ${step} was answered ${status}${note}`);
          return;
        }
        accepted = true;
        if (note !== '') this.postNote = ` (its POST was answered ${status}${note})`;
        if (step === 'initialized') {
          this.timed('handshake.initialized', this.postSentNs, atNs);
          this.becomeReady(atNs);
        }
      },
      onPostBody: (body, atNs) => {
        this.onPostBody(body, atNs);
      },
      onPostFailed: (_unsent, message) => {
        if (step === 'initialize') this.settle();
        if (this.state === during && !accepted) this.fail('post', `the POST of ${step} failed: ${message}`);
      },
    };
  }

  // As with calls: a connection must not wait for this status for as long as the session lives.
  private owe(post: PostHandler): void {
    this.owedTimer = setTimeout(() => this.posts?.giveUp(post), this.context.plan.timeouts.callNs / 1e6);
  }

  private settle(): void {
    this.owedPost = null;
    if (this.owedTimer !== null) clearTimeout(this.owedTimer);
    this.owedTimer = null;
  }

  /**
   * A JSON body in the answer to a POST: a response, or an array of them, counts like one on the stream. Anything else
   * is only the server's way of saying that it accepts.
   */
  onPostBody(body: Buffer, atNs: number): void {
    const messages = isArray(body, 0, body.length) ? messagesIn(body.toString('utf8')) : [body];
    for (const message of messages ?? []) {
      if (this.state === 'over') return;
      scanEnvelope(message, 0, message.length, envelope);
      if (envelope.kind === 'response') this.onResponse(message, 0, message.length, atNs);
    }
  }

  private onMessage(buffer: Buffer, start: number, end: number, atNs: number): void {
    if (start === end || this.state === 'over') return;
    if (isArray(buffer, start, end)) {
      this.onBatch(buffer.toString('utf8', start, end), atNs);
      return;
    }
    scanEnvelope(buffer, start, end, envelope);
    switch (envelope.kind) {
      case 'response':
        this.onResponse(buffer, start, end, atNs);
        return;
      case 'request':
        countName(this.context.oddities.serverRequest, envelope.method);
        if (this.posts) {
          const id = idJson(envelope, buffer, start, end);
          // Its answer would hold a huge id as long as the server likes.
          if (id.length <= longestId)
            this.context.courtesies.answer(this.posts, answerServerRequest(envelope.method, id));
        }
        return;
      case 'notification':
        countName(this.context.oddities.notification, envelope.method);
        return;
      case 'invalid':
        // Ours, but no valid response: that is an outcome. Nobody's: an oddity.
        if (envelope.reason !== 'json' && (envelope.idType === 'number' || envelope.idType === 'string')) {
          this.onResponse(buffer, start, end, atNs);
        } else {
          this.context.oddities.malformedEvent++;
        }
    }
  }

  private onBatch(text: string, atNs: number): void {
    const messages = messagesIn(text);
    if (messages === null) this.context.oddities.malformedEvent++;
    for (const message of messages ?? []) {
      if (isArray(message, 0, message.length)) this.context.oddities.malformedEvent++;
      else this.onMessage(message, 0, message.length, atNs);
    }
  }

  private onResponse(buffer: Buffer, start: number, end: number, atNs: number): void {
    if (envelope.idType === 'null' || envelope.idType === 'none') {
      this.context.oddities.nullIdError++;
      return;
    }
    const isInitialize =
      this.initializeId > 0 &&
      Number(envelope.idType === 'string' ? envelope.idString : envelope.idNumber) === this.initializeId;
    // As with calls: what had not left when these bytes were read has been guessed.
    const isGuess = this.postSentNs === 0 || atNs < this.postSentNs;
    if (isInitialize && this.state === 'initializing' && isGuess) this.context.oddities.foreign++;
    else if (isInitialize && this.state === 'initializing')
      this.onInitialized(buffer.toString('utf8', start, end), atNs);
    else this.context.book.onResponse(this, envelope, buffer, start, end, atNs);
  }

  private onInitialized(text: string, atNs: number): void {
    if (envelope.kind !== 'response' || envelope.hasError) {
      this.fail('initialize', `initialize was answered ${cut(text, 200)}`);
      return;
    }
    const { correlator, oddities } = this.context;
    correlator.markAnswered(this.initializeId);
    if ((envelope.idType === 'string') !== this.dialect.stringIds) oddities.coercedId++;
    this.timed('handshake.initialize', this.postSentNs, atNs);
    this.server = readIdentity(text);
    if (this.owedPost !== null) this.owe(this.owedPost);
    if (this.dialect.readyAfter === 'initialize') {
      this.becomeReady(atNs);
      return;
    }
    this.state = 'confirming';
    this.posts!.post(initializedMessage, this.handshakePost('initialized'));
  }

  private timed(step: HandshakeMetric, sinceNs: number, atNs: number): void {
    const deafNs = this.context.turn.deafNs(atNs);
    this.ownNs += deafNs;
    this.context.recorder.handshake(step, atNs - sinceNs, deafNs);
  }

  private becomeReady(atNs: number): void {
    this.clearTimer();
    this.state = 'ready';
    this.readyNs = atNs;
    this.context.recorder.handshake('handshake.total', atNs - this.intendedNs, this.ownNs);
    this.owner.onSessionReady(this, atNs);
  }

  private fail(kind: string, message: string): void {
    if (this.state === 'over') return;
    this.finish(message);
    this.owner.onSessionFailed(this, kind, message);
  }

  private finish(message: string): void {
    this.clearTimer();
    this.state = 'over';
    const atNs = nowNs();
    this.stream?.destroy();
    // Before the channel goes, so that what was never handed over is known as unsent.
    this.context.book.endSession(this, message, atNs);
    this.posts?.destroy();
  }

  private clearTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}

function messagesIn(text: string): Buffer[] | null {
  try {
    return (parseBounded(text) as unknown[]).map((message) => Buffer.from(JSON.stringify(message)));
  } catch {
    return null;
  }
}

// The id as it came. A double cannot hold every whole number that a server may use, such as a time in nanoseconds.
function idJson(from: Envelope, buffer: Buffer, start: number, end: number): string {
  if (from.idType === 'string') return JSON.stringify(from.idString);
  if (Number.isSafeInteger(from.idNumber)) return String(from.idNumber);
  for (const [, digits] of buffer.toString('utf8', start, end).matchAll(/"id"\s*:\s*(-?[\d.eE+-]+)/g)) {
    if (Number(digits) === from.idNumber) return digits;
  }
  return String(from.idNumber);
}

function readIdentity(text: string): ServerIdentity | null {
  try {
    const { result } = parseBounded(text) as { result?: { protocolVersion?: unknown } | null };
    const { name, version } = readServerInfo(result) ?? { name: '', version: '' };
    return { name, version, protocolVersion: shortText(result?.protocolVersion) };
  } catch {
    return null;
  }
}
