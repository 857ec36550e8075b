import { failedCalls } from '../result/conservation.js';
import { metricKey } from '../stats/metric-key.js';
import { isDisturbed, percentileEnds } from '../result/disturbance.js';
import { timesOf } from '../result/measured-metric.js';
import { pausesOver } from '../result/pauses.js';
import { hasEnoughSamples } from '../result/percentile-needs.js';
import type { Metric, Outcomes, RunResult } from '../result/result.js';
import { countOutcomes } from '../stats/outcomes.js';
import type { Gate } from './gates.js';
import type { Proportion } from './newcombe.js';

/** What one run says about one metric. */
export interface Figure {
  value: number;
  /** Has too few samples beyond it to mean much by itself. */
  weak: boolean;
  /** The generator may have moved it; the true one lies between the two ends. */
  disturbed: boolean;
  low: number;
  high: number;
}

/** The same metric as if each run had had the figure at this end. */
export function atEnd(figures: readonly Figure[], end: 'low' | 'high'): number[] {
  return figures.map((figure) => (figure.disturbed ? figure[end] : figure.value));
}

/** A metric that runs are compared by, and how to read it off a run. */
export interface ComparedMetric {
  metric: string;
  /** What it can be asked for as. */
  gate: Gate | null;
  /** The tool whose calls it is about; null where it is about all. */
  tool: string | null;
  unit: 'ns' | 'perSec';
  worse: 'up' | 'down';
  /** A percentile of `call.response` as a share, or the rate: what the intervals of a run can be resampled for. */
  statistic: { percentile: number } | 'rate' | null;
  /** Undefined where the run has nothing of the kind. */
  read(run: RunResult): Figure | undefined;
}

/** Calls that failed, of all whose end is known. */
export function errorsOf({ totals }: RunResult): Proportion {
  const { outcomes } = totals;
  return { count: failedCalls(outcomes), total: countOutcomes(outcomes) - outcomes.aborted };
}

/** The metrics of a run besides errors, the gated ones first. Failed calls are slower than any other in all of them. */
export function comparedMetrics(run: RunResult): ComparedMetric[] {
  const tools = run.operations.length > 1 ? run.operations.map(({ name }) => name) : [];
  return [
    responsePercentile('p50', 'p50', null),
    responsePercentile('p99', 'p99', null),
    throughput,
    responsePercentile('p90', null, null),
    handshake,
    ...tools.flatMap((tool) => [
      responsePercentile('p50', `${tool} p50`, tool),
      responsePercentile('p99', `${tool} p99`, tool),
    ]),
  ];
}

type PercentileKey = 'p50' | 'p90' | 'p99';
const percentileOf: Record<PercentileKey, number> = { p50: 50, p90: 90, p99: 99 };

function responsePercentile(key: PercentileKey, gate: Gate | null, tool: string | null): ComparedMetric {
  return {
    metric: tool === null ? key : `${tool} ${key}`,
    gate,
    tool,
    unit: 'ns',
    worse: 'up',
    statistic: tool === null ? { percentile: percentileOf[key] / 100 } : null,
    read: (run) => {
      const outcomes =
        tool === null
          ? run.totals.outcomes
          : run.operations.find((operation) => operation.name === tool)?.outcomes;
      return percentile(run, run.metrics[metricKey('call.response', tool)], outcomes, key);
    },
  };
}

const throughput: ComparedMetric = {
  metric: 'throughput',
  gate: 'throughput',
  tool: null,
  unit: 'perSec',
  worse: 'down',
  statistic: 'rate',
  read: (run) => exactly(run.totals.callsPerSec, false),
};

const handshake: ComparedMetric = {
  metric: 'handshake.total p50',
  gate: null,
  tool: null,
  unit: 'ns',
  worse: 'up',
  statistic: null,
  read: (run) => {
    const metric = run.metrics['handshake.total'];
    if (metric === undefined || metric.count === 0) return undefined;
    const weak = !hasEnoughSamples(50, metric.count);
    return figureAt(metric, 'p50', weak);
  },
};

function percentile(
  run: RunResult,
  metric: Metric | undefined,
  outcomes: Outcomes | undefined,
  key: PercentileKey,
): Figure | undefined {
  const failed = outcomes === undefined ? 0 : failedCalls(outcomes);
  const ok = metric?.count ?? 0;
  if (ok + failed === 0) return undefined;
  const weak = !hasEnoughSamples(percentileOf[key], ok + failed);
  if (metric === undefined || ok === 0) return exactly(Infinity, weak);
  // The same without decoding, which takes a millisecond.
  if (failed === 0) return figureAt(metric, key, weak);
  const ends = percentileEnds(timesOf(metric), failed, percentileOf[key], pausesOver(run.phases));
  return { value: ends.seen, weak, disturbed: isDisturbed(ends), low: ends.low, high: ends.high };
}

function figureAt(metric: Metric, key: PercentileKey, weak: boolean): Figure {
  const value = metric[key];
  return {
    value,
    weak,
    disturbed: metric.disturbed?.includes(key) ?? false,
    low: metric.low?.[key] ?? value,
    high: metric.high?.[key] ?? value,
  };
}

function exactly(value: number, weak: boolean): Figure {
  return { value, weak, disturbed: false, low: value, high: value };
}
