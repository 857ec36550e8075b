import type { MockApp } from '../mock-app.js';
import { httpReply } from './http-reply.js';
import type { HttpReply } from './http-reply.js';
import type { Site } from '../protocol/site.js';

/** Where a request goes, or the reply that refuses it. */
export interface Route {
  readonly kind: 'stream' | 'messages' | 'health' | 'stats' | 'redirect' | 'refused';
  readonly site: Site | null;
  readonly workspace: string;
  readonly reply: HttpReply | null;
}

interface Place {
  readonly get: Route | null;
  readonly post: Route | null;
  readonly site: Site | null;
}

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
    for (const prefix of ['', ...app.sites.map((site) => site.prefix)])
      this.places.set(`${prefix}/health`, { get: route('health'), post: null, site: null });
    this.places.set('/stats', { get: route('stats'), post: route('stats'), site: null });
    for (const site of app.sites) this.addSite(site);
  }

  find(method: string, path: string, host: string, origin: string, contentType: string): Route {
    const place = this.places.get(path) ?? this.workspacePlace(path);
    if (this.checksHosts && host !== this.lastGoodHost && !this.hostAllowed(host))
      return refused(place?.site?.refuse('foreignHost') ?? httpReply(403, 'Invalid Host header'));
    if (origin !== '' && !this.originAllowed(origin))
      return refused(place?.site?.refuse('foreignOrigin') ?? httpReply(403, 'Invalid Origin header'));
    if (place === undefined) return refused(this.notFound(path));
    const found = method === 'post' ? place.post : method === 'get' ? place.get : null;
    if (found === null)
      return refused(place.site?.refuse('methodNotAllowed') ?? httpReply(405, 'Method not allowed'));
    if (found.kind === 'messages' && contentType !== 'application/json' && !isJson(contentType))
      return { ...refused(found.site!.refuse('wrongContentType')), site: found.site };
    return found;
  }

  private addSite(site: Site): void {
    if (site.dialect.sessionParam === '') return;
    const messages = route('messages', site);
    this.places.set(site.streamPath, { get: route('stream', site), post: null, site });
    const beside = this.places.get(site.messagesPath);
    this.places.set(site.messagesPath, { get: beside?.get ?? null, post: messages, site });
    if (!site.messagesPath.endsWith('/')) return;
    const bare = site.messagesPath.slice(0, -1);
    if (site.wire.redirectMissingSlash)
      this.places.set(bare, { get: null, post: route('redirect', site), site });
  }

  private workspacePlace(path: string): Place | undefined {
    for (const site of this.workspaceSites) {
      const name = path.startsWith(site.streamPath) ? path.slice(site.streamPath.length) : '';
      if (name === '' || name.includes('/')) continue;
      const place = { get: route('stream', site, path), post: route('messages', site, path), site };
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
  return { kind, site, workspace, reply: null };
}

function refused(reply: HttpReply): Route {
  return { kind: 'refused', site: null, workspace: '', reply };
}

function isJson(contentType: string): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType);
}
