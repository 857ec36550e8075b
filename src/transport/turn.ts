import { nowNs } from '../clock.js';
import { HeldReads, type Reader } from './held-reads.js';

/** Something that gathers writes and hands them over once per loop turn. */
export interface Gatherer {
  flush(): void;
}

// Between two turns so close together the loop has not waited for anything.
const sleptNs = 50_000;
// Whoever slept for less can have been kept from waking by no more, which is half of what disturbs a figure.
const briefNs = 100_000;
// A loop so late was held up; usually a spinning one looks each ten microseconds, and one that is woken has a core as soon.
const heldUpNs = 200_000;
// A timer of Node's may be this late on an idle machine.
const timerSlackNs = 3e6;
// Of a turn that took longer, waits within are worth telling from those before the next.
const longTurnNs = 500_000;

/** How long this thread has been ready to run without being given a core, in all; 0 where the system does not say. */
export type CoreWait = () => number;

const resumeSliceNs = 5e6;

/**
 * One turn of the event loop in which there was work: begun by the first read or due call, ended in the check phase that
 * follows. There gathered writes go out, and the turn's length is accounted as useful work; spinning for the pacer is none.
 * It knows, too, when the loop last looked for bytes: those that it reads may have lain in their sockets since then.
 */
export class Turn {
  busyNs = 0;
  longestNs = 0;
  /** When the last one began, and when it ended; 0 before. */
  startedNs = 0;
  endedNs = 0;
  under = false;
  /** The loop looks for bytes all the time and never sleeps. */
  spinning = false;
  /** By when a timer is due that wakes the loop: later it has been stopped, or at work outside of any turn. */
  awakeByNs = Infinity;
  /** Time in which the loop was kept from looking, outside of its turns. Of what is read after it each call knows that it may have waited. */
  heldUpNs = 0;
  /** When the loop last looked; what came earlier has been read. */
  private lookedNs = 0;
  /** When a timer last woke it, and when it last found nothing to do. */
  private wokenNs = 0;
  private idleNs = 0;
  /** It has, in this turn. */
  private looked = false;
  /** Since when bytes that this turn reads may have been there. */
  private unreadSinceNs = 0;
  private waitedNs = 0;
  private readonly gatherers: Gatherer[] = [];
  /** Reads whose handling waits until something more urgent is written. */
  readonly held = new HeldReads((reader, chunk, atNs, sinceNs) => {
    const unreadSinceNs = this.unreadSinceNs;
    this.unreadSinceNs = sinceNs;
    reader.onHeldRead(chunk, atNs);
    this.unreadSinceNs = unreadSinceNs;
  });
  private readonly end = (): void => {
    const atNs = nowNs();
    // The loop has been looking just before, and nothing was there.
    if (!this.looked) this.lookedNs = atNs;
    this.flush();
    this.under = false;
    this.endedNs = nowNs();
    const lengthNs = this.endedNs - this.startedNs;
    this.busyNs += lengthNs;
    if (lengthNs > this.longestNs) this.longestNs = lengthNs;
    if (lengthNs > longTurnNs) this.waitedNs = this.coreWait();
  };

  constructor(private readonly coreWait: CoreWait = () => 0) {
    this.waitedNs = coreWait();
  }

  begin(atNs: number): void {
    if (this.under) return;
    this.under = true;
    this.looked = false;
    this.unreadSinceNs = this.isAwake(atNs) ? this.lookedNs : atNs - this.sleptOverNs(atNs);
    this.startedNs = atNs;
    setImmediate(this.end);
  }

  /** As `begin`, where bytes have been read at this moment. */
  beginRead(atNs: number): void {
    this.begin(atNs);
    if (this.looked) return;
    this.looked = true;
    this.lookedNs = atNs;
  }

  /** Keeps what was read at this moment of the turn, to be handled later. */
  keepRead(reader: Reader, chunk: Buffer, atNs: number): void {
    this.held.keep(reader, chunk, atNs, this.unreadSinceNs);
  }

  /** Handles what was kept, in slices between which the loop reads: what comes meanwhile waits behind it. */
  resumeReads(): void {
    this.begin(nowNs());
    const untilNs = nowNs() + resumeSliceNs;
    if (!this.held.release(() => nowNs() < untilNs)) setImmediate(() => this.resumeReads());
  }

  /** The spinning loop has looked, and there was nothing to do. */
  idleLook(atNs: number): void {
    if (this.under) return;
    const gapNs = atNs - this.lastAwakeNs;
    if (this.spinning && gapNs > heldUpNs) this.heldUpNs += gapNs;
    // It looked at some moment after whatever it did before: somebody else may have had the core since.
    this.lookedNs = Math.max(this.endedNs, this.wokenNs, this.idleNs);
    this.idleNs = atNs;
  }

  /** A timer has woken the loop, which will look next. */
  wake(atNs: number): void {
    if (this.under) return;
    if (!this.isAwake(atNs)) this.lookedNs = atNs - this.sleptOverNs(atNs);
    this.wokenNs = atNs;
  }

  /** How long bytes that were read at this moment of the turn may have lain in their socket at the most. */
  unreadNs(atNs: number): number {
    if (this.under) return Math.max(0, atNs - this.unreadSinceNs);
    return this.isAwake(atNs) ? atNs - this.lookedNs : 0;
  }

  /** Has `gatherer` flushed at the end of this turn, once. */
  flushLater(gatherer: Gatherer): void {
    if (!this.under) this.begin(nowNs());
    this.gatherers.push(gatherer);
  }

  /** For how long a loop that slept until now did not look though something may have come: it waited for a core, or was stopped. */
  private sleptOverNs(atNs: number): number {
    const sinceNs = this.lastAwakeNs;
    const gapNs = atNs - sinceNs;
    if (gapNs < briefNs) return 0;
    const totalNs = this.coreWait();
    const waitedNs = Math.min(gapNs, Math.max(0, totalNs - this.waitedNs));
    this.waitedNs = totalNs;
    const overdueNs = atNs - Math.max(this.awakeByNs, sinceNs) - timerSlackNs;
    // Since when it was stopped nobody knows.
    const missedNs = overdueNs > waitedNs ? gapNs : waitedNs;
    if (missedNs > heldUpNs) this.heldUpNs += missedNs;
    return missedNs;
  }

  private isAwake(atNs: number): boolean {
    return this.spinning || atNs - this.lastAwakeNs < sleptNs;
  }

  private get lastAwakeNs(): number {
    return Math.max(this.endedNs, this.lookedNs, this.wokenNs, this.idleNs);
  }

  private flush(): void {
    // A flush may start calls, and so more gatherers: they go out in the same turn.
    for (let i = 0; i < this.gatherers.length; i++) this.gatherers[i].flush();
    this.gatherers.length = 0;
  }
}
