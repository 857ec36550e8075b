import { nowNs } from '../clock.js';
import { Fifo } from '../fifo.js';
import type { SessionContext } from '../mcp/client-session.js';
import type { SessionsPlan, Shard } from '../scenario/plan.js';
import type { SlotRecorder } from '../stats/slot-recorder.js';
import type { CallBook } from './call-book.js';
import { Session, type SessionOwner } from './session.js';

/** Counts over all sessions that a worker ever opened. */
export interface SessionCounts {
  opened: number;
  ready: number;
  failed: number;
  dropped: number;
  reconnects: number;
  closed: number;
  abandoned: number;
  failures: Record<string, number>;
  peakReady: number;
}

export interface PoolListener {
  /** Every session of the first opening is ready or has failed: of `all`, or of the one that went ahead. */
  onOpened(all: boolean): void;
  onReady(session: Session, atNs: number): void;
}

export interface SessionPoolParts {
  /** What its sessions share. */
  readonly sessions: SessionContext;
  readonly book: CallBook;
  readonly slots: SlotRecorder;
}

const firstReopenMs = 100;
const maxReopenMs = 5000;

/** The sessions of one worker: opens them at the scenario's pace, replaces those whose life is over, keeps the line of those with room. */
export class SessionPool implements SessionOwner {
  readonly counts: SessionCounts = {
    opened: 0,
    ready: 0,
    failed: 0,
    dropped: 0,
    reconnects: 0,
    closed: 0,
    abandoned: 0,
    failures: {},
    peakReady: 0,
  };
  /** Sessions that are ready now. */
  readonly live = new Set<Session>();
  readonly ordinals: readonly number[];
  private readonly line = new Fifo<Session>();
  private readonly opening = new Set<Session>();
  /** Sessions that the server does not know any more, and that have calls in flight. */
  private readonly forgotten = new Set<Session>();
  private readonly reopenDelayMs = new Map<number, number>();
  private readonly reopenTimers = new Map<number, NodeJS.Timeout>();
  /** The place that keeps trying while no session is ready, so that a server which is back is noticed. */
  private scout: number | null = null;
  /** Places whose session came to its intended end, and since when: nobody is missed there until the successor's first attempt has failed. */
  private readonly succeeding = new Map<number, number>();
  private readonly everReady = new Set<number>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private serials = 0;
  private undecided = 0;
  private openingAll = false;
  private closing = false;

  constructor(
    private readonly parts: SessionPoolParts,
    private readonly plan: SessionsPlan,
    shard: Shard,
    private readonly listener: PoolListener,
  ) {
    const ordinals: number[] = [];
    for (let ordinal = shard.index; ordinal < plan.count; ordinal += shard.of) ordinals.push(ordinal);
    this.ordinals = ordinals;
    parts.slots.begin('wanted', 0, ordinals.length);
  }

  /** Opens the session with this ordinal alone, ahead of the others. */
  openFirst(): void {
    this.undecided = 1;
    this.openSession(this.ordinals[0], nowNs());
  }

  /** Opens all sessions that are not there yet, paced by the plan from `startNs` on. */
  openAll(startNs: number): void {
    this.openingAll = true;
    const present = new Set([...this.live, ...this.opening].map((session) => session.ordinal));
    const missing = this.ordinals.filter((ordinal) => !present.has(ordinal));
    this.undecided = missing.length + this.opening.size;
    if (this.undecided === 0) {
      this.listener.onOpened(true);
      return;
    }
    if (this.plan.openPerSec === null) {
      for (const ordinal of missing) this.openSession(ordinal, nowNs());
      return;
    }
    this.openPaced(missing, startNs, 0);
  }

  /** A session with room for a call, round robin; undefined when all are full. */
  takeFree(inFlightLimit: number): Session | undefined {
    for (;;) {
      const session = this.line.shift();
      if (session === undefined) return undefined;
      session.queued = false;
      if (!this.hasRoom(session, inFlightLimit)) continue;
      return session;
    }
  }

