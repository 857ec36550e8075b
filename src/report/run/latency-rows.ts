import { failedCalls } from '../../result/conservation.js';
import { metricKey } from '../../stats/metric-key.js';
import { isDisturbed, type Pauses, percentileEnds } from '../../result/disturbance.js';
import { timesOf } from '../../result/measured-metric.js';
import { pausesOver } from '../../result/pauses.js';
import { hasEnoughSamples } from '../../result/percentile-needs.js';
import type { Metric, RunResult } from '../../result/result.js';
import { transportOf } from '../../result/transport-of.js';
import { formatDuration } from '../../result/units.js';
import type { HandshakeMetric } from '../../stats/recorder.js';
import { callMetricsOf, handshakeMetricsOf } from '../../transport/transport-kinds.js';

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
  /** The two ends between which the true figure lies, where the generator may have moved it that far; else null. */
  between: { low: number; high: number } | null;
}

/** What is put behind a figure: `~` where it is disturbed, `*` where it has too few samples. */
export function marksOf({ ns, weak, between }: LatencyCell): string {
  return (between === null ? '' : '~') + (weak && ns !== Infinity ? '*' : '');
}

/** The ends of all disturbed figures of these rows, a text for each row that has some: `call.ack p99 1.20 ms to 5.60 ms`. */
export function disturbedTexts(rows: readonly LatencyRow[]): string[] {
  return rows.flatMap(({ name, cells }) => {
    const ends = percentiles.flatMap(({ title }, at) => {
      const between = cells[at]?.between ?? null;
      return between === null ? [] : [`${title} ${formatDuration(between.low)} to ${endText(between.high)}`];
    });
    return ends.length === 0 ? [] : [`${name} ${ends.join(', ')}`];
  });
}

const mostDisturbed = 8;

/** The footnote on them; null where there are none. */
export function disturbedNote(rows: readonly LatencyRow[]): string | null {
  const texts = disturbedTexts(rows);
  if (texts.length === 0) return null;
  const more = texts.length - mostDisturbed;
  const list =
    texts.slice(0, mostDisturbed).join('; ') + (more > 0 ? `; and ${more} more in the result file` : '');
  return `disturbed by the generator, the true figures lie between: ${list}`;
}

function endText(ns: number): string {
  return ns === Infinity ? 'failed' : formatDuration(ns);
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
  const possible = callMetricsOf(transportOf(result.target)).filter((name) => name !== 'call.response');
  const parts = new Set<string>(['queue.wait', 'call.connect', 'schedule.lag']);
  const rows = [
    ...possible.filter((name) => !parts.has(name)),
    ...possible.filter((name) => parts.has(name) && matters(name)),
  ].flatMap((name) => rowOf(result, name));
  if (!response) return rows;
  return [
    ...rowOf(result, 'call.response'),
    ...withFailures(response, failedCalls(result.totals.outcomes), pausesOver(result.phases)),
    ...rows,
  ];
}

/** The parts of the handshake in their order, without the prefix. */
export function handshakeRows(result: RunResult): LatencyRow[] {
  return handshakeMetricsOf(transportOf(result.target)).flatMap((name) =>
    rowOf(result, name).map((row) => ({ ...row, name: stepOf(name) })),
  );
}

function stepOf(metric: HandshakeMetric): string {
  return metric.slice('handshake.'.length);
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
  const pauses = pausesOver(result.phases);
  return result.operations.map(({ name, callsPerSec, outcomes }) => {
    const metric = result.metrics[metricKey('call.response', name)];
    const failed = failedCalls(outcomes);
    return {
      name,
      ok: outcomes.ok,
      failed,
      callsPerSec,
      response: metric && metric.count > 0 ? latencyRow(name, metric) : null,
      withFailures: (metric && withFailures(metric, failed, pauses)[0]) ?? null,
    };
  });
}

/** A metric as a row. */
export function latencyRow(name: string, metric: Metric): LatencyRow {
  const cells = percentiles.map(({ percentile, key }) => ({
    ns: metric[key],
    weak: !hasEnoughSamples(percentile, metric.count),
    between: metric.disturbed?.includes(key)
      ? { low: metric.low![key], high: metric.high?.[key] ?? metric[key] }
      : null,
  }));
  return { name, count: metric.count, cells: [...cells, { ns: metric.max, weak: false, between: null }] };
}

/** The row in which failed calls are slower than all others, where that makes a difference that can be seen. */
function withFailures(ok: Metric, failed: number, pauses: Pauses): LatencyRow[] {
  if (failed === 0) return [];
  const times = timesOf(ok);
  const count = ok.count + failed;
  const cells = percentiles.map(({ percentile }) => {
    const ends = percentileEnds(times, failed, percentile, pauses);
    return {
      ns: ends.seen,
      weak: !hasEnoughSamples(percentile, count),
      between: isDisturbed(ends) ? ends : null,
    };
  });
  const differs = percentiles.some(({ key }, index) => Math.abs(cells[index]!.ns / ok[key] - 1) > 0.005);
  return differs
    ? [{ name: 'with failures', count, cells: [...cells, { ns: Infinity, weak: false, between: null }] }]
    : [];
}

function rowOf(result: RunResult, name: string): LatencyRow[] {
  const metric = result.metrics[name];
  return metric && metric.count > 0 ? [latencyRow(name, metric)] : [];
}

function hasBursts(result: RunResult): boolean {
  return result.scenario.phases.some((phase) => phase.load.model === 'burst');
}
