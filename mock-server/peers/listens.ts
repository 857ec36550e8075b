import type { Announced } from '../tools/tool-script.js';
import { messageJson } from './era-text.js';
import { metaKeys } from './eras.js';
import { RpcCode, RpcError } from '../protocol/json-rpc.js';
import type { Stats } from '../stats.js';

const mostUris = 1000;

/** What the messages of one listener are written on. */
export interface ListenLine {
  send(data: string, responses: number): void;
  /** There is nothing more to come. */
  finish(): void;
}

interface Filter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

interface Listen {
  readonly line: ListenLine;
  readonly filter: Filter;
  readonly idJson: string;
}

/** What `subscriptions/listen` has opened: what each asked for, under the id of its request, until somebody ends it. */
export class Listens {
  private readonly open = new Set<Listen>();

  constructor(
    private readonly stats: Stats,
    private readonly serverInfoJson: string,
  ) {}

  /** Opens what a request asks for, on a line that may say that it was lost; or says what is wrong with the request. */
  listen(
    idJson: string,
    params: Record<string, unknown>,
    begin: (lost: () => void) => ListenLine | null,
  ): RpcError | undefined {
    const filter = filterOf(params['notifications']);
    if (filter === undefined)
      return new RpcError(RpcCode.invalidParams, "Invalid params: field 'notifications' must be a filter");
    const line = begin(() => this.forget(listen));
    if (line === null) return undefined;
    const listen: Listen = { line, filter, idJson };
    this.stats.streamable.listens++;
    this.stats.streamable.listensOpen++;
    this.open.add(listen);
    const members = `"notifications":${JSON.stringify(filter)}`;
    this.notify(listen, 'notifications/subscriptions/acknowledged', members);
    return undefined;
  }

  /** Forgets what the request with this id has opened: its client takes it back. */
  cancel(idJson: string): void {
    for (const listen of this.open) if (listen.idJson === idJson) this.forget(listen);
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
      const meta = `"_meta":{"${metaKeys.subscription}":${listen.idJson},"${metaKeys.serverInfo}":${this.serverInfoJson}}`;
      const data = `{"jsonrpc":"2.0","id":${listen.idJson},"result":{"resultType":"complete",${meta}}}`;
      listen.line.send(data, 1);
      listen.line.finish();
      this.forget(listen);
    }
  }

  private notify({ line, idJson }: Listen, method: string, members: string): void {
    this.stats.notificationsSent++;
    const meta = `"_meta":{"${metaKeys.subscription}":${idJson}}`;
    const params = `{${members}${members === '' ? '' : ','}${meta}}`;
    line.send(messageJson(method, params), 0);
  }

  private forget(listen: Listen): void {
    if (this.open.delete(listen)) this.stats.streamable.listensOpen--;
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
