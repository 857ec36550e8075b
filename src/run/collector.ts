import type { ShardFinal, ShardInterval, ShardTotals } from '../load/shard-report.js';
import { measureAvailability, withAvailability } from '../result/availability.js';
import type { EdgedTimes, Pauses } from '../result/disturbance.js';
import { measuredMetric } from '../result/measured-metric.js';
import type { Availability, Interval, IntervalMetric, Metric } from '../result/result.js';
import { encodeV2, summarise } from '../stats/hdr.js';
import { Histogram } from '../stats/histogram.js';
import { metricKey } from '../stats/metric-key.js';
import { slotNs } from '../stats/slot-recorder.js';
import { SlotSum } from '../stats/slot-sum.js';
import { type CallMetric, callMetrics, type Edge } from '../stats/recorder.js';
import { allHandshakeMetrics } from '../transport/transport-kinds.js';

/** Metrics that each interval keeps figures of; `call.response` keeps its histogram too. */
const intervalMetrics: readonly CallMetric[] = [
  'call.response',
  'call.service',
  'call.ack',
  'call.ackToEvent',
  'queue.wait',
  'call.connect',
  'schedule.lag',
];

/** Merges what the workers recorded: losslessly over the run, and second by second. */
export class Collector {
  private readonly calls = new Map<string, Histogram>();
  private readonly handshakes = new Map<string, Histogram>();
  private readonly pending = new Map<number, ShardInterval[]>();
  readonly intervals: Interval[] = [];
  readonly finals: ShardFinal[] = [];
  private readonly slots = new SlotSum();
  /** Up to this moment of the measurement all is known about its slots. */
  private settledNs = 0;
  /** Of workers that crashed: what they had counted at their last interval. */
  readonly lost: ShardTotals[] = [];

  constructor(
    private readonly workers: number,
    private readonly phases: number,
    private readonly operations: readonly string[],
  ) {}

  /** What every worker counted, as far as it is known. */
  get totals(): readonly ShardTotals[] {
    return [...this.finals, ...this.lost];
  }

  /** Takes one worker's interval; returns the interval over all workers once the last of them has come. */
  add(shard: ShardInterval): Interval | null {
    for (const { phase, operation, metric, edge, histogram } of shard.recorded.calls) {
      get(this.calls, `${phase} ${operation} ${metric} ${edge}`).add(histogram);
    }
    for (const { metric, edge, histogram } of shard.recorded.handshakes)
      get(this.handshakes, `${metric} ${edge}`).add(histogram);
    this.slots.add(shard.slots);
    const together = this.pending.get(shard.index) ?? [];
    together.push(shard);
    this.pending.set(shard.index, together);
    return together.length === this.workers ? this.close(shard.index) : null;
  }

  /** The intervals and the availability of the measured phases; to be asked when all is over. */
  measured(): { intervals: Interval[]; availability: Availability } {
    const measuredNs = Math.max(0, ...this.totals.flatMap(({ phases }) => phases.map(({ endNs }) => endNs)));
    return {
      intervals: withAvailability(this.intervals, this.slots.slots(measuredNs), measuredNs),
      availability: measureAvailability(this.slots.slots(measuredNs), measuredNs),
    };
  }

  /** For how long the target was available, as far as that cannot change any more. */
  availabilitySoFar(): Availability {
    return measureAvailability(this.slots.slots(this.settledNs), this.settledNs);
  }

  /** The intervals of which that is known for all of their time, with it. */
  settledIntervals(): Interval[] {
    const endNs = ({ atMs, durationMs }: Interval): number => (atMs + durationMs) * 1e6;
    const settled = this.intervals.filter((interval) => endNs(interval) <= this.settledNs);
    // What is known of the time behind them belongs to none of them.
    const untilNs = settled.length === 0 ? 0 : endNs(settled.at(-1)!);
    return withAvailability(settled, this.slots.slots(untilNs), untilNs);
  }

  /** Closes what some workers have reported and others never will. */
  closeAll(): void {
    for (const index of [...this.pending.keys()].sort((a, b) => a - b)) this.close(index);
  }

  /** `call.response` and the others, over the whole run or one phase, over all operations or one. */
  callMetric(
    metric: CallMetric,
    which: { phase?: number; operation?: number },
    edge: Edge = 'seen',
  ): Histogram {
    const sum = new Histogram();
    for (let phase = 0; phase < this.phases; phase++) {
      if (which.phase !== undefined && which.phase !== phase) continue;
      for (let operation = 0; operation < this.operations.length; operation++) {
        if (which.operation !== undefined && which.operation !== operation) continue;
        const part = this.calls.get(`${phase} ${operation} ${metric} ${edge}`);
        if (part !== undefined) sum.add(part.snapshot());
      }
    }
    return sum;
  }

