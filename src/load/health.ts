import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { nowNs } from '../clock.js';
import type { Turn } from '../transport/turn.js';
import type { PhaseHealth, ShardHealth } from './shard-report.js';
import type { ThreadClock } from './thread-clock.js';

const delayResolutionMs = 20;
// A timer of Node's may be this late on an idle machine.
const timerSlackNs = 3e6;

/** Watches the generator itself, phase by phase: how busy its thread was, its longest turn, and for how long it was kept from running. */
export class Health {
  private longestGcNs = 0;
  private gcNs = 0;
  private phase = newPhase();
  private begun: Reading | null = null;
  private left = true;
  private sweptNs = 0;
  private readonly phases: PhaseHealth[] = [];
  private readonly delay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  private readonly observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      this.gcNs += duration * 1e6;
      this.longestGcNs = Math.max(this.longestGcNs, duration * 1e6);
    }
  });

  constructor(
    private readonly turn: Turn,
    private readonly spinning: boolean,
    /** How far apart the sweeps are. */
    private readonly sweepNs: number,
    private readonly thread: ThreadClock,
  ) {}

  /** Gets ready, which takes its time. */
  watch(): void {
    this.observer.observe({ entryTypes: ['gc'] });
    this.delay.enable();
  }

  /** A phase begins: from here on all counts towards it. What the warm-up took is in none of the figures. */
  enterPhase(): void {
    const atNs = nowNs();
    if (this.phases.length === 0) {
      this.longestGcNs = 0;
      this.gcNs = 0;
      this.delay.reset();
    } else {
      this.update();
    }
    this.phase = newPhase();
    this.phases.push(this.phase);
    this.turn.longestNs = 0;
    this.begun = this.take(atNs);
    this.left = false;
    this.markSwept(atNs);
  }

  /** No more calls are due: a drain that only waits must not make the generator look idle. Pauses count to the last call's end. */
  leave(): void {
    this.update();
    this.left = true;
  }

  /** The phase under way, or the last one, as of now. It goes on changing. */
  get current(): PhaseHealth {
    this.update();
    return this.phase;
  }

  /**
   * To be called whenever a sweep is due. True where it came so late that answers may lie unread: they are to be read before calls are given
   * up for want of them.
   */
  sweep(atNs: number): boolean {
    const { turn } = this;
    const untilNs = turn.under ? turn.startedNs : atNs;
    // A turn keeps a sweep waiting, too: that time is seen by the turn itself.
    const lateNs = untilNs - Math.max(this.sweptNs + this.sweepNs, turn.endedNs);
    const late = this.sweptNs > 0 && lateNs > timerSlackNs;
    turn.wake(atNs);
    this.markSwept(atNs);
    return late;
  }

  read(): ShardHealth {
    this.update();
    this.phase.longestTurnNs = Math.max(this.phase.longestTurnNs, this.turn.longestNs);
    this.observer.disconnect();
    this.delay.disable();
    this.thread.close();
    const sum = (pick: (phase: PhaseHealth) => number): number =>
      this.phases.reduce((total, phase) => total + pick(phase), 0);
    const known = this.phases.length > 0 && this.phases.every(({ cpuNs }) => cpuNs !== null);
    return {
      busyNs: sum(({ busyNs }) => busyNs),
      elapsedNs: sum(({ elapsedNs }) => elapsedNs),
      longestTurnNs: Math.max(0, ...this.phases.map(({ longestTurnNs }) => longestTurnNs)),
      longestGcNs: Math.round(this.longestGcNs),
      gcNs: Math.round(this.gcNs),
      cpuNs: known ? sum(({ cpuNs }) => cpuNs!) : null,
      // The monitor reports the whole distance between its timer's firings.
      loopDelayP99Ns: Math.max(0, this.delay.percentile(99) - delayResolutionMs * 1e6),
      spinning: this.spinning,
    };
  }

  private markSwept(atNs: number): void {
    this.sweptNs = atNs;
    this.turn.awakeByNs = atNs + this.sweepNs;
  }

  private update(): void {
    const { begun, phase } = this;
    if (begun === null || this.left) return;
    const now = this.take(nowNs());
    phase.busyNs = now.busyNs - begun.busyNs;
    phase.heldUpNs = now.heldUpNs - begun.heldUpNs;
    phase.elapsedNs = now.atNs - begun.atNs;
    phase.cpuNs = now.cpuNs === null || begun.cpuNs === null ? null : now.cpuNs - begun.cpuNs;
    phase.longestTurnNs = Math.max(phase.longestTurnNs, this.turn.longestNs);
  }

  private take(atNs: number): Reading {
    const { busyNs, heldUpNs } = this.turn;
    return { atNs, busyNs, heldUpNs, cpuNs: this.thread.cpuNs() };
  }
}

interface Reading {
  readonly atNs: number;
  readonly busyNs: number;
  readonly heldUpNs: number;
  /** null where the system does not tell. */
  readonly cpuNs: number | null;
}

function newPhase(): PhaseHealth {
  return {
    busyNs: 0,
    elapsedNs: 0,
    cpuNs: null,
    longestTurnNs: 0,
    heldUpNs: 0,
  };
}
