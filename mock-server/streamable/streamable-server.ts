import type { Answers } from '../http/answers.js';
import { Answer, jsonReply, streamReply } from './answer.js';
import type { AnswerParts } from './answer.js';
import type { CallLog } from '../calls/call-log.js';
import { chance, Choice } from '../calls/chance.js';
import type { DueQueue } from '../time/due-queue.js';
import { EraText, messageJson } from '../peers/era-text.js';
import { newestWithSessions, sessionVersions, StatelessCode, statelessVersions } from '../peers/eras.js';
import { EventText } from './event-text.js';
import { readEventId } from './event-store.js';
import { PeerCalls } from '../peers/peer-calls.js';
import { Peer } from '../peers/peer.js';
import { HttpSessions } from './http-sessions.js';
import type { HttpReply } from '../http/http-reply.js';
import { InputRounds } from '../offers/input-rounds.js';
import type { MockConfig } from '../config/config.js';
import type { FaultConfig } from '../config/faults.js';
import { mergeFaults } from '../config/faults.js';
import { httpReply } from '../http/http-reply.js';
import { isId, kindOf, MessageKind, RpcCode, RpcError } from '../protocol/json-rpc.js';
import type { RpcMessage } from '../protocol/json-rpc.js';
import type { Offers } from '../offers/offers.js';
import {
  cacheable,
  declaredIn,
  EraMethods,
  initializeProblem,
  objectOf,
  unknownTool,
} from '../peers/era-methods.js';
import { Listens } from '../peers/listens.js';
import type { ListenLine } from '../peers/listens.js';
import type { Loop } from '../time/loop.js';
import type { McpHeaders } from '../http/mcp-headers.js';
import { paramHeadersOf } from './param-headers.js';
import type { ParamHeader } from './param-headers.js';
import type { BodyPost, Post } from '../http/post.js';
import { Pulse } from '../sessions/pulse.js';
import { errorReply, notAllowed, refusalReply, refusals, unknownSession } from './refusals.js';
import type { Refusal } from '../protocol/dialects/dialect.js';
import { isStateless, unsupportedVersion, wrongParams, wrongWith } from './stateless-checks.js';
import type { Stats } from '../stats.js';
import { plainStreamHead, Stream } from '../sessions/stream.js';
import type { BodyReader, StreamSink } from '../sessions/stream.js';
import { Streams } from '../sessions/streams.js';
import type { InputRequired } from '../peers/era-text.js';
import type { Announced } from '../tools/tool-script.js';
import { bodyFor } from './streamable-options.js';
import type { StreamableOptions } from './streamable-options.js';
import type { Usage } from '../threads/usage.js';

type Params = Record<string, unknown>;
const noParams: Params = {};
const mostInBatch = 100;
/** Beyond every number that a session gets: the choices for whoever has none are made from their calls alone. */
const statelessOrdinal = 0xffff_ff00;
const accepted: HttpReply = httpReply(202);

/** What the endpoint works with. */
export interface StreamableServerParts {
  readonly config: MockConfig;
  readonly options: StreamableOptions;
  readonly offers: Offers;
  readonly loop: Loop;
  readonly due: DueQueue;
  readonly stats: Stats;
  readonly answers: Answers;
  readonly log: CallLog | null;
  readonly thread: { readonly index: number; readonly count: number };
  readonly usage: Usage;
  readonly newSessionHex: () => string;
  readonly version: string;
  /** Told of every call of a tool. */
  readonly callReceived: () => void;
}

/** The Streamable HTTP endpoint: sessions and what has none, both at once, at the same path. */
export class StreamableServer {
  readonly path: string;
  /** The headers, without `mcp-param-`, in which some tool wants its arguments repeated. */
  readonly paramHeaders: readonly string[];
  readonly streams: Streams<Peer>;
  private readonly options: StreamableOptions;
  private readonly stats: Stats;
  private readonly answers: Answers;
  private readonly text: EventText;
  private readonly sessions: HttpSessions;
  /** Whoever has no session because there are none: in the stateless era, and where none are given out. */
  private readonly stateless: Peer;
  private readonly sessionless: Peer;
  private readonly calls: PeerCalls;
  private readonly listens: Listens;
  private readonly answerParts: AnswerParts;
  private readonly withSessions = new EraText('', '');
  private readonly withoutSessions: EraText;
  private readonly methods: EraMethods;
  private readonly paramsOf = new Map<string, readonly ParamHeader[]>();
  private readonly pulses: Pulse<Peer>[] = [];
  private readonly slowRead: FaultConfig['slowRead'];
  /** Something may happen to calls though nothing asks for it: they take the long way. */
  private readonly eventful: boolean;
  private changeTimer: unknown;

