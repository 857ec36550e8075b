import { outcomeKinds } from '../../result/conservation.js';
import { parseMetricKey } from '../../stats/metric-key.js';
import type { Metric, Outcomes, RunResult } from '../../result/result.js';
import { targetAddress } from '../../result/target-address.js';
import { varietyOf } from '../../result/transport-of.js';
import { decodeV2, fromHdr } from '../../stats/hdr.js';
import { bucketBoundsNs, cumulativeCounts } from './latency-buckets.js';
import { oneLine } from '../../text/one-line.js';

type Labels = Record<string, string | null>;
type Sample = { suffix?: string; labels?: Labels; value: number };
type Family = { name: string; type: 'gauge' | 'counter' | 'histogram'; help: string; samples: Sample[] };

/** A run in Prometheus's text format (0.0.4), times in seconds: for a Pushgateway or the node exporter's textfile collector. */
export function prometheusReport(result: RunResult): string {
  const scenario = result.name;
  return [...runFamilies(result), ...callFamilies(result), ...latencyFamilies(result)]
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const full = `mcp_bench_${name}`;
      const lines = samples.map(
        ({ suffix = '', labels = {}, value }) =>
          `${full}${suffix}${labelText({ scenario, ...labels })} ${numberText(value)}`,
      );
      return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines].join('\n') + '\n';
    })
    .join('');
}

function runFamilies(result: RunResult): Family[] {
  const { environment, target, sessions, totals } = result;
  const variety = varietyOf(target);
  const info = {
    url: targetAddress(target),
    transport: target.transport,
    era: target.era,
    [variety.name]: variety.value ?? '',
    server: target.server ? `${target.server.name} ${target.server.version}` : '',
    version: result.tool.version,
    node: environment.node,
    git: environment.git ?? '',
    ended: result.ended,
  };
  return [
    gauge('run_info', 'What was run, and how it ended.', [{ labels: info, value: 1 }]),
    gauge('run_start_time_seconds', 'When the measurement began.', [
      { value: Date.parse(result.startedAt) / 1000 },
    ]),
    gauge('run_duration_seconds', 'Length of the measured phases.', [{ value: result.durationMs / 1000 }]),
    gauge('run_valid', 'Whether the figures may be believed.', [
      { value: result.validity.state === 'valid' ? 1 : 0 },
    ]),
    gauge(
      'availability_ratio',
      'Share of the observed time in which the target answered.',
      totals.availability?.share == null ? [] : [{ value: totals.availability.share }],
    ),
    gauge(
      'sessions_ready_ratio',
      'Share of the wanted session-time in which sessions were ready.',
      totals.availability?.sessionsReady == null ? [] : [{ value: totals.availability.sessionsReady }],
    ),
    gauge(
      'sessions',
      'Sessions by what became of them.',
      (['opened', 'ready', 'failed', 'dropped', 'reconnects', 'closed', 'abandoned'] as const).map(
        (state) => ({
          labels: { state },
          value: sessions[state],
        }),
      ),
    ),
    counter('received_bytes_total', 'Bytes received.', [{ value: totals.bytesIn }]),
    counter('sent_bytes_total', 'Bytes sent.', [{ value: totals.bytesOut }]),
    gauge(
      'threshold_passed',
      'Whether a threshold holds, where that is decided.',
      result.thresholds
        .filter(({ state }) => state !== 'undecided')
        .map(({ metric, rule, state }) => ({ labels: { metric, rule }, value: state === 'pass' ? 1 : 0 })),
    ),
    gauge(
      'threshold_undecided',
      'Whether the measurement could not decide a threshold, which is then neither passed nor failed.',
      result.thresholds.map(({ metric, rule, state }) => ({
        labels: { metric, rule },
        value: state === 'undecided' ? 1 : 0,
      })),
    ),
  ];
}

