import { failedCalls } from '../result/conservation.js';
import { metricKey } from '../result/metric-key.js';
import { hasEnoughSamples, percentileWithFailures } from '../result/percentile-needs.js';
import type { Metric, RunResult } from '../result/result.js';
import { decodeV2, fromHdr } from '../stats/hdr.js';

export const percentiles = [
  { title: 'p50', percentile: 50, key: 'p50' },
  { title: 'p90', percentile: 90, key: 'p90' },
  { title: 'p99', percentile: 99, key: 'p99' },
  { title: 'p99.9', percentile: 99.9, key: 'p999' },
] as const;

export interface LatencyCell {
  /** Infinity where the percentile falls among failed calls. */
  ns: number;
  /** Has too few samples beyond it to mean much. */
  weak: boolean;
}

/** One line of a latency table: the four percentiles, then the maximum. */
export interface LatencyRow {
  name: string;
  count: number;
  cells: LatencyCell[];
}

/** The rows of the table of calls: those always of interest, and the others where they say something. */
export function callRows(result: RunResult): LatencyRow[] {
  const response = result.metrics['call.response'];
  const matters = (name: string): boolean => {
    const metric = result.metrics[name];
    if (!metric) return false;
    return metric.p99 >= 0.05 * (response?.p50 ?? 0) || (name === 'schedule.lag' && hasBursts(result));
  };
  const names = ['call.service', 'call.ack', 'call.ackToEvent', 'call.eventToAck', 'failed.response'];
  const rows = [...names, ...['queue.wait', 'schedule.lag'].filter(matters)].flatMap((name) =>
    rowOf(result, name),
  );
  if (!response) return rows;
  return [
    ...rowOf(result, 'call.response'),
    ...withFailures(response, failedCalls(result.totals.outcomes)),
    ...rows,
  ];
}

/** The parts of the handshake in their order, without the prefix. */
export function handshakeRows(result: RunResult): LatencyRow[] {
  return ['connect', 'headers', 'endpoint', 'initialize', 'initialized', 'total'].flatMap((part) =>
    rowOf(result, `handshake.${part}`).map((row) => ({ ...row, name: part })),
  );
}

export interface OperationRow {
  name: string;
  ok: number;
  failed: number;
  callsPerSec: number;
  /** null where no call ended ok. */
  response: LatencyRow | null;
  /** null where counting failures as slowest changes no percentile. */
  withFailures: LatencyRow | null;
}

/** One row per operation of the mix. */
export function operationRows(result: RunResult): OperationRow[] {
  return result.operations.map(({ name, callsPerSec, outcomes }) => {
    const metric = result.metrics[metricKey('call.response', name)];
    const failed = failedCalls(outcomes);
    return {
      name,
      ok: outcomes.ok,
      failed,
      callsPerSec,
      response: metric && metric.count > 0 ? latencyRow(name, metric) : null,
      withFailures: (metric && withFailures(metric, failed)[0]) ?? null,
    };
  });
}

/** A metric as a row. */
export function latencyRow(name: string, metric: Metric): LatencyRow {
  const cells = percentiles.map(({ percentile, key }) => ({
    ns: metric[key],
    weak: !hasEnoughSamples(percentile, metric.count),
  }));
  return { name, count: metric.count, cells: [...cells, { ns: metric.max, weak: false }] };
}

/** The row in which failed calls are slower than all others, where that makes a difference that can be seen. */
function withFailures(ok: Metric, failed: number): LatencyRow[] {
  if (failed === 0) return [];
  const snapshot = fromHdr(decodeV2(ok.hdr));
  const count = ok.count + failed;
  const cells = percentiles.map(({ percentile }) => ({
    ns: percentileWithFailures(snapshot, failed, percentile),
    weak: !hasEnoughSamples(percentile, count),
  }));
  const differs = percentiles.some(({ key }, index) => Math.abs(cells[index]!.ns / ok[key] - 1) > 0.005);
  return differs ? [{ name: 'with failures', count, cells: [...cells, { ns: Infinity, weak: false }] }] : [];
}

function rowOf(result: RunResult, name: string): LatencyRow[] {
  const metric = result.metrics[name];
  return metric && metric.count > 0 ? [latencyRow(name, metric)] : [];
}

function hasBursts(result: RunResult): boolean {
  return result.scenario.phases.some((phase) => phase.load.model === 'burst');
}
