import { Front } from '../http/front.js';
import type { ServerFacts, StreamHandle } from '../http/front.js';
import type { HttpReply } from '../http/http-reply.js';
import type { MockApp } from '../mock-app.js';
import { countedElsewhere } from '../http/post.js';
import { firstStateless } from '../peers/eras.js';
import type { McpHeaders } from '../http/mcp-headers.js';
import type { BodyPost, Post } from '../http/post.js';
import { RemotePost, RemoteSink } from './remote-sink.js';
import type { Route } from '../http/router.js';
import { sumStats } from './sum-stats.js';
import type { StatsSnapshot } from '../stats.js';
import type { BodyHead, StreamSink } from '../sessions/stream.js';
import { acceptsAtOnce, isMessage } from './early-accept.js';
import { ownerOfSession, ownerOfWorkspace } from './owner.js';
import type { ThreadLink } from './thread-link.js';
import type { ThreadMessage } from './thread-messages.js';

/** A front of one thread among several: what belongs to a session of another thread goes there and comes back. */
export class ThreadFront extends Front {
  /** The other threads by index; nothing at our own. */
  links: (ThreadLink | undefined)[] = [];
  private nextRef = 0;
  private readonly posts = new Map<number, Post>();
  private readonly sinks = new Map<number, StreamSink>();
  /** POSTs to sessions of Streamable HTTP that live elsewhere, until they are answered, and DELETEs of those. */
  private readonly bodies = new Map<number, BodyPost>();
  private readonly plain = new Map<number, Post>();
  private readonly counts = new Map<number, (snapshot: StatsSnapshot) => void>();
  /** Sites on which any thread may accept a message. */
  private readonly atOnce: boolean[];
  /** Sessions that are open on other threads, as far as we have heard: site and id. */
  private readonly elsewhere = new Set<string>();
  /** Streams of workspaces that live here, held by other threads. */
  private readonly held = new Map<ThreadLink, Map<number, StreamHandle & { block(): void }>>();

  constructor(
    app: MockApp,
    loopbackOnly: boolean,
    facts: ServerFacts,
    private readonly index: number,
  ) {
    super(app, loopbackOnly, facts);
    this.atOnce = app.sites.map((site) => acceptsAtOnce(site, app.config));
    app.sessions.watcher = ({ id, site }, open) => {
      const message: ThreadMessage = { kind: 'session', site: app.sites.indexOf(site), id, open };
      for (const link of this.links) link?.send(message);
    };
  }

  override receive(post: Post, route: Route, key: string | undefined, body: string, bytes: number): void {
    const link = this.ownerOf(route, key);
    if (link === undefined) return super.receive(post, route, key, body, bytes);
    const site = this.app.sites.indexOf(route.site!);
    // A connection with an unanswered request can take no second one: where the answer is certain it is not waited for.
    const certain = this.atOnce[site]! && this.elsewhere.has(`${site} ${key}`) && isMessage(body);
    const ref = certain ? -1 : this.nextRef++;
    if (certain) this.app.answers.answer(post, route.site!.accepted);
    else {
      this.posts.set(ref, post);
      post.whenGone = () => void this.posts.delete(ref);
    }
    link.send({ kind: 'post', ref, site, workspace: route.workspace, key, body, bytes });
  }

  override open(route: Route, host: string, sink: StreamSink): StreamHandle | null {
    const link =
      route.workspace === '' ? undefined : this.links[ownerOfWorkspace(route.workspace, this.facts.threads)];
    if (link === undefined) return super.open(route, host, sink);
    const ref = this.nextRef++;
    link.send({
      kind: 'open',
      ref,
      site: this.app.sites.indexOf(route.site!),
      workspace: route.workspace,
      host,
    });
    return this.hold(ref, sink, link);
  }