  constructor(private readonly using: StreamableServerParts) {
    const { config, options, offers, loop, due, stats, answers, log } = using;
    this.options = options;
    this.stats = stats;
    this.answers = answers;
    this.path = options.path;
    this.text = new EventText(options);
    this.streams = new Streams<Peer>(loop, stats, due, log, config.limits.unreadBytes, (stream) => {
      stats.unreadCuts++;
      this.streams.remove(stream);
      stream.sink.destroy();
    });
    const { streams, text } = this;
    this.answerParts = { options, text, streams, stats, answers, due, loop, log };
    this.sessions = new HttpSessions({
      ...using,
      seed: config.seed,
      most: config.limits.sessions,
      streams,
    });
    this.stateless = new Peer('', statelessOrdinal + using.thread.index, [], null, 'stateless');
    this.sessionless = new Peer('', statelessOrdinal + 128 + using.thread.index, [], null, 'sessions');
    const cacheMembers = `,"ttlMs":${Math.round(options.cacheTtl / 1e6)},"cacheScope":"${options.cacheScope}"`;
    this.withoutSessions = new EraText(',"resultType":"complete"', cacheMembers);
    const rounds = new InputRounds(config.seed);
    this.methods = new EraMethods({ offers, stats, rounds, version: using.version });
    this.calls = new PeerCalls({
      seed: config.seed,
      options,
      loop,
      due,
      stats,
      log,
      streams,
      rounds,
      textOf: (peer) => this.textOf(peer),
      eventText: (data) => text.event(data),
      announce: (what) => this.announce(what),
      update: (uri) => this.update(uri),
    });
    this.listens = new Listens(stats, this.methods.serverInfoJson);
    for (const { tool } of offers.tools.byName.values()) {
      const found = paramHeadersOf(tool.inputSchema);
      if (found.length > 0) this.paramsOf.set(tool.name, found);
    }
    this.paramHeaders = [...new Set([...this.paramsOf.values()].flat().map(({ header }) => header))];
    this.slowRead = mergeFaults(config.faults).slowRead;
    this.eventful =
      log !== null ||
      options.inputRequired > 0 ||
      options.disconnect > 0 ||
      options.releaseDelay > 0 ||
      options.prime !== 'none' ||
      options.storedEvents > 0 ||
      options.sseShare > 0;
    if (options.keepAlive > 0)
      this.pulses.push(
        new Pulse(loop, options.keepAlive, streams.open, (stream) => {
          if (!stream.takesEvents) return;
          stats.keepAlivesSent++;
          streams.send(stream, text.comment('keepalive'), 0, 0);
        }),
      );
    this.announceInTurn();
  }

  /** Takes the body of a POST. */
  receive(post: BodyPost, headers: McpHeaders, body: string, bytes: number): void {
    this.stats.postsReceived++;
    this.stats.bytesIn += bytes;
    if (this.options.checkAccept && !acceptsBoth(headers.accept))
      return this.answer(post, refusals.notAcceptable);
    let message: RpcMessage;
    try {
      message = JSON.parse(body) as RpcMessage;
    } catch {
      return this.answer(post, refusals.badJson);
    }
    if (Array.isArray(message)) return this.batch(post, headers, message as unknown[]);
    const kind = kindOf(message);
    if (kind === MessageKind.invalid) {
      const id = (message as RpcMessage | null)?.id;
      const problem = new RpcError(RpcCode.invalidRequest, 'Invalid Request: not a JSON-RPC message');
      return this.answer(post, errorReply(400, problem, isId(id) ? JSON.stringify(id) : 'null'));
    }
    this.count(kind, message);
    const { eras } = this.options;
    if (eras !== 'sessions' && (eras === 'stateless' || isStateless(message, headers)))
      this.receiveStateless(post, headers, message, kind);
    else this.receiveInSession(post, headers, message, kind);
  }

