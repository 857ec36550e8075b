import { httpReply } from './http-reply.js';
import type { HttpReply } from './http-reply.js';
import type { MockApp } from '../mock-app.js';
import type { McpHeaders } from './mcp-headers.js';
import type { BodyPost, Post } from './post.js';
import { Router } from './router.js';
import type { Route } from './router.js';
import type { Site } from '../protocol/site.js';
import type { StatsSnapshot } from '../stats.js';
import { Stream } from '../sessions/stream.js';
import type { BodyReader, StreamSink } from '../sessions/stream.js';

/** How an engine tells what becomes of a stream that it holds. */
export type StreamHandle = BodyReader;

/** What is true of a whole server and not of one of its threads. */
export type ServerFacts = Pick<StatsSnapshot, 'engine' | 'dialect' | 'threads' | 'seed'>;

/** What an engine sees of the mock: the way to its routes, and what to do with streams, messages and everything else. */
export class Front {
  readonly router: Router;
  readonly limitBytes: number;
  readonly limitConnections: number;
  readonly limitUnreadBytes: number;

  constructor(
    readonly app: MockApp,
    loopbackOnly: boolean,
    protected readonly facts: ServerFacts,
  ) {
    this.router = new Router(app, loopbackOnly);
    this.limitBytes = app.config.limits.bodyBytes;
    this.limitConnections = app.config.limits.connections;
    this.limitUnreadBytes = app.config.limits.unreadBytes;
  }

  /** Opens a stream; where that is refused the sink is told, and there is nothing to hold. */
  open(route: Route, host: string, sink: StreamSink): StreamHandle | null {
    const { life, streams } = this.app;
    const stream = life.open(route, host, sink);
    if (!(stream instanceof Stream)) {
      sink.refuse(stream);
      return null;
    }
    return { drained: () => streams.drained(stream), lost: (why) => life.lost(stream, why) };
  }

  /** Takes the body of a POST. */
  receive(post: Post, route: Route, sessionKey: string | undefined, body: string, bytes: number): void {
    this.app.receive(post, route, sessionKey, body, bytes);
  }

  /** Refuses a POST whose body is over the limit. */
  refuseTooLarge(post: Post, route: Route): void {
    this.app.refuse(post, route.site?.refuse('tooLarge') ?? this.app.streamable.refuse('tooLarge'));
  }

  /** Takes the body of a POST to the Streamable HTTP endpoint. */
  receiveMcp(post: BodyPost, headers: McpHeaders, body: string, bytes: number): void {
    this.app.streamable.receive(post, headers, body, bytes);
  }

  /** Opens the stream that a GET of the Streamable HTTP endpoint asks for; where that is refused the sink is told. */
  openMcp(headers: McpHeaders, sink: StreamSink): StreamHandle | null {
    return this.app.streamable.open(headers, sink);
  }

  /** Answers a DELETE of the Streamable HTTP endpoint. */
  endMcp(request: Post, headers: McpHeaders): void {
    request.answer(this.app.streamable.end(headers));
  }

  /** For how long the next POST of a client of the Streamable HTTP endpoint shall stay in its socket. */
  mcpReadDelayMs(headers: McpHeaders): number {
    return this.app.streamable.readDelayMs(headers);
  }

  /** For how long the next POST of a session shall stay in its socket. */
  readDelayMs(site: Site, sessionKey: string | undefined): number {
    return this.app.readDelayMs(site, sessionKey);
  }

  /** Answers the routes that are neither streams nor messages. */
  answerPlain(route: Route, query: string, request: Post): void {
    const reply = (answer: HttpReply): void => void request.answer(answer);
    if (route.kind === 'refused')
      return route.counted ? this.app.refuse(request, route.reply!) : reply(route.reply!);
    if (route.kind === 'redirect') {
      const location = route.site!.messagesPath + (query === '' ? '' : `?${query}`);
      return reply(httpReply(307, '', '', { headers: [['Location', location]] }));
    }
    const reset = route.kind === 'stats' && new URLSearchParams(query).has('reset');
    this.stats(reset, (snapshot) => reply(json(route.kind === 'stats' ? snapshot : this.health(snapshot))));
  }

  /** The counts of the whole server, and where asked, a new start from zero. */
  stats(reset: boolean, done: (snapshot: StatsSnapshot) => void): void {
    done(this.ownStats(reset));
  }

  /** The counts of this thread. */
  ownStats(reset: boolean): StatsSnapshot {
    const snapshot = this.app.stats.snapshot(this.facts);
    if (reset) this.app.stats.reset();
    return snapshot;
  }

  private health(snapshot: StatsSnapshot): object {
    return {
      status: 'ok',
      service: 'mcp-bench mock',
      active_sessions: snapshot.sessions.open,
      available_tools: this.app.tools.names,
    };
  }
}

function json(value: object): HttpReply {
  return httpReply(200, `${JSON.stringify(value)}\n`, 'application/json');
}
