import { nowNs } from '../clock.js';

/** Something that gathers writes and hands them over once per loop turn. */
export interface Gatherer {
  flush(): void;
}

/**
 * One turn of the event loop in which there was work: begun by the first read or due call, ended in the check phase that
 * follows. There gathered writes go out, and the turn's length is accounted as useful work; spinning for the pacer is none.
 */
export class Turn {
  busyNs = 0;
  longestNs = 0;
  private startedNs = 0;
  private under = false;
  private readonly gatherers: Gatherer[] = [];
  private readonly end = (): void => {
    this.flush();
    this.under = false;
    const lengthNs = nowNs() - this.startedNs;
    this.busyNs += lengthNs;
    if (lengthNs > this.longestNs) this.longestNs = lengthNs;
  };

  begin(atNs: number): void {
    if (this.under) return;
    this.under = true;
    this.startedNs = atNs;
    setImmediate(this.end);
  }

  /** Has `gatherer` flushed at the end of this turn, once. */
  flushLater(gatherer: Gatherer): void {
    if (!this.under) this.begin(nowNs());
    this.gatherers.push(gatherer);
  }

  private flush(): void {
    // A flush may start calls, and so more gatherers: they go out in the same turn.
    for (let i = 0; i < this.gatherers.length; i++) this.gatherers[i].flush();
    this.gatherers.length = 0;
  }
}