  /** The session that is given the call after so many others, if all in the line still have room then. */
  peekFree(position: number): Session | undefined {
    return this.line.at(position);
  }

  /** Puts a session into the line if it has room for another call. */
  offer(session: Session, inFlightLimit: number): void {
    if (session.queued || !this.hasRoom(session, inFlightLimit)) return;
    session.queued = true;
    this.line.push(session);
  }

  /** Notes that a session was given a call; may be the last of its life. */
  countStarted(session: Session): void {
    session.started++;
    const { lifetimeCalls, end } = this.plan;
    if (lifetimeCalls === null || session.started < lifetimeCalls) return;
    session.retiring = true;
    // Not at once: the call has not even left yet.
    if (end === 'abandon') this.later(0, () => this.retire(session));
  }

  /** To be called when a call of the session ended: a retiring session with nothing in flight is done. */
  checkRetired(session: Session): void {
    if (this.forgotten.has(session)) this.later(0, () => this.letGo(session));
    else if (session.retiring && session.inFlight === 0 && session.isReady)
      this.later(0, () => this.retire(session));
  }

  /** Looks after lifetimes and silent servers; called every so often. */
  sweep(atNs: number, idleNs: number | null): void {
    const { lifetimeNs } = this.plan;
    if (lifetimeNs === null && idleNs === null) return;
    for (const session of this.live) {
      if (idleNs !== null && session.client.silentNs(atNs) > idleNs) {
        session.client.drop(`nothing came for ${idleNs / 1e9} s`);
      } else if (lifetimeNs !== null && atNs - session.client.readyNs > lifetimeNs && !session.retiring) {
        session.retiring = true;
        if (this.plan.end === 'abandon') this.retire(session);
        else this.checkRetired(session);
      }
    }
  }

  /** Opens no more sessions, neither new ones nor successors. */
  stopOpening(): void {
    this.closing = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.reopenTimers.clear();
  }

  /** No session is ready, nor on its way; one that failed may still be tried again. */
  get isEmpty(): boolean {
    return this.live.size === 0 && this.opening.size === 0;
  }

  /** No session is left, and none will come. */
  get hopeless(): boolean {
    return this.isEmpty && this.timers.size === 0;
  }

  closeAll(): void {
    this.stopOpening();
    for (const session of [...this.live, ...this.opening, ...this.forgotten]) {
      if (this.live.delete(session)) this.counts.closed++;
      session.end(this.forgotten.has(session) ? 'abandon' : 'close');
    }
    this.opening.clear();
    this.forgotten.clear();
  }

  onSessionReady(session: Session, atNs: number): void {
    this.opening.delete(session);
    this.live.add(session);
    this.counts.ready++;
    this.parts.slots.begin('ready', atNs);
    if (this.succeeding.delete(session.ordinal)) this.parts.slots.begin('wanted', atNs);
    this.everReady.add(session.ordinal);
    this.counts.peakReady = Math.max(this.counts.peakReady, this.live.size);
    this.reopenDelayMs.delete(session.ordinal);
    if (this.live.size === 1) this.callBack();
    this.listener.onReady(session, atNs);
    this.decided();
  }

  onSessionFailed(session: Session, kind: string, message: string): void {
    this.opening.delete(session);
    this.counts.failed++;
    const sinceNs = this.succeeding.get(session.ordinal);
    if (sinceNs !== undefined) this.parts.slots.begin('wanted', sinceNs);
    this.succeeding.delete(session.ordinal);
    this.counts.failures[kind] = (this.counts.failures[kind] ?? 0) + 1;
    this.parts.sessions.recorder.example(`session ${kind}`, message);
    this.decided();
    // One that never stood is given up unless the scenario wants reconnecting; a successor is owed to the load.
    if (this.plan.reconnect || this.everReady.has(session.ordinal)) this.reopenLater(session.ordinal);
  }

