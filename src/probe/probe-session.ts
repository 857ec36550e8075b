import { ExitCode, Failure } from '../failure.js';
import { type Dialect, dialectFor, dialects } from '../mcp/dialect.js';
import {
  answerServerRequest,
  initializedMessage,
  initializeMessage,
  messageTemplate,
} from '../mcp/messages.js';
import type { Wiring } from '../transport/http/connection.js';
import type { DialectName } from '../scenario/plan.js';
import { readEndpoint } from '../transport/sse/endpoint.js';
import { readFirstEvent } from '../transport/sse/first-event.js';
import type { CloseReason } from '../transport/http/close-reason.js';
import { packageVersion } from '../version.js';
import { headNote } from '../wire/head-note.js';
import {
  describeRefusal,
  type Exchange,
  exchangeOf,
  type HeardResponse,
  type ProbeClient,
} from './exchange.js';
import { ObservedPosts, type PostAnswer } from './observed-posts.js';
import { ObservedStream, type StreamWatcher } from './observed-stream.js';
import { type ReadMessage, readMessages } from '../mcp/read-messages.js';
import { Strays } from './strays.js';
import type { TargetAccess } from '../detect/target-access.js';

/** How long each part of a handshake took; null where the transport, the era or the dialect has no such part. */
export interface HandshakeTimes {
  readonly connectNs: number;
  readonly headersNs: number | null;
  readonly endpointNs: number | null;
  readonly discoverNs: number | null;
  readonly initializeNs: number | null;
  readonly initializedNs: number | null;
  readonly totalNs: number;
}

// A response that stood in the POST's body may come as an event as well; a server that does both does it at once.
const secondAnswerMs = 200;
const mostAnswering = 16;

/** One MCP session over HTTP+SSE, made to look at and not to be fast: everything that happens is kept. */
export class ProbeSession implements ProbeClient, StreamWatcher {
  dialect: Dialect = dialects.classic;
  /** By the looks of its first event, whatever was asked for. */
  looksLike: DialectName = 'classic';
  openingEvent = { event: '', data: '' };
  /** Where POSTs go, as the server said it; null where it said nothing. */
  endpointGiven: string | null = null;
  endpointPath = '';
  handshake: HandshakeTimes | null = null;
  initialize: Exchange | null = null;
  initialized: PostAnswer | null = null;
  readonly strays = new Strays();
  eventCount = 0;
  readonly stream: ObservedStream;
  posts: ObservedPosts;
  /** How the address that POSTs go to is reached: the stream's own, unless the server named another. */
  postWiring: Wiring;
  /** By id: what to call with the response, or with null when none can come any more. */
  private readonly waiting = new Map<number, (heard: HeardResponse | null) => void>();
  private readonly answered = new Set<number>();
  private nextId: number;
  private answering = 0;
  private opened: ((failure: Failure | null, atNs: number) => void) | null = null;

  private constructor(
    private readonly access: TargetAccess,
    private readonly timeoutMs: number,
    firstId: number,
  ) {
    this.nextId = firstId;
    this.postWiring = access.wiring;
    this.posts = new ObservedPosts(access.wiring, access.heads);
    const request = access.heads.stream(access.path, access.address);
    this.stream = new ObservedStream(access.wiring, request, this);
  }

