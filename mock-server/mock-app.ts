import { Answers } from './http/answers.js';
import { CallDelivery } from './calls/call-delivery.js';
import type { CallLog } from './calls/call-log.js';
import { CallRunner } from './calls/call-runner.js';
import { chance, Choice } from './calls/chance.js';
import { mergeFaults } from './config/faults.js';
import type { MockConfig } from './config/config.js';
import type { FaultConfig } from './config/faults.js';
import { DueQueue } from './time/due-queue.js';
import { Freezer } from './calls/freezer.js';
import { handshake } from './protocol/handshake.js';
import type { HttpReply } from './http/http-reply.js';
import { isId, kindOf, MessageKind, RpcCode, RpcError } from './protocol/json-rpc.js';
import type { RpcMessage } from './protocol/json-rpc.js';
import type { Loop } from './time/loop.js';
import { methodsOf } from './protocol/methods.js';
import type { Methods } from './protocol/methods.js';
import type { Post } from './http/post.js';
import type { Pulse } from './sessions/pulse.js';
import { pulsesOf } from './sessions/pulses.js';
import type { Route } from './http/router.js';
import { Sender } from './sessions/sender.js';
import { SessionState } from './sessions/session.js';
import type { Session } from './sessions/session.js';
import { SessionBook } from './sessions/session-book.js';
import { SessionDue } from './sessions/session-due.js';
import type { Site } from './protocol/site.js';
import { sitesOf } from './protocol/sites.js';
import { Stats } from './stats.js';
import type { Stream } from './sessions/stream.js';
import { StreamLife } from './sessions/stream-life.js';
import { Streams } from './sessions/streams.js';
import { offersOf } from './offers/offers.js';
import { StreamableServer } from './streamable/streamable-server.js';
import { streamableOptionsOf } from './streamable/streamable-options-of.js';
import { ToolBox } from './tools/tool-box.js';
import type { Usage } from './threads/usage.js';

const noParams: Record<string, unknown> = {};
const longestQuote = 200;

/** What a mock needs from outside. */
export interface MockAppParts {
  readonly loop: Loop;
  /** Which of how many threads it runs on. */
  readonly thread: { readonly index: number; readonly count: number };
  /** What all threads have open together. */
  readonly usage: Usage;
  /** 32 hexadecimal digits, new for every session. */
  readonly newSessionHex: () => string;
  readonly version: string;
  /** Where this server is, for clients that send no Host. */
  readonly baseUrl: () => string;
  readonly log: CallLog | null;
}

/** The mock itself, without any I/O: an engine opens streams and hands in messages, events go to the engine's sinks. */
export class MockApp {
  readonly stats = new Stats();
  readonly answers = new Answers(this.stats);
  readonly sites: readonly Site[];
  readonly tools: ToolBox;
  readonly streams: Streams;
  readonly life: StreamLife;
  readonly sessions: SessionBook;
  readonly usage: Usage;
  readonly streamable: StreamableServer;
  readonly due: DueQueue;
  private readonly sessionDue: SessionDue;
  private readonly log: CallLog | null;
  private readonly sender: Sender;
  private readonly runner: CallRunner;
  private readonly methods: Map<Site, Methods>;
  private readonly freezer: Freezer | null;
  private readonly pulses: Pulse[];
  private readonly slowRead: FaultConfig['slowRead'];

  constructor(
    readonly config: MockConfig,
    private readonly parts: MockAppParts,
  ) {
    const { stats, answers } = this;
    const { loop, log } = parts;
    const sessions = (this.sessions = new SessionBook(parts.thread));
    this.log = log;
    this.usage = parts.usage;
    this.sites = sitesOf(config);
    this.tools = new ToolBox(config, stats);
    const due = (this.due = new DueQueue(loop));
    const streams = (this.streams = new Streams(
      loop,
      stats,
      due,
      log,
      config.limits.unreadBytes,
      (stream) => {
        stats.unreadCuts++;
        this.life.end(stream, 'cut');
      },
    ));
    const sender = (this.sender = new Sender(streams, stats, loop));
    const sessionGone = (session: Session): void => this.runner.abandon(session);
    this.life = new StreamLife({ ...parts, config, stats, streams, sessions, sender, sessionGone });
    const cutStream = (stream: Stream): void => this.life.end(stream, 'cut');
    const delivery = new CallDelivery({ seed: config.seed, stats, streams, sender, cutStream });
    this.sessionDue = new SessionDue(due);
    this.runner = new CallRunner({ loop, due: this.sessionDue, stats, streams, delivery, answers, log });
    const offers = offersOf(config, this.tools);
    this.methods = new Map(this.sites.map((site) => [site, methodsOf(site, offers, parts.version)]));
    this.freezer = config.freeze
      ? new Freezer(config.freeze, loop, due, stats, (fromNs, toNs) => log?.freeze(fromNs, toNs))
      : null;
    this.pulses = pulsesOf(config, this.sites, loop, streams.open, sender);
    this.slowRead = mergeFaults(config.faults).slowRead;
    this.streamable = new StreamableServer({
      ...parts,
      config,
      options: streamableOptionsOf(config),
      offers,
      due,
      stats,
      answers,
      callReceived: () => this.freezer?.callReceived(),
    });
  }

