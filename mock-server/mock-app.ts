import { CallLog } from './call-log.js';
import { CallRunner } from './call-runner.js';
import type { MockConfig } from './config.js';
import { DueQueue } from './due-queue.js';
import { httpReply } from './http-reply.js';
import type { HttpReply } from './http-reply.js';
import { isId, kindOf, MessageKind, RpcCode, RpcError } from './json-rpc.js';
import type { RpcMessage } from './json-rpc.js';
import type { Loop } from './loop.js';
import { methodsOf } from './methods.js';
import type { Post } from './post.js';
import type { Route } from './router.js';
import { Sender } from './sender.js';
import { Session, SessionState } from './session.js';
import { SessionBook } from './session-book.js';
import type { Site } from './site.js';
import { sitesOf } from './sites.js';
import { Stats } from './stats.js';
import { Stream } from './stream.js';
import type { StreamSink } from './stream.js';
import { Streams } from './streams.js';
import { ToolBox } from './tool-box.js';

const noParams: Record<string, unknown> = {};

/** What a server needs from outside. */
export interface MockAppParts {
  readonly loop: Loop;
  /** 32 hexadecimal digits, new for every session. */
  readonly newSessionHex: () => string;
  readonly version: string;
  readonly baseUrl: () => string;
  readonly logFile?: string;
}

/** The mock itself, without any I/O: streams are opened and messages received by an engine, events go to its sinks. */
export class MockApp {
  readonly stats = new Stats();
  readonly sites: readonly Site[];
  readonly tools: ToolBox;
  readonly streams: Streams;
  readonly sender: Sender;
  readonly sessions: SessionBook;
  private readonly due: DueQueue;
  private readonly log: CallLog | null;
  private readonly runner: CallRunner;
  private readonly methods = new Map<Site, ReturnType<typeof methodsOf>>();

  constructor(
    readonly config: MockConfig,
    private readonly parts: MockAppParts,
  ) {
    const { loop } = parts;
    this.sites = sitesOf(config);
    this.tools = new ToolBox(config, this.stats);
    this.due = new DueQueue(loop);
    this.log = parts.logFile === undefined ? null : new CallLog(parts.logFile, loop, true);
    this.streams = new Streams(loop, this.stats, this.due, this.log, config.limits.unreadBytes);
    this.sender = new Sender(this.streams, this.stats, loop);
    this.sessions = new SessionBook();
    this.runner = new CallRunner({
      seed: config.seed,
      loop,
      due: this.due,
      stats: this.stats,
      streams: this.streams,
      sender: this.sender,
      log: this.log,
      accept: (post, session, body) => this.accept(post, session, body),
      endStream: (stream, how) => this.endStream(stream, how),
    });
    for (const site of this.sites) this.methods.set(site, methodsOf(site, this.tools, parts.version));
  }

  /** Opens a stream on a route and sends its first event, or says why not. */
  open(route: Route, host: string, sink: StreamSink): Stream | HttpReply {
    const site = route.site!;
    if (this.streams.open.length >= this.config.limits.sessions) {
      this.stats.sessionsRefused++;
      return site.refuse('tooManySessions');
    }
    const session = this.sessionFor(site, route.workspace);
    const stream = new Stream(sink);
    stream.session = session;
    session.streams.push(stream);
    this.streams.add(stream);
    this.stats.sessionsOpened++;
    this.stats.sessionsOpen++;
    this.greet(stream, host);
    return stream;
  }