  /** A metric's times with their ends; null where there are none. */
  edgedTimes(metric: CallMetric, which: { phase?: number; operation?: number }): EdgedTimes | null {
    return edged((edge) => this.callMetric(metric, which, edge));
  }

  edgedHandshake(metric: string): EdgedTimes | null {
    return edged((edge) => this.handshakes.get(`${metric} ${edge}`));
  }

  /** All non-empty metrics of the run, by the names under which a result holds them. */
  runMetrics(pauses: Pauses): Record<string, Metric> {
    const metrics: Record<string, Metric> = {};
    const put = (name: string, times: EdgedTimes | null): void => {
      if (times !== null) metrics[name] = measuredMetric(times, pauses);
    };
    for (const name of callMetrics) put(name, this.edgedTimes(name, {}));
    for (const [operation, tool] of this.operations.entries()) {
      for (const name of callMetrics) put(metricKey(name, tool), this.edgedTimes(name, { operation }));
    }
    for (const name of allHandshakeMetrics()) put(name, this.edgedHandshake(name));
    return metrics;
  }

  phaseMetrics(phase: number, pauses: Pauses): Record<string, Metric> {
    const metrics: Record<string, Metric> = {};
    const put = (name: string, times: EdgedTimes | null): void => {
      if (times !== null) metrics[name] = measuredMetric(times, pauses);
    };
    for (const name of callMetrics) put(name, this.edgedTimes(name, { phase }));
    for (const [operation, tool] of this.operations.entries()) {
      put(metricKey('call.response', tool), this.edgedTimes('call.response', { phase, operation }));
    }
    return metrics;
  }

  private close(index: number): Interval {
    const shards = this.pending.get(index)!;
    this.pending.delete(index);
    this.settledNs = Math.floor(Math.min(...shards.map((shard) => shard.settledNs)) / slotNs) * slotNs;
    const sum = (pick: (shard: ShardInterval) => number): number =>
      shards.reduce((total, shard) => total + pick(shard), 0);
    const interval: Interval = {
      atMs: Math.round(shards[0].startNs / 1e6),
      durationMs: Math.round(Math.max(...shards.map((shard) => shard.durationNs)) / 1e6),
      totals: {
        started: sum((shard) => shard.started),
        ok: sum((shard) => shard.ok),
        failed: sum((shard) => shard.failed),
        notSent: sum((shard) => shard.notSent),
        answered: sum((shard) => shard.answered),
        cancelled: sum((shard) => shard.cancelled),
        sessionsReady: sum((shard) => shard.sessionsReady),
        inFlight: sum((shard) => shard.inFlight),
        bytesIn: sum((shard) => shard.bytesIn),
        bytesOut: sum((shard) => shard.bytesOut),
      },
      metrics: intervalFigures(shards),
    };
    this.intervals.push(interval);
    return interval;
  }
}

function intervalFigures(shards: readonly ShardInterval[]): Record<string, IntervalMetric> {
  const sums = new Map<CallMetric, Histogram>();
  const responseLeast = new Histogram();
  for (const { recorded } of shards) {
    for (const { metric, edge, histogram } of recorded.calls) {
      if (edge === 'seen' && intervalMetrics.includes(metric)) get(sums, metric).add(histogram);
      if (edge === 'least' && metric === 'call.response') responseLeast.add(histogram);
    }
  }
  const figures: Record<string, IntervalMetric> = {};
  for (const metric of intervalMetrics) {
    const histogram = sums.get(metric);
    if (histogram === undefined) continue;
    const { count, p50, p99, max } = summarise(histogram);
    figures[metric] = { count, p50, p99, max };
    if (metric !== 'call.response') continue;
    const [hdr, leastHdr] = [encodeV2(histogram, 2), encodeV2(responseLeast, 2)];
    Object.assign(figures[metric], leastHdr === hdr ? { hdr } : { hdr, leastHdr });
  }
  return figures;
}

function edged(of: (edge: Edge) => Histogram | undefined): EdgedTimes | null {
  const snapshot = (edge: Edge) => {
    const histogram = of(edge);
    return histogram === undefined || histogram.count === 0 ? null : histogram.snapshot();
  };
  const seen = snapshot('seen');
  return seen === null ? null : { seen, least: snapshot('least'), most: snapshot('most') };
}

function get<K>(histograms: Map<K, Histogram>, key: K): Histogram {
  let histogram = histograms.get(key);
  if (histogram === undefined) histograms.set(key, (histogram = new Histogram()));
  return histogram;
}