  /** Opens the stream of a session, or one of its streams again; tells the sink where that is refused. */
  open(headers: McpHeaders, sink: StreamSink): BodyReader | null {
    const peer = this.sessionOf(headers, true);
    if (!(peer instanceof Peer)) {
      sink.refuse(peer);
      return null;
    }
    if (headers.lastEventId !== '' && peer.store !== null)
      return this.resume(peer, headers.lastEventId, sink);
    if (peer.streams.length >= this.options.getStreams) {
      sink.refuse(refusals.conflict);
      return null;
    }
    const stream = new Stream(sink, peer);
    const reader = this.add(peer, stream);
    sink.start({ ...plainStreamHead, headers: peer.headers });
    this.streams.flush(stream);
    return reader;
  }

  /** Answers a DELETE: the end of a session. */
  end(headers: McpHeaders): HttpReply {
    const { deleteStatus } = this.options;
    if (deleteStatus === 405) return notAllowed('GET, POST');
    const peer = this.sessionOf(headers, false);
    if (!(peer instanceof Peer)) return peer;
    this.sessions.end(peer, 'deleted');
    return httpReply(deleteStatus);
  }

  refuse(refusal: Refusal): HttpReply {
    return refusalReply(refusal);
  }

  /** For how long an engine shall leave the next POST of a client in its socket. */
  readDelayMs(headers: McpHeaders): number {
    if (this.slowRead.rate === 0) return 0;
    const peer =
      headers.protocolVersion >= statelessVersions[0]
        ? this.stateless
        : this.sessions.find(headers.sessionId);
    if (peer === undefined) return 0;
    const { seed } = this.using.config;
    if (chance(seed, peer.ordinal, peer.posts++, Choice.slowRead) >= this.slowRead.rate) return 0;
    this.stats.injected.slowRead++;
    return this.slowRead.for / 1e6;
  }

  /** Ends all that is open, in good order where there is one. */
  close(): void {
    this.using.loop.clear(this.changeTimer);
    for (const pulse of this.pulses) pulse.stop();
    this.listens.close();
    this.sessions.endAll();
    for (const peer of [this.stateless, this.sessionless])
      for (const answer of peer.answers) answer.abandon();
    for (const stream of this.streams.open.slice()) this.streams.finish(stream);
  }

  // With sessions

  private receiveInSession(
    post: BodyPost,
    headers: McpHeaders,
    message: RpcMessage,
    kind: MessageKind,
  ): void {
    this.stats.streamable.postsWithSessions++;
    if (message.method === 'initialize' && kind === MessageKind.request)
      return this.initialize(post, headers, message);
    const peer = this.peerOf(headers);
    if (!(peer instanceof Peer)) return this.answer(post, peer);
    if (kind !== MessageKind.request) {
      this.answer(post, accepted);
      return this.oneWay(peer, kind, message);
    }
    this.request(post, peer, headers, message);
  }

  private initialize(post: BodyPost, headers: McpHeaders, message: RpcMessage): void {
    const params = (message.params ?? noParams) as Params;
    const idJson = idOf(message);
    const asked = params['protocolVersion'];
    if (headers.sessionId !== '' && this.sessions.find(headers.sessionId) !== undefined)
      return this.answer(post, refusals.initialized);
    const problem = initializeProblem(params);
    if (problem !== undefined)
      return this.answer(post, jsonReply(this.withSessions.error(idJson, problem), []));
    const peer = this.options.sessions ? this.sessions.create() : this.sessionless;
    if (peer === undefined) return this.answer(post, refusals.tooManySessions);
    const known = (sessionVersions as readonly unknown[]).includes(asked);
    const version = known ? (asked as string) : newestWithSessions;
    if (peer !== this.sessionless) {
      peer.version = version;
      peer.capabilities = objectOf(params['capabilities']);
    }
    const result = this.methods.initialized(version);
    this.respond(post, peer, this.withSessions.ofMethod(idJson, result, false), 200, true);
  }

  /** The session that a request names; or what refuses it. */
  private peerOf(headers: McpHeaders): Peer | HttpReply {
    if (!this.options.sessions) return this.sessionless;
    if (headers.sessionId === '') return refusals.noSession;
    const peer = this.sessions.find(headers.sessionId);
    if (peer === undefined) return unknownSession(this.options.unknownSession);
    if (this.options.checkHeaders && !knownVersion(headers.protocolVersion))
      return errorReply(
        400,
        new RpcError(
          RpcCode.server,
          `Bad Request: Unsupported protocol version (supported versions: ${sessionVersions.join(', ')})`,
        ),
      );
    return peer;
  }