  /**
   * Opens a session and makes its handshake; throws a Failure where that does not come off. Ids of sessions that are open
   * together must not meet, so each says where its own begin.
   */
  static async open(access: TargetAccess, timeoutMs: number, firstId: number): Promise<ProbeSession> {
    const session = new ProbeSession(access, timeoutMs, firstId);
    try {
      await session.becomeReady();
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  get argumentsKey(): Dialect['argumentsKey'] {
    return this.dialect.argumentsKey;
  }

  private async becomeReady(): Promise<void> {
    const endpointAtNs = await this.awaitOpening();
    const { openedNs, connectedNs, headNs } = this.stream;
    this.initialize = await this.send('initialize', (id) =>
      initializeMessage(id, this.dialect, packageVersion()),
    );
    const { response, responseNs, post } = this.initialize;
    const result = response?.['result'];
    if (typeof result !== 'object' || result === null) {
      throw new Failure(`initialize was answered ${describeRefusal(this.initialize)}`, ExitCode.runFailed);
    }
    let readyNs = responseNs!;
    if (this.dialect.readyAfter !== 'initialize') {
      this.initialized = await this.posts.post(this.endpointPath, initializedMessage, this.timeoutMs);
      const { status } = this.initialized;
      if (status === null || status < 200 || status > 299)
        throw new Failure(
          `notifications/initialized was answered ${status ?? this.initialized.failure}${this.initialized.note}`,
          ExitCode.runFailed,
        );
      readyNs = this.initialized.ackNs!;
    }
    this.handshake = {
      connectNs: connectedNs - openedNs,
      headersNs: headNs - connectedNs,
      endpointNs: endpointAtNs - connectedNs,
      discoverNs: null,
      initializeNs: responseNs! - post.sentNs,
      initializedNs: this.initialized === null ? null : this.initialized.ackNs! - this.initialized.sentNs,
      totalNs: readyNs - openedNs,
    };
  }

  request(method: string, params: object): Promise<Exchange> {
    const { beforeId, afterId, end } = messageTemplate(method, null, this.dialect);
    return this.send(method, (id) => beforeId + id + afterId + JSON.stringify(params) + end);
  }

  /** POSTs any text to the session's endpoint, or to another path of the same server. */
  postRaw(
    body: string,
    path: string = this.endpointPath,
    timeoutMs: number = this.timeoutMs,
  ): Promise<PostAnswer> {
    return this.posts.post(path, body, timeoutMs);
  }

  get isOpen(): boolean {
    return this.stream.closed === null && !this.stream.isGone;
  }

  close(): void {
    this.stream.destroy();
    this.posts.close();
  }

  onHead(): void {
    const { status, headers } = this.stream;
    const note = headNote(status, headers!);
    if (status !== 200) {
      this.endOpening(`the event stream was answered ${status}${note}`);
    } else if (headers!.contentType !== 'text/event-stream') {
      this.endOpening(`the answer is ${headers!.contentType || 'of no type'}, not text/event-stream`);
    } else if (note !== '') {
      this.endOpening(`the event stream was answered ${status}${note}: is there a proxy in between?`);
    }
  }

  onEvent(event: string, data: string, atNs: number): void {
    this.eventCount++;
    if (event === 'ping') this.strays.pingEvent(atNs);
    else if (this.opened !== null) this.readFirst(event, data, atNs);
    else if (event !== 'endpoint') this.readEvent(event, data, atNs);
  }

  onClosed(reason: CloseReason): void {
    this.endOpening(reason.message);
    for (const heard of this.waiting.values()) heard(null);
  }

  private awaitOpening(): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.endOpening(`no usable event within ${this.timeoutMs / 1000} s`),
        this.timeoutMs,
      );
      this.opened = (failure, atNs) => {
        this.opened = null;
        clearTimeout(timer);
        if (failure === null) resolve(atNs);
        else reject(failure);
      };
    });
  }

  private endOpening(message: string): void {
    this.opened?.(new Failure(message, ExitCode.runFailed), 0);
  }

  private readFirst(event: string, data: string, atNs: number): void {
    const opening = readFirstEvent(event, data);
    if (opening === null) {
      this.readEvent(event, data, atNs);
      return;
    }
    const { access } = this;
    this.openingEvent = { event, data };
    this.looksLike = opening.dialect;
    this.dialect = dialectFor(access.target, packageVersion())(opening.dialect);
    this.endpointGiven = opening.endpoint;
    const endpoint = readEndpoint(
      opening.endpoint ?? access.path,
      access.address,
      access.path,
      access.target.allowForeignEndpoint,
    );
    if (!endpoint.ok) {
      this.endOpening(endpoint.message);
      return;
    }
    this.endpointPath = endpoint.path;
    try {
      if (endpoint.address !== null) {
        this.postWiring = access.foreign.wiringFor(endpoint.address);
        this.posts = new ObservedPosts(this.postWiring, access.heads);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.endOpening(error.message);
    }
    this.opened?.(null, atNs);
  }

  private async send(method: string, render: (id: number) => string): Promise<Exchange> {
    const id = this.nextId++;
    let event: HeardResponse | null = null;
    // Registered before the POST leaves: the response may come first.
    const responded = new Promise<void>((resolve) => {
      this.waiting.set(id, (heard) => {
        event = heard;
        resolve();
      });
    });
    const post = await this.posts.post(this.endpointPath, render(id), this.timeoutMs);
    const inBody = this.responseInBody(post, id);
    const accepted = post.status !== null && post.status < 300;
    if (event === null && this.isOpen)
      await Promise.race([responded, delay(accepted && inBody === null ? this.timeoutMs : secondAnswerMs)]);
    this.waiting.delete(id);
    if (event !== null || inBody !== null) this.answered.add(id);
    return exchangeOf(method, post, event, inBody, this.dialect.stringIds);
  }

  private responseInBody({ body, headers, status, note }: PostAnswer, id: number): ReadMessage | null {
    if (status === null || status > 299 || note !== '' || headers?.contentType !== 'application/json')
      return null;
    return (
      readMessages(body).find((message) => message.kind === 'response' && Number(message.id) === id) ?? null
    );
  }

  private readEvent(event: string, data: string, atNs: number): void {
    for (const message of readMessages(data)) this.take(message, event, data, atNs);
  }

  private take(message: ReadMessage, event: string, data: string, atNs: number): void {
    const { strays } = this;
    if (message.kind !== 'malformed' && !message.isVersion2) strays.withoutVersion++;
    switch (message.kind) {
      case 'response':
        this.takeResponse(message, event, data, atNs);
        return;
      case 'request':
        strays.serverRequest(message.method, atNs);
        this.answer(message);
        return;
      case 'notification':
        strays.notification(message.method, this.initialize === null, atNs);
        return;
      case 'malformed':
        strays.malformedEvent(data);
    }
  }

  // A server that asks without end is answered no faster than it takes the answers, and needs no more of them.
  private answer({ method, id }: ReadMessage & { kind: 'request' }): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    if (this.answering >= mostAnswering) return;
    this.answering++;
    void this.posts
      .post(this.endpointPath, answerServerRequest(method, JSON.stringify(id)), this.timeoutMs)
      .then(() => this.answering--);
  }

  private takeResponse(
    message: ReadMessage & { kind: 'response' },
    event: string,
    data: string,
    atNs: number,
  ): void {
    if (message.id === null) {
      this.strays.nullIdError(data);
      return;
    }
    const id = Number(message.id);
    const waiting = this.waiting.get(id);
    if (waiting !== undefined) {
      this.waiting.delete(id);
      this.answered.add(id);
      waiting({ message, name: event, atNs, characters: data.length });
    } else if (this.answered.has(id)) this.strays.duplicate++;
    else this.strays.foreign++;
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