  override receiveMcp(post: BodyPost, headers: McpHeaders, body: string, bytes: number): void {
    const link = this.ownerOfMcp(headers);
    if (link === undefined) return super.receiveMcp(post, headers, body, bytes);
    const ref = this.nextRef++;
    this.bodies.set(ref, post);
    post.whenGone = () => {
      if (this.bodies.delete(ref)) link.send({ kind: 'lost', ref, why: 'client' });
    };
    link.send({ kind: 'mcp', ref, headers, body, bytes });
  }

  override openMcp(headers: McpHeaders, sink: StreamSink): StreamHandle | null {
    const link = this.ownerOfMcp(headers);
    if (link === undefined) return super.openMcp(headers, sink);
    const ref = this.nextRef++;
    link.send({ kind: 'mcp-stream', ref, headers });
    return this.hold(ref, sink, link);
  }

  override endMcp(request: Post, headers: McpHeaders): void {
    const link = this.ownerOfMcp(headers);
    if (link === undefined) return super.endMcp(request, headers);
    const ref = this.nextRef++;
    this.plain.set(ref, request);
    link.send({ kind: 'mcp-end', ref, headers });
  }

  override stats(reset: boolean, done: (snapshot: StatsSnapshot) => void): void {
    const snapshots = [this.ownStats(reset)];
    const others = this.links.filter((link) => link !== undefined);
    const add = (snapshot: StatsSnapshot): void => {
      if (snapshots.push(snapshot) === others.length + 1) done(sumStats(snapshots));
    };
    for (const link of others) {
      const ref = this.nextRef++;
      this.counts.set(ref, add);
      link.send({ kind: 'stats', ref, reset });
    }
  }

  /** Takes what another thread says. */
  take(message: ThreadMessage, from: ThreadLink): void {
    switch (message.kind) {
      case 'post': {
        const answer = (reply: HttpReply): number => {
          if (message.ref !== -1) from.send({ kind: 'reply', ref: message.ref, reply });
          return countedElsewhere;
        };
        return this.app.receive(
          { answer },
          this.routeOf('messages', message),
          message.key,
          message.body,
          message.bytes,
        );
      }
      case 'reply':
        return this.reply(message.ref, message.reply);
      case 'session':
        if (message.open) this.elsewhere.add(`${message.site} ${message.id}`);
        else this.elsewhere.delete(`${message.site} ${message.id}`);
        return;
      case 'stats':
        return from.send({ kind: 'counted', ref: message.ref, snapshot: this.ownStats(message.reset) });
      case 'counted':
        this.counts.get(message.ref)?.(message.snapshot);
        this.counts.delete(message.ref);
        return;
      case 'mcp': {
        const post = new RemotePost(from, message.ref, () => this.heldBy(from).delete(message.ref));
        this.heldBy(from).set(message.ref, post);
        return super.receiveMcp(post, message.headers, message.body, message.bytes);
      }
      case 'mcp-stream': {
        const sink = new RemoteSink(from, message.ref, () => this.heldBy(from).delete(message.ref));
        const handle = super.openMcp(message.headers, sink);
        if (handle === null) return;
        this.heldBy(from).set(message.ref, {
          drained: () => {
            sink.blocked = false;
            handle.drained();
          },
          lost: (why) => handle.lost(why),
          block: () => {
            sink.blocked = true;
          },
        });
        return;
      }
      case 'mcp-end': {
        const answer = (reply: HttpReply): number => {
          from.send({ kind: 'reply', ref: message.ref, reply });
          return countedElsewhere;
        };
        return super.endMcp({ answer }, message.headers);
      }
      case 'begin':
        return this.begin(from, message.ref, message.head);
      case 'open':
        return this.openFor(from, message);
      case 'blocked':
        return this.held.get(from)?.get(message.ref)?.block();
      case 'drained':
        return this.held.get(from)?.get(message.ref)?.drained();
      case 'lost':
        this.held.get(from)?.get(message.ref)?.lost(message.why);
        this.held.get(from)?.delete(message.ref);
        return;
      default:
        return this.toSink(message, from);
    }
  }