  /** The engine lost a stream: its client went away, or did not read. */
  closed(stream: Stream, by: 'client' | 'unread'): void {
    if (!stream.open) return;
    if (by === 'client') this.stats.closedByClient++;
    else this.stats.closedByServer++;
    this.forget(stream);
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
      return this.answer(post, site.refuse('malformedJson', 'null', body));
    }
    const kind = kindOf(message);
    if (kind === MessageKind.invalid) {
      const id = (message as RpcMessage | null)?.id;
      return this.answer(post, site.refuse('notJsonRpc', isId(id) ? JSON.stringify(id) : 'null', body));
    }
    this.countMessage(kind, message);
    const session = this.sessions.find(site, sessionKey);
    if (session === undefined) return this.refuseSession(post, site, sessionKey, message);
    if (session.state !== SessionState.ready && !this.mayProceed(session, kind, message, post)) return;
    if (kind === MessageKind.request) this.request(session, message, post);
    else this.oneWay(session, kind, message, post);
  }

  /** Refuses a POST whose body was not looked at. */
  refuse(post: Post, reply: HttpReply): void {
    this.stats.postsReceived++;
    this.answer(post, reply);
  }

  nowNs(): number {
    return this.parts.loop.nowNs();
  }

  /** Ends every stream, with the dialect's last event, and stops all timers. */
  close(reason: string): void {
    for (const stream of this.streams.open.slice()) {
      const last = stream.session.site.dialect.lastEvent(reason);
      if (last) this.sender.event(stream, last);
      this.endStream(stream, 'end');
    }
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
    if (run === undefined) {
      const members = site.methodMembers(
        idJson,
        new RpcError(RpcCode.methodNotFound, `Method not found: ${method.slice(0, 200)}`),
      );
      return this.respond(session, members, post, site.wire.methodNotFoundFirst);
    }
    this.respond(session, site.methodMembers(idJson, run(params, session)), post, false);
  }

  private call(session: Session, params: Record<string, unknown>, idJson: string, post: Post): void {
    const { site } = session;
    const name = params['name'];
    const served = this.tools.byName.get(name as string);
    if (served === undefined) return this.unknownTool(session, name, idJson, post);
    served.counter.count++;
    const args = (params[site.dialect.argumentsKey] ?? params['arguments'] ?? noParams) as Record<
      string,
      unknown
    >;
    const ordinal = session.calls++;
    const outcome = served.tool.run(args, session, ordinal);
    if (!site.plain || !served.plain || this.log !== null)
      return this.runner.run(session, served, idJson, ordinal, args, outcome, post);
    this.accept(post, session);
    this.streams.send(session.streams[0]!, site.responseEvent(site.responseMembers(idJson, outcome)), 1);
  }

  private unknownTool(session: Session, name: unknown, idJson: string, post: Post): void {
    const { site } = session;
    const error =
      typeof name === 'string'
        ? name === 'describe_tools' && site.dialect.methods === 'tools-only'
          ? this.tools.describe()
          : new RpcError(site.dialect.unknownToolCode, `Unknown tool: ${name.slice(0, 200)}`)
        : new RpcError(RpcCode.invalidParams, `Invalid params: missing required field 'name'`);
    this.respond(session, site.methodMembers(idJson, error), post, false);
  }

  private respond(session: Session, members: string, post: Post, eventFirst: boolean): void {
    const { wire } = session.site;
    if (eventFirst || wire.ack === 'after-event') {
      this.sender.response(session, members);
      for (const stream of session.streams) this.streams.flush(stream);
      this.due.add(this.parts.loop.nowNs() + wire.ackGap, () => this.accept(post, session));
      return;
    }
    this.accept(post, session, wire.jsonInPost ? `{"jsonrpc":"2.0",${members}}` : undefined);
    this.sender.response(session, members);
  }

  private oneWay(session: Session, kind: MessageKind, message: RpcMessage, post: Post): void {
    this.accept(post, session);
    if (kind === MessageKind.response) {
      session.serverRequestOpen = false;
      return;
    }
    const { method } = message;
    if (method === 'notifications/cancelled') {
      const id = (message.params as Record<string, unknown> | undefined)?.['requestId'];
      if (isId(id)) session.pending?.get(JSON.stringify(id))?.cancel();
    } else if (method === 'notifications/initialized' && session.site.wire.initialized === 'error') {
      const error = new RpcError(RpcCode.methodNotFound, `Method not found: ${method}`);
      this.sender.response(session, session.site.methodMembers('null', error));
    }
  }

  /** The handshake rules; false where the message is dealt with already. */
  private mayProceed(session: Session, kind: MessageKind, message: RpcMessage, post: Post): boolean {
    const { dialect, wire } = session.site;
    const { method } = message;
    if (session.state === SessionState.fresh) {
      if (method === 'initialize' && kind === MessageKind.request) return true;
      if (wire.beforeInitialize === 'end') return this.endSession(session, post);
      if (wire.beforeInitialize === 'error' && kind === MessageKind.request) {
        if (method === 'ping' && dialect.pingBeforeInitialize) return true;
        const id = JSON.stringify(message.id);
        this.respond(session, session.site.methodMembers(id, dialect.notInitialized), post, false);
        return false;
      }
      if (wire.beforeInitialize === 'error') return true;
    }
    if (method === 'notifications/initialized') {
      session.state = SessionState.ready;
      return true;
    }
    if (wire.initialized === 'required' && session.state === SessionState.initializeAnswered)
      return this.endSession(session, post);
    if (wire.initialized === 'gate' && (method === 'tools/call' || method === 'callTool')) {
      this.accept(post, session);
      this.stats.hung++;
      return false;
    }
    return true;
  }

  private endSession(session: Session, post: Post): false {
    this.accept(post, session);
    for (const stream of session.streams.slice()) this.endStream(stream, 'end');
    return false;
  }

  private refuseSession(post: Post, site: Site, sessionKey: string | undefined, message: RpcMessage): void {
    const idJson = isId(message.id) ? JSON.stringify(message.id) : 'null';
    if (sessionKey === undefined) return this.answer(post, site.refuse('noSession', idJson));
    if (this.sessions.wasOpen(sessionKey)) return this.answer(post, site.refuse('streamGone', idJson));
    if (site.wire.unknownSession !== 'never') this.answer(post, site.refuse('unknownSession', idJson));
  }

  private sessionFor(site: Site, workspace: string): Session {
    if (site.dialect.sessionParam === '') {
      const known = this.sessions.find(site, workspace);
      return known ?? this.sessions.add(new Session(workspace, site, this.sessions.nextOrdinal()));
    }
    const hex = this.parts.newSessionHex();
    const id = site.dialect.sessionIdForm === 'hex' ? hex : uuidOf(hex);
    return this.sessions.add(new Session(id, site, this.sessions.nextOrdinal()));
  }

  private greet(stream: Stream, host: string): void {
    const { session } = stream;
    const { dialect, wire, messagesPath } = session.site;
    const path = `${messagesPath}?${dialect.sessionParam}=${session.id}`;
    const base = host === '' ? this.parts.baseUrl() : `http://${host}`;
    const first = dialect.firstEvent({
      endpoint: wire.endpoint === 'absolute' ? base + path : path,
      sessionId: session.id,
      timestamp: this.parts.loop.wallClock().toISOString(),
    });
    const event = wire.endpointEvent === 'unnamed' ? { event: '', data: first.data } : first;
    const text = session.site.event(event, wire.eventIds ? ++stream.lastEventId : 0, true);
    this.streams.send(stream, (wire.byteOrderMark ? '\uFEFF' : '') + text, 0);
    if (wire.earlyNotification) this.sender.push(stream);
    this.streams.flush(stream);
  }

  private endStream(stream: Stream, how: 'end' | 'cut'): void {
    if (!stream.open) return;
    this.streams.flush(stream);
    this.stats.closedByServer++;
    this.forget(stream);
    if (how === 'end') stream.sink.end();
    else stream.sink.destroy();
  }

  private forget(stream: Stream): void {
    const { session } = stream;
    this.stats.sessionsOpen--;
    this.streams.remove(stream);
    session.streams.splice(session.streams.indexOf(stream), 1);
    if (session.streams.length === 0) this.sessions.remove(session);
  }

  private accept(post: Post, session: Session, body?: string): void {
    const { accepted } = session.site;
    this.answer(post, body === undefined ? accepted : httpReply(accepted.status, body, 'application/json'));
  }

  private answer(post: Post, reply: HttpReply): void {
    if (post.answer(reply)) this.stats.answered(reply.status);
    else this.stats.postsAborted++;
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

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