  onSessionForgotten(session: Session, message: string): void {
    if (!this.live.has(session)) return;
    session.retiring = true;
    this.forgotten.add(session);
    this.lose(session, message);
    if (session.inFlight === 0) this.later(0, () => this.letGo(session));
  }

  onSessionDropped(session: Session, message: string): void {
    // One that had been forgotten is missed already.
    if (!this.forgotten.delete(session)) this.lose(session, message);
  }

  private lose(session: Session, message: string): void {
    this.live.delete(session);
    this.parts.slots.end('ready', nowNs());
    this.counts.dropped++;
    this.parts.sessions.recorder.example('session dropped', message);
    if (this.plan.reconnect) this.reopenLater(session.ordinal);
  }

  /** Whether the session may be given calls at all: idle ones only hold their stream. */
  mayCall(session: Session): boolean {
    return session.isReady && !session.retiring && session.ordinal >= this.plan.idle;
  }

  /** Whether the session may be given another call now. */
  hasRoom(session: Session, inFlightLimit: number): boolean {
    return this.mayCall(session) && session.inFlight < inFlightLimit;
  }

  private letGo(session: Session): void {
    if (session.inFlight === 0 && this.forgotten.delete(session)) session.end('abandon');
  }

  private retire(session: Session): void {
    if (!session.isReady || !this.live.delete(session)) return;
    if (this.plan.end === 'abandon') this.counts.abandoned++;
    else this.counts.closed++;
    session.end(this.plan.end);
    const atNs = nowNs();
    this.parts.slots.end('ready', atNs);
    this.parts.slots.end('wanted', atNs);
    this.succeeding.set(session.ordinal, atNs);
    if (!this.closing) this.openSession(session.ordinal, atNs);
  }

  private reopenLater(ordinal: number): void {
    if (this.closing) return;
    const delayMs = this.reopenDelayMs.get(ordinal) ?? 0;
    this.reopenDelayMs.set(ordinal, Math.min(maxReopenMs, delayMs === 0 ? firstReopenMs : delayMs * 2));
    if (this.live.size === 0) this.scout ??= ordinal;
    this.reopenIn(ordinal === this.scout ? Math.min(firstReopenMs, delayMs) : delayMs, ordinal);
  }

  private reopenIn(ms: number, ordinal: number): void {
    const timer = this.later(ms, () => {
      this.reopenTimers.delete(ordinal);
      this.counts.reconnects++;
      this.parts.sessions.oddities.reconnect++;
      this.openSession(ordinal, nowNs());
    });
    this.reopenTimers.set(ordinal, timer);
  }

  /** The server is back: what the others would still have waited would not be its doing. */
  private callBack(): void {
    this.scout = null;
    for (const [ordinal, timer] of this.reopenTimers) {
      clearTimeout(timer);
      this.timers.delete(timer);
      this.reopenIn(0, ordinal);
    }
  }

  private openSession(ordinal: number, intendedNs: number): void {
    if (this.closing) return;
    const { sessions, book } = this.parts;
    const session = new Session(sessions, book, this, ordinal, ++this.serials, intendedNs);
    this.counts.opened++;
    this.opening.add(session);
    session.open();
  }

  // The n-th session of the run is due n / rate after the start, whichever worker it belongs to.
  private openPaced(ordinals: readonly number[], startNs: number, from: number): void {
    const perSec = this.plan.openPerSec!;
    let next = from;
    const atNs = nowNs();
    while (next < ordinals.length) {
      const dueNs = startNs + (ordinals[next] / perSec) * 1e9;
      if (dueNs > atNs) {
        this.later(Math.max(1, (dueNs - atNs) / 1e6), () => this.openPaced(ordinals, startNs, next));
        return;
      }
      this.openSession(ordinals[next], dueNs);
      next++;
    }
  }

  private decided(): void {
    if (this.undecided === 0) return;
    this.undecided--;
    if (this.undecided === 0) this.listener.onOpened(this.openingAll);
  }

  private later(ms: number, action: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      action();
    }, ms);
    this.timers.add(timer);
    return timer;
  }
}