  /** The session that a GET or a DELETE names; or what refuses it. */
  private sessionOf(headers: McpHeaders, forStream: boolean): Peer | HttpReply {
    const { eras, sessions, getStreams, checkAccept } = this.options;
    const stateless = eras === 'stateless' || headers.protocolVersion >= statelessVersions[0];
    if (stateless || !sessions) return notAllowed('POST');
    if (forStream && getStreams === 0) return notAllowed('POST, DELETE');
    if (forStream && checkAccept && !acceptsStream(headers.accept)) return refusals.noStreamAccepted;
    return this.peerOf(headers);
  }

  private request(post: BodyPost, peer: Peer, headers: McpHeaders, message: RpcMessage): void {
    const params = (message.params ?? noParams) as Params;
    const idJson = idOf(message);
    if (message.method === 'tools/call') return this.call(post, peer, params, idJson, headers);
    const outcome = this.methods.ofSession(peer, message.method!, params);
    this.respond(post, peer, this.withSessions.ofMethod(idJson, outcome, false), this.statusOf(outcome));
  }

  private oneWay(peer: Peer, kind: MessageKind, message: RpcMessage): void {
    if (kind === MessageKind.response) {
      if (typeof message.id === 'number') peer.asked.get(message.id)?.(message);
      return;
    }
    if (message.method !== 'notifications/cancelled') return;
    const id = (message.params as Params | undefined)?.['requestId'];
    if (isId(id)) peer.waiting.get(JSON.stringify(id))?.cancel();
  }

  private batch(post: BodyPost, headers: McpHeaders, messages: unknown[]): void {
    const kinds = messages.map((message) => kindOf(message));
    if (messages.length === 0 || messages.length > mostInBatch || kinds.includes(MessageKind.invalid))
      return this.answer(post, this.refuse('notJsonRpc'));
    const all = messages as RpcMessage[];
    all.forEach((message, at) => this.count(kinds[at]!, message));
    if (this.options.eras === 'stateless') return this.answer(post, refusals.noBatches);
    this.stats.streamable.postsWithSessions++;
    const peer = this.peerOf(headers);
    if (!(peer instanceof Peer)) return this.answer(post, peer);
    const initializes = all.some(({ method }) => method === 'initialize');
    if (peer.version !== '2025-03-26' || initializes) return this.answer(post, refusals.noBatches);
    const requests = all.filter((_, at) => kinds[at] === MessageKind.request);
    if (requests.length === 0) this.answer(post, accepted);
    all.forEach((message, at) => {
      if (kinds[at] !== MessageKind.request) this.oneWay(peer, kinds[at]!, message);
    });
    if (requests.length === 0) return;
    const wantsStream = this.options.body === 'sse';
    const answer = new Answer(this.answerParts, post, peer, requests.length, true, wantsStream);
    for (const message of requests) {
      const params = (message.params ?? noParams) as Params;
      const idJson = idOf(message);
      if (message.method === 'tools/call') this.callOn(answer, peer, params, idJson);
      else
        answer.respond(
          this.withSessions.ofMethod(idJson, this.methods.ofSession(peer, message.method!, params), false),
        );
    }
  }

  private resume(peer: Peer, lastEventId: string, sink: StreamSink): BodyReader | null {
    const at = readEventId(lastEventId);
    if (at === undefined || at.stream > peer.lastStreamNumber) {
      sink.refuse(refusals.badEventId);
      return null;
    }
    this.stats.streamable.resumes++;
    const stream = new Stream(sink, peer);
    const answer = [...peer.answers].find((one) => one.attach(at.stream, stream));
    this.streams.add(stream);
    sink.start({ ...plainStreamHead, headers: peer.headers });
    for (const event of peer.store!.after(at.stream, at.sequence)) {
      this.streams.send(stream, event.text, event.written ? 0 : event.responses);
      event.written = true;
    }
    if (answer === undefined) this.streams.finish(stream);
    return {
      drained: () => this.streams.drained(stream),
      lost: (why) => {
        if (answer !== undefined && answer.stream === stream) answer.lost(why);
        else if (stream.open) this.streams.remove(stream);
      },
    };
  }

  private add(peer: Peer, stream: Stream<Peer>): BodyReader {
    const { streamable } = this.stats;
    this.streams.add(stream);
    peer.streams.push(stream);
    streamable.getStreams++;
    streamable.getStreamsOpen++;
    return {
      drained: () => this.streams.drained(stream),
      lost: (why) => {
        if (why === 'unread') this.stats.unreadCuts++;
        if (stream.open) this.streams.remove(stream);
        const index = peer.streams.indexOf(stream);
        if (index === -1) return;
        peer.streams.splice(index, 1);
        streamable.getStreamsOpen--;
        peer.lastSeenNs = this.using.loop.nowNs();
      },
    };
  }

