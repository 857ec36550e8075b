import { Client, type Dispatcher, Pool } from 'undici';
import { nowNs } from '../../clock.js';
import type { Plan, TargetPlan } from '../../scenario/plan.js';
import { connectionsPerSession } from '../../transport/http/connections-per-session.js';
import { noTraffic, type ReplyCounts } from '../../transport/traffic.js';
import type {
  Channel,
  ChannelEnding,
  ChannelHandler,
  MessageKind,
  Outgoing,
  Transport,
} from '../../transport/transport.js';
import { UndiciEvents } from './undici-events.js';
import { UndiciExchange } from './undici-exchange.js';

// The engine has time limits of its own.
const patient = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 } as const;
const firstStateless = '2026-07-28';

/**
 * Streamable HTTP once more, on undici and eventsource-parser: nothing of `transport/streamable`, of our sockets and parsers is in it,
 * so that what both count alike is not an error of ours. Plain HTTP; bytes, connections and a server that ends one connection after
 * the other are not counted.
 */
export function createUndiciStreamable(plan: Plan): Transport {
  return new UndiciStreamable(plan);
}

class UndiciStreamable implements Transport {
  readonly replies = true;
  readonly traffic = noTraffic();
  private readonly origin: string;
  private readonly shared: Pool | null;
  private readonly farewells = new Set<Promise<void>>();

  constructor(private readonly plan: Plan) {
    this.origin = new URL(plan.target.url).origin;
    const { posts } = plan;
    this.shared =
      posts.mode === 'shared' ? new Pool(this.origin, { connections: posts.connections, ...patient }) : null;
  }

  open(_ordinal: number, handler: ChannelHandler): Channel {
    const { plan, origin, shared } = this;
    const pool = shared ?? new Pool(origin, { connections: connectionsPerSession(plan), ...patient });
    const { replies } = this.traffic;
    const channel = new UndiciChannel(plan.target, pool, shared === null, replies, handler, (over) => {
      const forgotten = over.then(() => void this.farewells.delete(forgotten));
      this.farewells.add(forgotten);
    });
    setImmediate(() => channel.beOpen());
    return channel;
  }

  async settle(): Promise<void> {
    await Promise.all(this.farewells);
  }

  close(): void {
    void this.shared?.destroy();
  }
}

/** One session, or, without sessions, one client. */
export class UndiciChannel implements Channel {
  isOver = false;
  listens = false;
  private sessionId = '';
  private version = '';
  private hasWorked = false;
  private isForgotten = false;
  private readonly underWay = new Map<Outgoing, UndiciExchange>();
  private ownStream: UndiciEvents | null = null;
  private readonly stateless: boolean;

  constructor(
    private readonly target: TargetPlan,
    private readonly pool: Dispatcher,
    private readonly ownsPool: boolean,
    readonly counts: ReplyCounts,
    readonly handler: ChannelHandler,
    private readonly onFarewell: (over: Promise<void>) => void,
  ) {
    this.stateless = target.protocol >= firstStateless && target.protocol !== 'auto';
  }

  beOpen(): void {
    if (!this.isOver) this.handler.onOpen('classic', nowNs());
  }

  send(body: string, _ascii: boolean, by: Outgoing, kind: MessageKind): void {
    const exchange = new UndiciExchange(this, by, kind.method === 'initialize', () =>
      this.underWay.delete(by),
    );
    this.underWay.set(by, exchange);
    const headers = {
      ...this.target.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(this.stateless ? this.headersOf(kind) : this.sessionHeaders),
    };
    this.pool.dispatch({ method: 'POST', path: this.path, headers, body }, exchange);
  }

  agree(protocolVersion: string): void {
    this.version = protocolVersion;
  }

  listen(): boolean {
    if (this.stateless) return false;
    let told = false;
    const tell = (isOpen: boolean): void => {
      this.listens = isOpen;
      if (!isOpen) this.counts.listenRefused++;
      if (!told && !this.isOver) this.handler.onListening(nowNs());
      told = true;
    };
    let lastId = '';
    const open = (): void => {
      this.ownStream = this.events(lastId, {
        onHead: (status) => tell(status === 200),
        onEvent: (data, id) => {
          lastId = id ?? lastId;
          if (data.length > 0) this.handler.onMessage(data, 0, data.length, nowNs());
        },
        onOver: () => setTimeout(() => this.isOver || open(), 1000).unref(),
      });
    };
    open();
    return true;
  }

  flush(): void {}

  prepare(): boolean {
    return true;
  }

  withdraw(by: Outgoing): boolean {
    return this.underWay.get(by)?.withdraw() ?? false;
  }

  giveUp(by: Outgoing): void {
    this.underWay.get(by)?.giveUp();
  }

  end(how: ChannelEnding): void {
    if (this.isOver) return;
    this.isOver = true;
    this.ownStream?.destroy();
    if (this.sessionId === '' || this.isForgotten) return this.leave();
    if (how === 'close') return this.onFarewell(this.delete());
    this.counts.left++;
    this.leave();
  }

  /** The session's id, if the reply to initialize has one. */
  takeSessionId(id: unknown): void {
    if (typeof id === 'string') this.sessionId = id;
  }

  /** The server has accepted a message. */
  work(): void {
    this.hasWorked = true;
  }

  /** A refusal with this status means that the server does not know the session; `true` where it does mean that. */
  forgetsBy(status: number, text: string): boolean {
    const means = this.sessionId !== '' && (status === 404 || (status === 400 && this.hasWorked));
    if (means && !this.isForgotten && !this.isOver) {
      this.isForgotten = true;
      this.handler.onForgotten(text);
    }
    return means;
  }

  get resumes(): boolean {
    return !this.isOver && !this.stateless && this.version >= '2025-11-25';
  }

  /** A stream by GET, from behind an event where one is named. */
  events(lastId: string, heard: ConstructorParameters<typeof UndiciEvents>[2]): UndiciEvents {
    const headers = {
      ...this.target.headers,
      accept: 'text/event-stream',
      ...this.sessionHeaders,
      ...(lastId === '' ? {} : { 'last-event-id': lastId }),
    };
    const client = new Client(new URL(this.target.url).origin, patient);
    return new UndiciEvents(client, { method: 'GET', path: this.path, headers }, heard);
  }

  private get path(): string {
    return new URL(this.target.url).pathname;
  }

  private get sessionHeaders(): Record<string, string> {
    return {
      ...(this.sessionId === '' ? {} : { 'mcp-session-id': this.sessionId }),
      ...(this.version >= '2025-06-18' ? { 'mcp-protocol-version': this.version } : {}),
    };
  }

  private headersOf({ method, subject, mirrored }: MessageKind): Record<string, string> {
    return {
      'mcp-protocol-version': this.target.protocol,
      'mcp-method': method,
      ...(subject === null ? {} : { 'mcp-name': encoded(subject) }),
      ...Object.fromEntries(mirrored.map(([name, text]) => [`mcp-param-${name}`, encoded(text)])),
    };
  }

  private async delete(): Promise<void> {
    const { path, sessionHeaders: headers, pool, counts } = this;
    try {
      const { statusCode, body } = await pool.request({ method: 'DELETE', path, headers });
      counts[statusCode < 300 ? 'deleted' : 'deleteRefused']++;
      await body.dump();
    } catch {
      counts.left++;
    }
    this.leave();
  }

  private leave(): void {
    for (const exchange of this.underWay.values()) exchange.leave();
    if (this.ownsPool) void this.pool.destroy();
  }
}

function encoded(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
