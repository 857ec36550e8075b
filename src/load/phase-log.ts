import type { Recorder } from '../stats/recorder.js';
import { BurstLoop } from './burst-loop.js';
import type { Health } from './health.js';
import type { Loop } from './loop.js';
import type { ShardPhase } from './shard-report.js';

/** Writes down what became of each measured phase: its times since the start of the measurement, and the calls that ended ok within. */
export class PhaseLog {
  private readonly closed: ShardPhase[] = [];
  private underWay: { readonly startNs: number; readonly okAtStart: readonly number[] } | null = null;

  constructor(
    private readonly recorder: Recorder,
    private readonly health: Health,
  ) {}

  /** A phase begins so long after the start of the measurement. */
  open(startNs: number): void {
    this.health.enterPhase();
    this.underWay = { startNs, okAtStart: this.recorder.okByOperation() };
  }

  /** The phase under way ends; nothing happens where none is. */
  close(endNs: number, loop: Loop | null): void {
    this.closed.push(...this.openUntil(endNs, loop));
    this.underWay = null;
  }

  /** The phases so far; one that is under way as if it ended then. */
  until(endNs: number, loop: Loop | null): readonly ShardPhase[] {
    return [...this.closed, ...this.openUntil(endNs, loop)];
  }

  private openUntil(endNs: number, loop: Loop | null): ShardPhase[] {
    if (this.underWay === null) return [];
    const { startNs, okAtStart } = this.underWay;
    const ok = this.recorder.okByOperation();
    return [
      {
        startNs,
        endNs,
        bursts: loop instanceof BurstLoop ? { ...loop.writing } : null,
        okWithin: ok.map((count, operation) => count - okAtStart[operation]),
        health: this.health.current,
      },
    ];
  }
}