  /** One POSTed body. Checks in the order of the protocol tables: JSON, JSON-RPC, session, state, method, params. */
  receive(post: Post, route: Route, sessionKey: string | undefined, body: string, bytes: number): void {
    const site = route.site!;
    this.stats.postsReceived++;
    this.stats.bytesIn += bytes;
    let message: RpcMessage;
    try {
      message = JSON.parse(body) as RpcMessage;
    } catch {
      return this.answers.answer(post, site.refuse('malformedJson', 'null', body));
    }
    const kind = kindOf(message);
    if (kind === MessageKind.invalid) {
      const id = (message as RpcMessage | null)?.id;
      return this.answers.answer(
        post,
        site.refuse('notJsonRpc', isId(id) ? JSON.stringify(id) : 'null', body),
      );
    }
    this.countMessage(kind, message);
    const session = this.sessions.find(site, sessionKey);
    if (session === undefined) return this.refuseSession(post, site, sessionKey, message);
    if (session.state !== SessionState.ready && !this.passes(session, kind, message, post)) return;
    if (kind === MessageKind.request) this.request(session, message, post);
    else this.oneWay(session, kind, message, post);
  }

  /** Refuses a POST whose body was not looked at. */
  refuse(post: Post, reply: HttpReply): void {
    this.stats.postsReceived++;
    this.answers.answer(post, reply);
  }

  /** For how long an engine shall leave the next POST of a session in its socket. */
  readDelayMs(site: Site, sessionKey: string | undefined): number {
    if (this.slowRead.rate === 0) return 0;
    const session = this.sessions.find(site, sessionKey);
    if (session === undefined || session.state !== SessionState.ready || !session.initialized) return 0;
    if (chance(this.config.seed, session.ordinal, session.posts++, Choice.slowRead) >= this.slowRead.rate)
      return 0;
    this.stats.injected.slowRead++;
    return this.slowRead.for / 1e6;
  }

  nowNs(): number {
    return this.parts.loop.nowNs();
  }

  /** Ends every stream, with the dialect's last event, and stops all timers. */
  close(reason: string): void {
    this.life.endAll(reason);
    this.streamable.close();
    for (const pulse of this.pulses) pulse.stop();
    this.due.clear();
    this.log?.flush();
  }

  private request(session: Session, message: RpcMessage, post: Post): void {
    const { site } = session;
    const method = message.method!;
    const idJson = typeof message.id === 'number' ? String(message.id) : JSON.stringify(message.id);
    const params = (message.params ?? noParams) as Record<string, unknown>;
    if (method === 'tools/call' || (method === 'callTool' && site.dialect.methods === 'mcp+legacy'))
      return this.call(session, params, idJson, post);
    const run = this.methods.get(site)!.get(method);
    const outcome =
      run?.(params, session) ??
      new RpcError(RpcCode.methodNotFound, `Method not found: ${method.slice(0, longestQuote)}`);
    const eventFirst = run === undefined && site.wire.methodNotFoundFirst;
    this.respond(session, site.methodMembers(idJson, outcome), post, eventFirst);
  }