  // Without sessions

  private receiveStateless(
    post: BodyPost,
    headers: McpHeaders,
    message: RpcMessage,
    kind: MessageKind,
  ): void {
    this.stats.streamable.postsStateless++;
    if (kind === MessageKind.response)
      return this.answer(
        post,
        errorReply(400, new RpcError(RpcCode.invalidRequest, 'Invalid Request: nothing was asked')),
      );
    if (kind === MessageKind.notification) return this.answer(post, accepted);
    const idJson = idOf(message);
    const claimed = isStateless(message, headers);
    const problem = claimed
      ? wrongWith(message, headers, this.options.checkHeaders)
      : unsupportedVersion(headers.protocolVersion || undefined);
    if (problem !== undefined) return this.answer(post, errorReply(400, problem, idJson));
    const params = (message.params ?? noParams) as Params;
    const method = message.method!;
    const { stateless } = this;
    if (method === 'tools/call') return this.call(post, stateless, params, idJson, headers);
    if (method === 'subscriptions/listen') {
      const wrong = this.listens.listen(idJson, params, (lost) => this.beginListen(post, lost));
      return wrong && this.answer(post, errorReply(400, wrong, idJson));
    }
    const outcome = this.methods.stateless(method, params);
    const status = this.statusOf(outcome);
    this.respond(
      post,
      stateless,
      this.withoutSessions.ofMethod(idJson, outcome, cacheable.has(method)),
      outcome instanceof RpcError && outcome.code === RpcCode.methodNotFound ? 404 : status,
    );
  }

  /** The stream of a listener in the body of its POST; null where the client has gone. */
  private beginListen(post: BodyPost, lost: () => void): ListenLine | null {
    const { streams, stats, text } = this;
    const sink = post.begin(plainStreamHead, {
      drained: () => streams.drained(stream),
      lost: (why) => {
        if (why === 'unread') stats.unreadCuts++;
        if (stream.open) streams.remove(stream);
        lost();
      },
    });
    if (sink === null) {
      stats.postsAborted++;
      return null;
    }
    const stream = new Stream(sink, this.stateless);
    stats.answered(200);
    stats.streamable.bodiesSse++;
    streams.add(stream);
    return {
      send: (data, responses) => streams.send(stream, text.event(data), responses),
      finish: () => streams.finish(stream),
    };
  }

  // Both

  private call(post: BodyPost, peer: Peer, params: Params, idJson: string, headers: McpHeaders): void {
    const served = this.using.offers.tools.byName.get(params['name'] as string);
    if (peer.id !== '' && this.sessions.forgets(peer))
      return this.answer(post, unknownSession(this.options.unknownSession));
    const wanted = this.paramsOf.size === 0 ? undefined : this.paramsOf.get(params['name'] as string);
    if (wanted !== undefined && peer.era === 'stateless' && this.options.checkHeaders) {
      const problem = wrongParams(wanted, objectOf(params['arguments']), headers);
      if (problem !== undefined) return this.answer(post, errorReply(400, problem, idJson));
    }
    if (served === undefined || !served.plain || this.eventful) {
      const answer = new Answer(this.answerParts, post, peer, 1, false, this.wantsStream(peer));
      return this.callOn(answer, peer, params, idJson);
    }
    this.using.callReceived();
    served.counter.count++;
    const args = (params['arguments'] ?? noParams) as Params;
    const outcome = served.tool.run(args, peer, peer.calls++);
    const status = outcome instanceof RpcError ? this.statusOf(outcome) : 200;
    this.respond(post, peer, this.textOf(peer).ofCall(idJson, outcome), status);
  }

  private callOn(answer: Answer, peer: Peer, params: Params, idJson: string): void {
    const name = params['name'];
    const served = this.using.offers.tools.byName.get(name as string);
    if (served === undefined) {
      const error = unknownTool(name);
      answer.respond(this.textOf(peer).error(idJson, error), this.statusOf(error));
      return;
    }
    this.using.callReceived();
    served.counter.count++;
    const args = objectOf(params['arguments']);
    const ordinal = peer.calls++;
    const outcome = served.tool.run(args, peer, ordinal);
    const workNs = Math.round(served.tool.workNs?.(args) ?? 0);
    const declared = peer.era === 'sessions' ? peer.capabilities : declaredIn(params);
    this.calls.run({
      answer,
      peer,
      served,
      idJson,
      ordinal,
      params,
      args,
      capabilities: declared,
      outcome,
      workNs,
    });
  }

