import { nowNs } from '../clock.js';
import { HeldReads, type Reader } from './held-reads.js';

/** Something that gathers writes and hands them over once per loop turn. */
export interface Gatherer {
  flush(): void;
}

// Between two turns so close together the loop has not waited for anything.
const sleptNs = 50_000;
// A look so late after the one before was held up; usually one is some ten microseconds after the other.
const heldUpNs = 200_000;

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
  /** Time between two looks of a spinning loop that somebody else took. Of what is read after it each call knows that it may have waited. */
  heldUpNs = 0;
  /** When the loop last looked; what came earlier has been read. */
  private lookedNs = 0;
  /** It has, in this turn. */
  private looked = false;
  /** Since when bytes that this turn reads may have been there. */
  private deafSinceNs = 0;
  private readonly gatherers: Gatherer[] = [];
  /** Reads whose handling waits until something more urgent is written. */
  readonly held = new HeldReads((reader, chunk, atNs, sinceNs) => {
    const deafSinceNs = this.deafSinceNs;
    this.deafSinceNs = sinceNs;
    reader.onHeldRead(chunk, atNs);
    this.deafSinceNs = deafSinceNs;
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
  };

  begin(atNs: number): void {
    if (this.under) return;
    this.under = true;
    this.looked = false;
    this.deafSinceNs = this.isAwake(atNs) ? this.lookedNs : atNs;
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
    this.held.keep(reader, chunk, atNs, this.deafSinceNs);
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
    const gapNs = atNs - Math.max(this.lookedNs, this.endedNs);
    if (this.spinning && gapNs > heldUpNs) this.heldUpNs += gapNs;
    this.lookedNs = atNs;
  }

  /** How long bytes that were read at this moment of the turn may have lain in their socket at the most. */
  deafNs(atNs: number): number {
    if (this.under) return Math.max(0, atNs - this.deafSinceNs);
    return this.isAwake(atNs) ? atNs - this.lookedNs : 0;
  }

  /** Has `gatherer` flushed at the end of this turn, once. */
  flushLater(gatherer: Gatherer): void {
    if (!this.under) this.begin(nowNs());
    this.gatherers.push(gatherer);
  }

  private isAwake(atNs: number): boolean {
    return this.spinning || atNs - Math.max(this.endedNs, this.lookedNs) < sleptNs;
  }

  private flush(): void {
    // A flush may start calls, and so more gatherers: they go out in the same turn.
    for (let i = 0; i < this.gatherers.length; i++) this.gatherers[i].flush();
    this.gatherers.length = 0;
  }
}
