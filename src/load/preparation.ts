import { nowNs } from '../clock.js';
import type { Plan } from '../scenario/plan.js';
import { warmupPhase } from '../stats/recorder.js';
import type { CallBook } from './call-book.js';
import type { Loop } from './loop.js';
import type { LoopMaker } from './loop-maker.js';
import type { SessionPool } from './session-pool.js';

const idleBudgetNs = 2e6;
const busyBudgetNs = 0.1e6;
const undisturbedNs = 10e6;
const aheadNs = 2e9;
const soonNs = 0.5e9;
const beforeStartStepMs = 5;

/** Does what need not wait until calls are due: all at once while nothing is in flight, else a little at a time. */
export class Preparation {
  constructor(
    private readonly plan: Plan,
    private readonly pool: SessionPool,
    private readonly book: CallBook,
    private readonly loops: LoopMaker,
  ) {}

  /**
   * Gets ready for the start of the run, and says so, at `limitNs` at the latest: while many sessions opened, the connections of
   * the first may have idled too long. `wanted` says whether there is still to be one.
   */
  beforeStart(limitNs: number, wanted: () => boolean, onReady: () => void): void {
    if (!wanted()) return;
    const atNs = nowNs();
    if (this.isReadyToStart(atNs) || atNs > limitNs) onReady();
    else setTimeout(() => this.beforeStart(limitNs, wanted, onReady), beforeStartStepMs);
  }

  /** Prepares for the calls of the loop that is on, and for the bursts of the phase after it. */
  during(atNs: number, loop: Loop, phase: number, phaseEndNs: number): void {
    const gapNs = Math.min(loop.nextDueNs, phaseEndNs) - atNs;
    const idle = this.book.inFlight === 0;
    // What is being answered must be read; there is time enough.
    if (!idle && gapNs > soonNs) return;
    const budgetNs = idle && gapNs > undisturbedNs ? idleBudgetNs : busyBudgetNs;
    loop.prepare(atNs, budgetNs);
    if (phaseEndNs - atNs < aheadNs)
      this.loops.upcomingBursts(phase + 1, phaseEndNs)?.prepare(atNs, budgetNs);
  }

  private isReadyToStart(atNs: number): boolean {
    const { plan, pool } = this;
    // The start of the run is not known yet.
    const first = this.loops.upcomingBursts(plan.warmupNs > 0 ? warmupPhase : 0, Infinity);
    if (first !== null) return first.prepare(atNs, idleBudgetNs);
    let ready = true;
    for (const session of pool.live)
      if (pool.mayCall(session) && !session.client.prepare(1, atNs + soonNs)) ready = false;
    return ready;
  }
}