  /** Answers a request that nothing is to be done to. */
  private respond(post: BodyPost, peer: Peer, data: string, status: number, first = false): void {
    const { stats, options } = this;
    const headers = first || options.sessionHeader === 'always' ? peer.headers : noHeaders;
    // A status of its own needs a body that is none: the head of a stream says 200.
    const asStream = status === 200 && bodyFor(options, peer.era) === 'sse';
    if (asStream && (options.releaseDelay > 0 || options.prime !== 'none' || peer.store !== null)) {
      const answer = new Answer(this.answerParts, post, peer, 1, false, true);
      answer.respond(data);
      return;
    }
    const id = options.eventIds ? `${++peer.lastStreamNumber}-1` : '';
    const body = asStream ? this.text.event(data, id) : data;
    const reply = asStream
      ? streamReply(body, headers, !options.contentLength)
      : jsonReply(body, headers, status);
    if (!this.answers.reached(post, reply)) {
      stats.lateWrites++;
      return;
    }
    stats.responsesSent++;
    stats.bytesOut += Buffer.byteLength(body);
    if (asStream) {
      stats.eventsSent++;
      stats.streamable.bodiesSse++;
    } else stats.streamable.bodiesJson++;
  }

  private wantsStream(peer: Peer): boolean {
    const { sseShare } = this.options;
    const body = bodyFor(this.options, peer.era);
    if (body !== 'auto') return body === 'sse';
    if (sseShare === 0) return false;
    return chance(this.using.config.seed, peer.ordinal, peer.calls, Choice.body) < sseShare;
  }

  private statusOf(outcome: string | RpcError | InputRequired): number {
    if (!(outcome instanceof RpcError)) return 200;
    if (outcome.code === StatelessCode.missingCapability) return 400;
    return outcome.code === RpcCode.invalidParams ? this.options.errorStatus : 200;
  }

  private textOf(peer: Peer): EraText {
    return peer.era === 'stateless' ? this.withoutSessions : this.withSessions;
  }

  /** Tells everybody who listens that a list has changed. */
  private announce(what: Announced): void {
    this.listens.announce(what);
    const event = this.text.event(messageJson(`notifications/${what}/list_changed`, '{}'));
    for (const peer of this.sessions.all()) this.tell(peer, event);
  }

  private update(uri: string): void {
    this.listens.update(uri);
    const event = this.text.event(messageJson('notifications/resources/updated', JSON.stringify({ uri })));
    for (const peer of this.sessions.all()) if (peer.subscriptions.has(uri)) this.tell(peer, event);
  }

  private tell(peer: Peer, event: string): void {
    const [stream] = peer.streams;
    if (stream === undefined) return;
    this.stats.notificationsSent++;
    this.streams.send(stream, event, 0);
  }

  private announceInTurn(): void {
    const { listChanges } = this.options;
    if (listChanges === 0) return;
    this.changeTimer = this.using.loop.after(Math.max(1, listChanges / 1e6), () => {
      this.announce('tools');
      this.announceInTurn();
    });
  }

  private answer(post: Post, reply: HttpReply): void {
    this.answers.answer(post, reply);
  }

  private count(kind: MessageKind, message: RpcMessage): void {
    if (kind === MessageKind.response) {
      this.stats.responsesReceived++;
      return;
    }
    this.stats.method(message.method!);
    if (message.method === 'tools/call') this.stats.callsReceived++;
  }
}

const noHeaders: readonly (readonly [string, string])[] = [];
// Most requests accept what the one before accepted.
let lastAccept = 'application/json, text/event-stream';

function acceptsBoth(accept: string): boolean {
  if (accept === lastAccept) return true;
  const both =
    accept.includes('*/*') || (accept.includes('application/json') && accept.includes('text/event-stream'));
  if (both) lastAccept = accept;
  return both;
}

function acceptsStream(accept: string): boolean {
  return accept.includes('text/event-stream') || accept.includes('*/*');
}

function idOf({ id }: RpcMessage): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

function knownVersion(version: string): boolean {
  // A client of the first revision sends none.
  return version === '' || (sessionVersions as readonly string[]).includes(version);
}