function callFamilies(result: RunResult): Family[] {
  const { totals, operations } = result;
  const { resources } = result.target;
  return [
    counter('calls_started_total', 'Calls started.', [{ value: totals.started }]),
    counter('calls_total', 'Calls by outcome.', outcomeSamples(totals.outcomes, {})),
    counter(
      'tool_calls_total',
      'Calls by tool and outcome.',
      operations.flatMap(({ name, outcomes }) => outcomeSamples(outcomes, { tool: name })),
    ),
    gauge('calls_per_second', 'Calls answered well, per second.', [{ value: totals.callsPerSec }]),
    gauge(
      'offered_calls_per_second',
      'Calls offered by an open loop, per second.',
      totals.offeredPerSec === null ? [] : [{ value: totals.offeredPerSec }],
    ),
    gauge(
      'target_cpu_seconds',
      'CPU that the processes of the target used while it was measured.',
      resources ? [{ value: resources.cpuMs / 1000 }] : [],
    ),
    gauge(
      'target_memory_peak_bytes',
      'Resident memory of the processes of the target at its highest.',
      resources ? [{ value: resources.peakBytes }] : [],
    ),
    counter(
      'oddities_total',
      'What came that no call asked for.',
      Object.entries(totals.oddities).flatMap(([kind, counted]): Sample[] =>
        typeof counted === 'number'
          ? [{ labels: { kind }, value: counted }]
          : Object.entries(counted as Record<string, number>).map(([method, value]) => ({
              labels: { kind, method },
              value,
            })),
      ),
    ),
  ];
}

/** Those of single tools are a family of their own, or a sum over all series would count each call twice. */
function latencyFamilies(result: RunResult): Family[] {
  const metrics = Object.entries(result.metrics)
    .filter(([, metric]) => metric.count > 0)
    .map(([key, metric]) => {
      const { name, tool } = parseMetricKey(key);
      return { labels: { metric: name, tool }, metric };
    });
  const overall = metrics.filter(({ labels }) => labels.tool === null);
  const byTool = metrics.filter(({ labels }) => labels.tool !== null);
  return [
    histogram('latency_seconds', 'Times of calls and handshakes.', overall),
    histogram('tool_latency_seconds', 'Times of calls by tool.', byTool),
    quantiles('latency_quantile_seconds', 'Percentiles of the times; quantile 1 is the maximum.', overall),
    quantiles('tool_latency_quantile_seconds', 'Percentiles of the times by tool.', byTool),
    ends('latency_quantile_end_seconds', 'The two ends between which a disturbed percentile lies.', overall),
    ends('tool_latency_quantile_end_seconds', 'The same by tool.', byTool),
  ];
}

type Labelled = { labels: Labels; metric: Metric };

function histogram(name: string, help: string, metrics: Labelled[]): Family {
  const samples = metrics.flatMap(({ labels, metric }) => [
    ...cumulativeCounts(fromHdr(decodeV2(metric.hdr))).map((value, index) => ({
      suffix: '_bucket',
      labels: { ...labels, le: numberText(seconds(bucketBoundsNs[index]!)) },
      value,
    })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: metric.count },
    { suffix: '_sum', labels, value: seconds(metric.mean * metric.count) },
    { suffix: '_count', labels, value: metric.count },
  ]);
  return { name, type: 'histogram', help, samples };
}

const quantileOf = { p50: '0.5', p90: '0.9', p95: '0.95', p99: '0.99', p999: '0.999' } as const;

function quantiles(name: string, help: string, metrics: Labelled[]): Family {
  const figures = { ...quantileOf, max: '1' } as const;
  const samples = metrics.flatMap(({ labels, metric }) =>
    Object.entries(figures).map(([figure, quantile]) => ({
      labels: { ...labels, quantile },
      value: seconds(metric[figure as keyof typeof figures]),
    })),
  );
  return gauge(name, help, samples);
}

function ends(name: string, help: string, metrics: Labelled[]): Family {
  const samples = metrics.flatMap(({ labels, metric }) =>
    (metric.disturbed ?? []).flatMap((figure) =>
      (['low', 'high'] as const).map((end) => ({
        labels: { ...labels, quantile: quantileOf[figure], end },
        value: seconds(metric[end]?.[figure] ?? metric[figure]),
      })),
    ),
  );
  return gauge(name, help, samples);
}

function outcomeSamples(outcomes: Outcomes, labels: Labels): Sample[] {
  return outcomeKinds(outcomes).map(({ outcome, code, count }) => ({
    labels: { ...labels, outcome, code },
    value: count,
  }));
}

function gauge(name: string, help: string, samples: Sample[]): Family {
  return { name, type: 'gauge', help, samples };
}

function counter(name: string, help: string, samples: Sample[]): Family {
  return { name, type: 'counter', help, samples };
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}="${escapeLabel(value!)}"`);
  return `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return oneLine(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return Number.isFinite(value) ? String(value) : 'NaN';
}

/** Whole nanoseconds, so that 1.5e-5 does not come out as 0.000015000000000000002. */
function seconds(ns: number): number {
  return Number((ns / 1e9).toPrecision(12));
}