  /** Keeps a stream that another thread writes. */
  private hold(ref: number, sink: StreamSink, link: ThreadLink): StreamHandle {
    this.sinks.set(ref, sink);
    return {
      drained: () => link.send({ kind: 'drained', ref }),
      lost: (why) => {
        if (this.sinks.delete(ref)) link.send({ kind: 'lost', ref, why });
      },
    };
  }

  /** Begins the body of a POST that another thread answers. */
  private begin(link: ThreadLink, ref: number, head: BodyHead): void {
    const post = this.bodies.get(ref);
    if (!this.bodies.delete(ref)) return;
    const sink = post!.begin(head, {
      drained: () => link.send({ kind: 'drained', ref }),
      lost: (why) => {
        if (this.sinks.delete(ref)) link.send({ kind: 'lost', ref, why });
      },
    });
    if (sink === null) link.send({ kind: 'lost', ref, why: 'client' });
    else this.sinks.set(ref, sink);
  }

  private reply(ref: number, reply: HttpReply): void {
    const plain = this.plain.get(ref);
    if (plain !== undefined) {
      this.plain.delete(ref);
      plain.answer(reply);
      return;
    }
    const body = this.bodies.get(ref);
    if (body !== undefined) {
      this.bodies.delete(ref);
      return this.app.answers.answer(body, reply);
    }
    const post = this.posts.get(ref);
    this.posts.delete(ref);
    if (post === undefined) this.app.stats.postsAborted++;
    else this.app.answers.answer(post, reply);
  }

  private toSink(
    message: Extract<ThreadMessage, { kind: 'write' | 'start' | 'end' | 'refused' }>,
    from: ThreadLink,
  ): void {
    const sink = this.sinks.get(message.ref);
    if (message.kind === 'start') return sink?.start(message.head);
    if (message.kind === 'write') {
      if (sink?.write(message.chunk) === false) from.send({ kind: 'blocked', ref: message.ref });
      return;
    }
    this.sinks.delete(message.ref);
    if (message.kind === 'refused') sink?.refuse(message.reply);
    else if (message.how === 'end') sink?.end(message.last);
    else sink?.destroy();
  }

  private openFor(from: ThreadLink, message: Extract<ThreadMessage, { kind: 'open' }>): void {
    const { ref } = message;
    const mine = this.heldBy(from);
    const sink = new RemoteSink(from, ref, () => mine.delete(ref));
    const handle = super.open(this.routeOf('stream', message), message.host, sink);
    if (handle === null) return;
    const stream = this.app.streams.open.at(-1)!;
    const block = (): void => {
      stream.blocked = true;
    };
    mine.set(ref, { ...handle, block });
  }

  private heldBy(link: ThreadLink): Map<number, StreamHandle & { block(): void }> {
    let held = this.held.get(link);
    if (held === undefined) this.held.set(link, (held = new Map()));
    return held;
  }

  /** The thread that a session of Streamable HTTP lives on; whoever names none is served where it landed. */
  private ownerOfMcp({ sessionId, protocolVersion }: McpHeaders): ThreadLink | undefined {
    if (sessionId === '' || protocolVersion >= firstStateless) return undefined;
    const owner = ownerOfSession(sessionId, this.facts.threads);
    return owner === this.index ? undefined : this.links[owner];
  }

  private ownerOf(route: Route, key: string | undefined): ThreadLink | undefined {
    if (key === undefined) return undefined;
    const { threads } = this.facts;
    const owner =
      route.workspace === '' ? ownerOfSession(key, threads) : ownerOfWorkspace(route.workspace, threads);
    return owner === this.index ? undefined : this.links[owner];
  }

  private routeOf(kind: Route['kind'], { site, workspace }: { site: number; workspace: string }): Route {
    return { kind, site: this.app.sites[site]!, workspace, reply: null, counted: false };
  }
}