  private call(session: Session, params: Record<string, unknown>, idJson: string, post: Post): void {
    const { site } = session;
    const { argumentsKey } = site.dialect;
    const served = this.tools.byName.get(params['name'] as string);
    if (served === undefined) return this.unknownTool(session, params['name'], idJson, post);
    if (this.freezer !== null) this.freezer.callReceived();
    served.counter.count++;
    const args = (params[argumentsKey] ?? params['arguments'] ?? noParams) as Record<string, unknown>;
    const ordinal = session.calls++;
    const outcome = served.tool.run(args, session, ordinal);
    if (!site.plain || !served.plain || this.log !== null) {
      const workNs = Math.round(served.tool.workNs?.(args) ?? 0);
      return this.runner.run({ session, served, idJson, ordinal, outcome, workNs, post });
    }
    this.answers.accept(post, site);
    this.streams.send(session.streams[0]!, site.responseEvent(site.responseMembers(idJson, outcome)), 1);
  }

  private unknownTool(session: Session, name: unknown, idJson: string, post: Post): void {
    const { site } = session;
    if (name === 'describe_tools' && site.dialect.methods === 'tools-only')
      return this.respond(session, site.methodMembers(idJson, this.tools.describe()), post, false);
    const error =
      typeof name === 'string'
        ? new RpcError(site.dialect.unknownToolCode, `Unknown tool: ${name.slice(0, longestQuote)}`)
        : new RpcError(RpcCode.invalidParams, `Invalid params: missing required field 'name'`);
    this.respond(session, site.methodMembers(idJson, error), post, false);
  }

  /** Accepts a request and sends its response, in the order that the site has for them. */
  private respond(session: Session, members: string, post: Post, eventFirst: boolean): void {
    const { site } = session;
    const { ack, ackGap, jsonInPost } = site.wire;
    const body = jsonInPost ? members : undefined;
    if (eventFirst || ack === 'after-event') {
      this.sender.response(session, members);
      for (const stream of session.streams) this.streams.flush(stream);
      const accept = (): void => this.answers.accept(post, site, body);
      const ends = { run: accept, cancelled: accept, abandoned: accept };
      return this.sessionDue.add(session, this.nowNs() + ackGap, ends);
    }
    this.answers.accept(post, site, body);
    this.sender.response(session, members);
  }

  private oneWay(session: Session, kind: MessageKind, message: RpcMessage, post: Post): void {
    const { site } = session;
    this.answers.accept(post, site);
    if (kind === MessageKind.response) {
      session.serverRequestOpen = false;
      return;
    }
    const { method } = message;
    if (method === 'notifications/cancelled') {
      const id = (message.params as Record<string, unknown> | undefined)?.['requestId'];
      if (isId(id)) this.sessionDue.cancel(session, JSON.stringify(id));
    } else if (method === 'notifications/initialized' && site.wire.initialized === 'error') {
      const error = new RpcError(RpcCode.methodNotFound, `Method not found: ${method}`);
      this.sender.response(session, site.methodMembers('null', error));
    }
  }

  /** Deals with a message that the handshake does not let through; true where it may go on. */
  private passes(session: Session, kind: MessageKind, message: RpcMessage, post: Post): boolean {
    const { site } = session;
    const verdict = handshake(session, kind, message.method);
    if (verdict === 'proceed') return true;
    if (verdict === 'refuse') {
      const members = site.methodMembers(JSON.stringify(message.id), site.dialect.notInitialized);
      this.respond(session, members, post, false);
      return false;
    }
    this.answers.accept(post, site);
    if (verdict === 'hang') this.stats.hung++;
    else for (const stream of session.streams.slice()) this.life.end(stream, 'end');
    return false;
  }

  private refuseSession(post: Post, site: Site, sessionKey: string | undefined, message: RpcMessage): void {
    const idJson = isId(message.id) ? JSON.stringify(message.id) : 'null';
    if (sessionKey === undefined) return this.answers.answer(post, site.refuse('noSession', idJson));
    if (this.sessions.wasOpen(site, sessionKey))
      return this.answers.answer(post, site.refuse('streamGone', idJson));
    if (site.wire.unknownSession !== 'never')
      this.answers.answer(post, site.refuse('unknownSession', idJson));
  }

  private countMessage(kind: MessageKind, message: RpcMessage): void {
    if (kind === MessageKind.response) {
      this.stats.responsesReceived++;
      return;
    }
    const method = message.method!;
    this.stats.method(method);
    if (method === 'tools/call' || method === 'callTool') this.stats.callsReceived++;
  }
}
