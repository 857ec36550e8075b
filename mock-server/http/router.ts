import type { MockApp } from '../mock-app.js';
import { httpReply } from './http-reply.js';
import type { HttpReply } from './http-reply.js';
import type { Refusal } from '../protocol/dialects/dialect.js';
import type { Site } from '../protocol/site.js';
import type { StreamableServer } from '../streamable/streamable-server.js';

/** Where a request goes, or the reply that refuses it. */
export interface Route {
  readonly kind:
    | 'stream'
    | 'messages'
    /** A POST to the Streamable HTTP endpoint, a GET for its stream, the end of its session. */
    | 'mcp'
    | 'mcp-stream'
    | 'mcp-end'
    | 'health'
    | 'stats'
    | 'redirect'
    | 'refused';
  readonly site: Site | null;
  readonly workspace: string;
  readonly reply: HttpReply | null;
  /** What is refused is a POST of messages, and counted as one. */
  readonly counted: boolean;
}

/** The methods that some route has. */
export type RouteMethod = 'get' | 'post' | 'delete' | 'other';

interface Place {
  readonly get: Route | null;
  readonly post: Route | null;
  readonly delete?: Route;
  readonly site: Site | null;
  readonly refuse: (refusal: Refusal) => HttpReply | undefined;
}

const plainPlace: Place = { get: null, post: null, site: null, refuse: () => undefined };
const workspacesKept = 20_000;
const loopbackHosts = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
const loopbackOrigins = /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/** Finds the route of a request from its first line and headers, in the order: host, path, method, content type. */
export class Router {
  private readonly places = new Map<string, Place>();
  private readonly sites: readonly Site[];
  private readonly workspaceSites: Site[];
  // Most requests name the same host as the one before; at first, one that nobody can name.
  private lastGoodHost = '\0';

  private readonly hosts: Set<string>;
  private readonly origins: Set<string>;
  private readonly checksHosts: boolean;
  private readonly checksOrigins: boolean;

  /** Who may be asked for, and by whom, is checked on loopback, and elsewhere where a list of them is given. */
  constructor(app: MockApp, loopbackOnly: boolean) {
    const { hosts, origins } = app.config.allow;
    this.hosts = new Set(hosts);
    this.origins = new Set(origins);
    this.checksHosts = (loopbackOnly || hosts.length > 0) && !this.hosts.has('*');
    this.checksOrigins = (loopbackOnly || origins.length > 0) && !this.origins.has('*');
    this.sites = app.sites;
    this.workspaceSites = app.sites.filter((site) => site.dialect.sessionParam === '');
    this.addStreamable(app.streamable);
    for (const prefix of ['', ...app.sites.map((site) => site.prefix)])
      this.places.set(`${prefix}/health`, { ...plainPlace, get: route('health') });
    this.places.set('/stats', { ...plainPlace, get: route('stats'), post: route('stats') });
    for (const site of app.sites) this.addSite(site);
  }

  find(
    method: RouteMethod | (string & {}),
    path: string,
    host: string,
    origin: string,
    contentType: string,
  ): Route {
    const place = this.places.get(path) ?? this.workspacePlace(path);
    if (this.checksHosts && host !== this.lastGoodHost && !this.hostAllowed(host))
      return refused(place?.refuse('foreignHost') ?? httpReply(403, 'Invalid Host header'));
    if (origin !== '' && !this.originAllowed(origin))
      return refused(place?.refuse('foreignOrigin') ?? httpReply(403, 'Invalid Origin header'));
    if (place === undefined) return refused(this.notFound(path));
    const found =
      method === 'post'
        ? place.post
        : method === 'get'
          ? place.get
          : method === 'delete'
            ? (place.delete ?? null)
            : null;
    if (found === null)
      return refused(place.refuse('methodNotAllowed') ?? httpReply(405, 'Method not allowed'));
    if (contentType === 'application/json' || (found.kind !== 'messages' && found.kind !== 'mcp'))
      return found;
    return isJson(contentType) ? found : { ...refused(place.refuse('wrongContentType')!), counted: true };
  }

  private addSite(site: Site): void {
    if (site.dialect.sessionParam === '') return;
    const messages = route('messages', site);
    const refuse = (refusal: Refusal): HttpReply => site.refuse(refusal);
    this.places.set(site.streamPath, { get: route('stream', site), post: null, site, refuse });
    const beside = this.places.get(site.messagesPath);
    this.places.set(site.messagesPath, { get: beside?.get ?? null, post: messages, site, refuse });
    if (!site.messagesPath.endsWith('/')) return;
    const bare = site.messagesPath.slice(0, -1);
    if (site.wire.redirectMissingSlash)
      this.places.set(bare, { get: null, post: route('redirect', site), site, refuse });
  }

  private addStreamable({ path, refuse }: StreamableServer): void {
    this.places.set(path, {
      get: route('mcp-stream'),
      post: route('mcp'),
      delete: route('mcp-end'),
      site: null,
      refuse: (refusal) => refuse(refusal),
    });
  }

  private workspacePlace(path: string): Place | undefined {
    for (const site of this.workspaceSites) {
      const name = path.startsWith(site.streamPath) ? path.slice(site.streamPath.length) : '';
      if (name === '' || name.includes('/')) continue;
      const refuse = (refusal: Refusal): HttpReply => site.refuse(refusal);
      const place = { get: route('stream', site, path), post: route('messages', site, path), site, refuse };
      if (this.places.size < workspacesKept) this.places.set(path, place);
      return place;
    }
    return undefined;
  }

  /** A path that nobody has is refused as the dialect does under whose prefix it lies. */
  private notFound(path: string): HttpReply {
    const site = this.sites.find(({ prefix }) => path.startsWith(`${prefix}/`));
    if (site === undefined) return httpReply(404, 'Not found');
    const nameless = site.dialect.sessionParam === '' && `${path}/`.startsWith(site.streamPath);
    return site.refuse(nameless ? 'noSession' : 'notFound');
  }

  private hostAllowed(host: string): boolean {
    const allowed =
      loopbackHosts.test(host) || this.hosts.has(host) || this.hosts.has(host.replace(/:\d+$/, ''));
    if (allowed) this.lastGoodHost = host;
    return allowed;
  }

  private originAllowed(origin: string): boolean {
    return !this.checksOrigins || loopbackOrigins.test(origin) || this.origins.has(origin);
  }
}

/** The session that a POST names: the query parameter, or the workspace of its path; undefined where it names none. */
export function sessionKeyOf(route: Route, query: string): string | undefined {
  const site = route.site!;
  const { sessionParam } = site.dialect;
  if (sessionParam === '') return route.workspace;
  const head = sessionParam.length + 1;
  if (query.startsWith(sessionParam) && query.charCodeAt(head - 1) === 61 && !/[&%+]/.test(query))
    return query.length > head ? query.slice(head) : undefined;
  return new URLSearchParams(query).get(sessionParam) || undefined;
}

function route(kind: Route['kind'], site: Site | null = null, workspace = ''): Route {
  return { kind, site, workspace, reply: null, counted: false };
}

function refused(reply: HttpReply): Route {
  return { kind: 'refused', site: null, workspace: '', reply, counted: false };
}

function isJson(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType);
}
