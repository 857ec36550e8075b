import { chance, Choice } from '../calls/chance.js';
import { EventStore } from './event-store.js';
import { Peer } from '../peers/peer.js';
import type { Loop } from '../time/loop.js';
import type { Stats } from '../stats.js';
import type { StreamableOptions } from './streamable-options.js';
import type { Streams } from '../sessions/streams.js';
import type { Usage } from '../threads/usage.js';

// Expired sessions are looked for that often within the time that a session may be silent.
const looksPerExpiry = 4;

/** What sessions are kept with. */
export interface HttpSessionsParts {
  readonly options: StreamableOptions;
  readonly seed: number;
  readonly most: number;
  /** What all threads have open together. */
  readonly usage: Usage;
  readonly loop: Loop;
  readonly stats: Stats;
  readonly streams: Streams<Peer>;
  /** Which of how many threads this is. */
  readonly thread: { readonly index: number; readonly count: number };
  /** 32 hexadecimal digits, new for every session. */
  readonly newSessionHex: () => string;
}

/** The sessions that `initialize` has begun: by id, and no more of them than there may be. */
export class HttpSessions {
  private readonly open = new Map<string, Peer>();
  private created = 0;
  private timer: unknown;

  constructor(private readonly using: HttpSessionsParts) {
    this.arm();
  }

  /** Begins a session; undefined where there are as many as there may be. */
  create(): Peer | undefined {
    const { options, stats, thread, loop } = this.using;
    if (!this.using.usage.takeSession(this.using.most)) {
      stats.streamable.sessionsRefused++;
      return undefined;
    }
    const id = uuidOf(this.using.newSessionHex());
    const store =
      options.storedEvents > 0 ? new EventStore(options.storedEvents, () => void stats.lateWrites++) : null;
    const ordinal = this.created++ * thread.count + thread.index;
    const peer = new Peer(id, ordinal, [['Mcp-Session-Id', id]], store, 'sessions');
    peer.lastSeenNs = loop.nowNs();
    this.open.set(id, peer);
    stats.streamable.sessionsCreated++;
    stats.streamable.sessionsOpen++;
    return peer;
  }

  /** An open session, which is noted as seen. */
  find(id: string): Peer | undefined {
    const peer = this.open.get(id);
    if (peer !== undefined && this.using.options.expireAfter > 0) {
      const nowNs = this.using.loop.nowNs();
      if (this.silentFor(peer, nowNs) >= this.using.options.expireAfter) {
        this.end(peer, 'expired');
        return undefined;
      }
      peer.lastSeenNs = nowNs;
    }
    return peer;
  }

  /** Whether a session is forgotten just as a call of a tool comes in, and is then so. */
  forgets(peer: Peer): boolean {
    const { options, seed } = this.using;
    const { sessionLost, expireAfterCalls } = options;
    if (expireAfterCalls > 0 && peer.calls >= expireAfterCalls) {
      this.end(peer, 'expired');
      return true;
    }
    if (sessionLost === 0 || chance(seed, peer.ordinal, peer.calls, Choice.sessionLost) >= sessionLost)
      return false;
    this.end(peer, 'lost');
    return true;
  }

  /** Ends a session: with it its streams, and what it still waits for. */
  end(peer: Peer, why: 'deleted' | 'expired' | 'lost' | 'closed'): void {
    const { stats, streams } = this.using;
    if (!this.open.delete(peer.id)) return;
    peer.open = false;
    this.using.usage.giveSession();
    const counts = stats.streamable;
    counts.sessionsOpen--;
    if (why === 'deleted') counts.sessionsDeleted++;
    if (why === 'expired') counts.sessionsExpired++;
    if (why === 'lost') counts.sessionsLost++;
    for (const answer of peer.answers) answer.abandon();
    for (const stream of peer.streams.splice(0)) {
      counts.getStreamsOpen--;
      streams.finish(stream);
    }
    peer.store?.clear();
  }

  endAll(): void {
    this.using.loop.clear(this.timer);
    for (const peer of this.open.values()) this.end(peer, 'closed');
  }

  /** All sessions that are open. */
  all(): IterableIterator<Peer> {
    return this.open.values();
  }

  private arm(): void {
    const { expireAfter } = this.using.options;
    if (expireAfter === 0) return;
    const everyMs = Math.max(1, Math.ceil(expireAfter / 1e6 / looksPerExpiry));
    this.timer = this.using.loop.after(everyMs, () => this.look());
  }

  private look(): void {
    const { loop, options } = this.using;
    const nowNs = loop.nowNs();
    for (const peer of this.open.values())
      if (this.silentFor(peer, nowNs) >= options.expireAfter) this.end(peer, 'expired');
    this.arm();
  }

  /** For how long nothing was heard of a session that has nothing open either. */
  private silentFor(peer: Peer, nowNs: number): number {
    return peer.answers.size > 0 || peer.streams.length > 0 ? 0 : nowNs - peer.lastSeenNs;
  }
}

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
