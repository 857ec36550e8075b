import { failedCalls } from '../result/conservation.js';
import { metricKey } from '../result/metric-key.js';
import { hasEnoughSamples, percentileWithFailures } from '../result/percentile-needs.js';
import type { Metric, Outcomes, RunResult } from '../result/result.js';
import { decodeV2, fromHdr } from '../stats/hdr.js';
import { countOutcomes } from '../stats/outcomes.js';
import type { Gate } from './gates.js';
import type { Proportion } from './newcombe.js';

/** What one run says about one metric. */
export interface Figure {
  value: number;
  /** Has too few samples beyond it to mean much by itself. */
  weak: boolean;
}

/** A metric that runs are compared by, and how to read it off a run. */
export interface ComparedMetric {
  metric: string;
  gate: Gate | null;
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
      responsePercentile('p50', null, tool),
      responsePercentile('p99', null, tool),
    ]),
  ];
}

type PercentileKey = 'p50' | 'p90' | 'p99';
const percentileOf: Record<PercentileKey, number> = { p50: 50, p90: 90, p99: 99 };

function responsePercentile(key: PercentileKey, gate: Gate | null, tool: string | null): ComparedMetric {
  return {
    metric: tool === null ? key : `${tool} ${key}`,
    gate,
    unit: 'ns',
    worse: 'up',
    statistic: tool === null ? { percentile: percentileOf[key] / 100 } : null,
    read: (run) => {
      const outcomes =
        tool === null
          ? run.totals.outcomes
          : run.operations.find((operation) => operation.name === tool)?.outcomes;
      return percentile(run.metrics[metricKey('call.response', tool)], outcomes, key);
    },
  };
}

const throughput: ComparedMetric = {
  metric: 'throughput',
  gate: 'throughput',
  unit: 'perSec',
  worse: 'down',
  statistic: 'rate',
  read: (run) => ({ value: run.totals.callsPerSec, weak: false }),
};

const handshake: ComparedMetric = {
  metric: 'handshake.total p50',
  gate: null,
  unit: 'ns',
  worse: 'up',
  statistic: null,
  read: (run) => {
    const metric = run.metrics['handshake.total'];
    if (metric === undefined || metric.count === 0) return undefined;
    return { value: metric.p50, weak: !hasEnoughSamples(50, metric.count) };
  },
};

function percentile(
  metric: Metric | undefined,
  outcomes: Outcomes | undefined,
  key: PercentileKey,
): Figure | undefined {
  const failed = outcomes === undefined ? 0 : failedCalls(outcomes);
  const ok = metric?.count ?? 0;
  if (ok + failed === 0) return undefined;
  const weak = !hasEnoughSamples(percentileOf[key], ok + failed);
  if (metric === undefined || ok === 0) return { value: Infinity, weak };
  // The same without decoding, which takes a millisecond.
  if (failed === 0) return { value: metric[key], weak };
  return { value: percentileWithFailures(fromHdr(decodeV2(metric.hdr)), failed, percentileOf[key]), weak };
}
