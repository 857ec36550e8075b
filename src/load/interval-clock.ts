import type { Recorder } from '../stats/recorder.js';
import type { SlotRecorder } from '../stats/slot-recorder.js';
import { countAnswered, countOutcomes } from '../stats/outcomes.js';
import type { Traffic } from '../transport/traffic.js';
import type { CallBook } from './call-book.js';
import type { SessionPool } from './session-pool.js';
import type { ShardInterval } from './shard-report.js';

const intervalNs = 1e9;

/** What an interval holds the growth of. */
type Counts = Pick<
  ShardInterval,
  'started' | 'ok' | 'failed' | 'notSent' | 'answered' | 'cancelled' | 'bytesIn' | 'bytesOut'
>;

const none: Counts = {
  started: 0,
  ok: 0,
  failed: 0,
  notSent: 0,
  answered: 0,
  cancelled: 0,
  bytesIn: 0,
  bytesOut: 0,
};

/** Cuts what is recorded into intervals of a second: a call belongs to the interval in which it ended, to the nanosecond. */
export class IntervalClock {
  private startNs = Infinity;
  private nextNs = Infinity;
  private index = 0;
  private last = none;

  constructor(
    private readonly parts: {
      readonly recorder: Recorder;
      readonly slots: SlotRecorder;
      readonly traffic: Traffic;
      readonly pool: SessionPool;
      readonly book: CallBook;
    },
    private readonly onInterval: (interval: ShardInterval) => void,
  ) {}

  /** The measurement begins; whatever was recorded before belongs to the first interval. */
  start(atNs: number): void {
    this.startNs = atNs;
    this.nextNs = atNs + intervalNs;
    this.last = this.counts();
    this.parts.slots.start(atNs);
  }

  moment(atNs: number): void {
    while (atNs >= this.nextNs) this.cut(this.nextNs);
  }

  /** The last interval, however short. */
  finish(atNs: number): void {
    if (this.startNs === Infinity) this.startNs = atNs;
    this.cut(Math.max(atNs, this.startNs + this.index * intervalNs));
    this.nextNs = Infinity;
  }

  private cut(endNs: number): void {
    const startNs = this.startNs + this.index * intervalNs;
    const now = this.counts();
    const { last } = this;
    this.onInterval({
      index: this.index,
      startNs: startNs - this.startNs,
      durationNs: endNs - startNs,
      recorded: this.parts.recorder.takeInterval(),
      slots: this.parts.slots.take(),
      settledNs: Math.min(endNs, this.parts.book.oldestSentNs) - this.startNs,
      started: now.started - last.started,
      ok: now.ok - last.ok,
      failed: now.failed - last.failed,
      notSent: now.notSent - last.notSent,
      answered: now.answered - last.answered,
      cancelled: now.cancelled - last.cancelled,
      bytesIn: now.bytesIn - last.bytesIn,
      bytesOut: now.bytesOut - last.bytesOut,
      sessionsReady: this.parts.pool.live.size,
      inFlight: this.parts.book.inFlight,
    });
    this.last = now;
    this.index++;
    this.nextNs = endNs + intervalNs;
  }

  private counts(): Counts {
    let started = 0;
    let ok = 0;
    let ended = 0;
    let notSent = 0;
    let answered = 0;
    let cancelled = 0;
    for (const tally of this.parts.recorder.measuredTallies()) {
      started += tally.started;
      ok += tally.outcomes.ok;
      notSent += tally.outcomes.notSent;
      answered += countAnswered(tally.outcomes);
      cancelled += tally.outcomes.cancelled;
      ended += countOutcomes(tally.outcomes);
    }
    const { bytesIn, bytesOut } = this.parts.traffic;
    return { started, ok, failed: ended - ok - notSent, notSent, answered, cancelled, bytesIn, bytesOut };
  }
}
