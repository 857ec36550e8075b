import type { Announced } from '../tools/tool-script.js';
import type { BodyPost } from '../http/post.js';
import type { EventText } from './event-text.js';
import { messageJson } from '../peers/era-text.js';
import { metaKeys } from '../peers/eras.js';
import type { Peer } from '../peers/peer.js';
import { RpcCode, RpcError } from '../protocol/json-rpc.js';
import { Stream } from '../sessions/stream.js';
import type { Streams } from '../sessions/streams.js';
import type { Stats } from '../stats.js';

const mostUris = 1000;

/** What the streams of listeners are written with. */
export interface ListensParts {
  readonly streams: Streams<Peer>;
  readonly stats: Stats;
  readonly text: EventText;
  readonly serverInfoJson: string;
  answered(status: number): void;
}

interface Filter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

interface Listen {
  readonly stream: Stream<Peer>;
  readonly filter: Filter;
  readonly idJson: string;
}

/** The streams of `subscriptions/listen`: what each asked for, under the id of its request, until somebody ends it. */
export class Listens {
  private readonly open = new Set<Listen>();

  constructor(private readonly using: ListensParts) {}

  /** Opens the stream that a request asks for; or says what is wrong with it. */
  listen(
    post: BodyPost,
    peer: Peer,
    idJson: string,
    params: Record<string, unknown>,
  ): RpcError | undefined {
    const filter = filterOf(params['notifications']);
    if (filter === undefined)
      return new RpcError(RpcCode.invalidParams, "Invalid params: field 'notifications' must be a filter");
    const { streams, stats } = this.using;
    const sink = post.begin(
      { contentType: 'text/event-stream', headers: [] },
      { drained: () => streams.drained(listen.stream), lost: (why) => this.lost(listen, why) },
    );
    if (sink === null) {
      stats.postsAborted++;
      return undefined;
    }
    const listen: Listen = { stream: new Stream(sink, peer), filter, idJson };
    this.using.answered(200);
    stats.streamable.bodiesSse++;
    stats.streamable.listens++;
    stats.streamable.listensOpen++;
    streams.add(listen.stream);
    this.open.add(listen);
    const members = `"notifications":${JSON.stringify(filter)}`;
    this.notify(listen, 'notifications/subscriptions/acknowledged', members);
    return undefined;
  }

  /** Tells who wants to know that a list has changed. */
  announce(what: Announced): void {
    const key = `${what}ListChanged` as const;
    for (const listen of this.open)
      if (listen.filter[key]) this.notify(listen, `notifications/${what}/list_changed`, '');
  }

  /** Tells who wants to know that a resource has changed. */
  update(uri: string): void {
    for (const listen of this.open)
      if (listen.filter.resourceSubscriptions?.includes(uri))
        this.notify(listen, 'notifications/resources/updated', `"uri":${JSON.stringify(uri)}`);
  }

  /** Ends all of them in good order: each with the result of its request. */
  close(): void {
    for (const listen of this.open) {
      const meta = `"_meta":{"${metaKeys.subscription}":${listen.idJson},"${metaKeys.serverInfo}":${this.using.serverInfoJson}}`;
      const data = `{"jsonrpc":"2.0","id":${listen.idJson},"result":{"resultType":"complete",${meta}}}`;
      this.using.streams.send(listen.stream, this.using.text.event(data), 1);
      this.using.streams.finish(listen.stream);
      this.forget(listen);
    }
  }

  private notify({ stream, idJson }: Listen, method: string, members: string): void {
    this.using.stats.notificationsSent++;
    const meta = `"_meta":{"${metaKeys.subscription}":${idJson}}`;
    const params = `{${members}${members === '' ? '' : ','}${meta}}`;
    this.using.streams.send(stream, this.using.text.event(messageJson(method, params)), 0);
  }

  private lost(listen: Listen, why: 'client' | 'unread'): void {
    if (why === 'unread') this.using.stats.unreadCuts++;
    if (listen.stream.open) this.using.streams.remove(listen.stream);
    this.forget(listen);
  }

  private forget(listen: Listen): void {
    if (this.open.delete(listen)) this.using.stats.streamable.listensOpen--;
  }
}

/** What of a filter is understood; undefined for what is none. */
function filterOf(given: unknown): Filter | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const asked = given as Record<string, unknown>;
  const filter: Filter = {};
  for (const key of ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const) {
    const value = asked[key];
    if (value !== undefined && typeof value !== 'boolean') return undefined;
    if (value === true) filter[key] = true;
  }
  const uris = asked['resourceSubscriptions'];
  if (uris === undefined) return filter;
  if (!Array.isArray(uris) || uris.length > mostUris || uris.some((uri) => typeof uri !== 'string'))
    return undefined;
  filter.resourceSubscriptions = uris as string[];
  return filter;
}
