import type { ShardFinal, ShardInterval } from '../load/shard-report.js';
import type { Interval, IntervalMetric, Metric } from '../result/result.js';
import { encodeV2, summarise } from '../stats/hdr.js';
import { Histogram } from '../stats/histogram.js';
import { type CallMetric, callMetrics, type HandshakeMetric } from '../stats/recorder.js';

/** Metrics that each interval keeps figures of; `call.response` keeps its histogram too. */
const intervalMetrics: readonly CallMetric[] = [
  'call.response',
  'call.service',
  'call.ack',
  'call.ackToEvent',
  'queue.wait',
  'schedule.lag',
];

/** Merges what the workers recorded: losslessly over the run, and second by second. */
export class Collector {
  private readonly calls = new Map<string, Histogram>();
  private readonly handshakes = new Map<HandshakeMetric, Histogram>();
  private readonly pending = new Map<number, ShardInterval[]>();
  readonly intervals: Interval[] = [];
  readonly finals: ShardFinal[] = [];

  constructor(
    private readonly workers: number,
    private readonly phases: number,
    private readonly operations: readonly string[],
  ) {}

  /** Takes one worker's interval; returns the interval over all workers once the last of them has come. */
  add(shard: ShardInterval): Interval | null {
    for (const { phase, operation, metric, histogram } of shard.recorded.calls) {
      get(this.calls, `${phase} ${operation} ${metric}`).add(histogram);
    }
    for (const { metric, histogram } of shard.recorded.handshakes)
      get(this.handshakes, metric).add(histogram);
    const together = this.pending.get(shard.index) ?? [];
    together.push(shard);
    this.pending.set(shard.index, together);
    return together.length === this.workers ? this.close(shard.index) : null;
  }

  /** Closes what some workers have reported and others never will. */
  closeAll(): void {
    for (const index of [...this.pending.keys()].sort((a, b) => a - b)) this.close(index);
  }

  /** `call.response` and the others, over the whole run or one phase, over all operations or one. */
  callMetric(metric: CallMetric, which: { phase?: number; operation?: number }): Histogram {
    const sum = new Histogram();
    for (let phase = 0; phase < this.phases; phase++) {
      if (which.phase !== undefined && which.phase !== phase) continue;
      for (let operation = 0; operation < this.operations.length; operation++) {
        if (which.operation !== undefined && which.operation !== operation) continue;
        const part = this.calls.get(`${phase} ${operation} ${metric}`);
        if (part !== undefined) sum.add(part.snapshot());
      }
    }
    return sum;
  }

  handshakeMetric(name: string): Histogram | null {
    return this.handshakes.get(name as HandshakeMetric) ?? null;
  }

  /** All non-empty metrics of the run, by the names under which a result holds them. */
  runMetrics(): Record<string, Metric> {
    const metrics: Record<string, Metric> = {};
    for (const name of callMetrics) put(metrics, name, this.callMetric(name, {}));
    for (const [operation, tool] of this.operations.entries()) {
      for (const name of callMetrics)
        put(metrics, `${name}{tool:${tool}}`, this.callMetric(name, { operation }));
    }
    for (const [name, histogram] of this.handshakes) put(metrics, name, histogram);
    return metrics;
  }

  phaseMetrics(phase: number): Record<string, Metric> {
    const metrics: Record<string, Metric> = {};
    for (const name of callMetrics) put(metrics, name, this.callMetric(name, { phase }));
    for (const [operation, tool] of this.operations.entries()) {
      put(metrics, `call.response{tool:${tool}}`, this.callMetric('call.response', { phase, operation }));
    }
    return metrics;
  }

  private close(index: number): Interval {
    const shards = this.pending.get(index)!;
    this.pending.delete(index);
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
  for (const { recorded } of shards) {
    for (const { metric, histogram } of recorded.calls) {
      if (intervalMetrics.includes(metric)) get(sums, metric).add(histogram);
    }
  }
  const figures: Record<string, IntervalMetric> = {};
  for (const metric of intervalMetrics) {
    const histogram = sums.get(metric);
    if (histogram === undefined) continue;
    const { count, p50, p99, max } = summarise(histogram);
    figures[metric] = { count, p50, p99, max };
    if (metric === 'call.response') figures[metric].hdr = encodeV2(histogram, 2);
  }
  return figures;
}

function put(metrics: Record<string, Metric>, name: string, histogram: Histogram): void {
  if (histogram.count > 0) metrics[name] = { unit: 'ns', ...summarise(histogram), hdr: encodeV2(histogram) };
}

function get<K>(histograms: Map<K, Histogram>, key: K): Histogram {
  let histogram = histograms.get(key);
  if (histogram === undefined) histograms.set(key, (histogram = new Histogram()));
  return histogram;
}
