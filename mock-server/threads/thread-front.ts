import { Front } from '../http/front.js';
import type { ServerFacts, StreamHandle } from '../http/front.js';
import type { HttpReply } from '../http/http-reply.js';
import type { MockApp } from '../mock-app.js';
import { countedElsewhere } from '../http/post.js';
import type { Post } from '../http/post.js';
import type { Route } from '../http/router.js';
import { sumStats } from './sum-stats.js';
import type { StatsSnapshot } from '../stats.js';
import type { StreamSink } from '../sessions/stream.js';
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
    this.sinks.set(ref, sink);
    link.send({
      kind: 'open',
      ref,
      site: this.app.sites.indexOf(route.site!),
      workspace: route.workspace,
      host,
    });
    return {
      drained: () => link.send({ kind: 'drained', ref }),
      lost: (why) => {
        if (this.sinks.delete(ref)) link.send({ kind: 'lost', ref, why });
      },
    };
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

  private reply(ref: number, reply: HttpReply): void {
    const post = this.posts.get(ref);
    this.posts.delete(ref);
    if (post === undefined) this.app.stats.postsAborted++;
    else this.app.answers.answer(post, reply);
  }

  private toSink(
    message: Extract<ThreadMessage, { kind: 'write' | 'end' | 'refused' }>,
    from: ThreadLink,
  ): void {
    const sink = this.sinks.get(message.ref);
    if (message.kind === 'write') {
      if (sink?.write(message.chunk) === false) from.send({ kind: 'blocked', ref: message.ref });
      return;
    }
    this.sinks.delete(message.ref);
    if (message.kind === 'refused') sink?.refuse(message.reply);
    else if (message.how === 'end') sink?.end();
    else sink?.destroy();
  }

  private openFor(from: ThreadLink, message: Extract<ThreadMessage, { kind: 'open' }>): void {
    const { ref } = message;
    const mine = this.held.get(from) ?? new Map<number, StreamHandle & { block(): void }>();
    this.held.set(from, mine);
    const end = (how: 'end' | 'destroy'): void => {
      mine.delete(ref);
      from.send({ kind: 'end', ref, how });
    };
    const sink: StreamSink = {
      start: () => undefined,
      write: (chunk) => {
        from.send({ kind: 'write', ref, chunk });
        return true;
      },
      end: () => end('end'),
      destroy: () => end('destroy'),
      refuse: (reply) => from.send({ kind: 'refused', ref, reply }),
    };
    const handle = super.open(this.routeOf('stream', message), message.host, sink);
    if (handle === null) return;
    const stream = this.app.streams.open.at(-1)!;
    const block = (): void => {
      stream.blocked = true;
    };
    mine.set(ref, { ...handle, block });
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
