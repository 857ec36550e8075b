import { outcomeKinds } from '../../result/conservation.js';
import { parseMetricKey } from '../../stats/metric-key.js';
import type { Metric, RunResult } from '../../result/result.js';
import { targetAddress } from '../../result/target-address.js';
import { varietyOf } from '../../result/transport-of.js';
import { decodeV2, fromHdr } from '../../stats/hdr.js';
import { bucketBoundsNs, cumulativeCounts } from './latency-buckets.js';
import { printableJson } from '../../text/one-line.js';

type Attributes = Record<string, string | null>;
type Point = Record<string, unknown>;

const delta = 1;

/** A run as the JSON body of an OTLP/HTTP metrics export (POST …/v1/metrics): totals, histograms in seconds, and a timeline of gauges. */
export function otlpReport(result: RunResult): string {
  const metrics = [...totals(result), ...latencies(result), ...timeline(result)].filter(
    (metric) => metric.points.length > 0,
  );
  const body = JSON.stringify({
    resourceMetrics: [
      {
        resource: { attributes: attributes(resourceOf(result)) },
        scopeMetrics: [
          {
            scope: { name: result.tool.name, version: result.tool.version },
            metrics: metrics.map(({ name, unit, description, kind, points }) => ({
              name: `mcp_bench.${name}`,
              unit,
              description,
              [kind]: {
                ...(kind === 'gauge' ? {} : { aggregationTemporality: delta }),
                ...(kind === 'sum' ? { isMonotonic: true } : {}),
                dataPoints: points,
              },
            })),
          },
        ],
      },
    ],
  });
  return printableJson(body);
}

interface OtlpMetric {
  name: string;
  unit: string;
  description: string;
  kind: 'sum' | 'gauge' | 'histogram';
  points: Point[];
}

function resourceOf(result: RunResult): Attributes {
  const { environment, target, tool } = result;
  const variety = varietyOf(target);
  const tags = Object.entries(environment.tags).map(([key, value]) => [`mcp_bench.tag.${key}`, value]);
  return {
    'service.name': tool.name,
    'service.version': tool.version,
    'host.name': environment.hostname,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': environment.node,
    'mcp_bench.scenario': result.name,
    'mcp_bench.scenario.hash': result.scenarioHash,
    'mcp_bench.target.url': targetAddress(target),
    'mcp_bench.target.transport': target.transport,
    'mcp_bench.target.era': target.era,
    [`mcp_bench.target.${variety.name}`]: variety.value,
    'mcp_bench.validity': result.validity.state,
    'mcp_bench.ended': result.ended,
    'mcp_bench.git': environment.git,
    ...Object.fromEntries(tags),
  };
}

function totals(result: RunResult): OtlpMetric[] {
  const span = spanOf(result);
  const decided = result.thresholds.filter(({ state }) => state !== 'undecided');
  const count = (value: number, labels: Attributes): Point => ({
    attributes: attributes(labels),
    ...span,
    asInt: String(value),
  });
  const share = result.totals.availability?.share ?? null;
  const { resources } = result.target;
  return [
    {
      name: 'calls',
      unit: '{call}',
      description: 'Calls by outcome.',
      kind: 'sum',
      points: outcomeKinds(result.totals.outcomes).map((kind) =>
        count(kind.count, { outcome: kind.outcome, code: kind.code }),
      ),
    },
    {
      name: 'tool.calls',
      unit: '{call}',
      description: 'Calls by tool and outcome.',
      kind: 'sum',
      points: result.operations.flatMap(({ name, outcomes }) =>
        outcomeKinds(outcomes).map((kind) =>
          count(kind.count, { tool: name, outcome: kind.outcome, code: kind.code }),
        ),
      ),
    },
    {
      name: 'io',
      unit: 'By',
      description: 'Bytes over the wire.',
      kind: 'sum',
      points: [
        count(result.totals.bytesIn, { direction: 'receive' }),
        count(result.totals.bytesOut, { direction: 'transmit' }),
      ],
    },
    {
      name: 'sessions',
      unit: '{session}',
      description: 'Sessions by what became of them.',
      kind: 'sum',
      points: (['opened', 'ready', 'failed', 'dropped', 'abandoned'] as const).map((state) =>
        count(result.sessions[state], { state }),
      ),
    },
    {
      name: 'availability',
      unit: '1',
      description: 'Share of the observed time in which the target answered.',
      kind: 'gauge',
      points: share === null ? [] : [{ attributes: [], timeUnixNano: span.timeUnixNano, asDouble: share }],
    },
    ...(
      [
        [
          'target.cpu.time',
          's',
          'CPU that the processes of the target used.',
          (resources?.cpuMs ?? 0) / 1000,
        ],
        [
          'target.memory.peak',
          'By',
          'Resident memory of the target at its highest.',
          resources?.peakBytes ?? 0,
        ],
      ] as const
    ).map(([name, unit, description, value]): OtlpMetric => ({
      name,
      unit,
      description,
      kind: 'gauge',
      points: resources ? [{ attributes: [], timeUnixNano: span.timeUnixNano, asDouble: value }] : [],
    })),
    {
      name: 'threshold.passed',
      unit: '1',
      description: 'Whether a threshold holds, where that is decided.',
      kind: 'gauge',
      points: decided.map(({ metric, rule, state }) => ({
        attributes: attributes({ metric, rule }),
        timeUnixNano: span.timeUnixNano,
        asInt: state === 'pass' ? '1' : '0',
      })),
    },
    {
      name: 'threshold.undecided',
      unit: '1',
      description:
        'Whether the measurement could not decide a threshold, which is then neither passed nor failed.',
      kind: 'gauge',
      points: result.thresholds.map(({ metric, rule, state }) => ({
        attributes: attributes({ metric, rule }),
        timeUnixNano: span.timeUnixNano,
        asInt: state === 'undecided' ? '1' : '0',
      })),
    },
  ];
}

function latencies(result: RunResult): OtlpMetric[] {
  const metrics = Object.entries(result.metrics)
    .filter(([, metric]) => metric.count > 0)
    .map(([key, metric]) => ({ ...parseMetricKey(key), metric }));
  const points = (byTool: boolean): Point[] =>
    metrics
      .filter(({ tool }) => (tool !== null) === byTool)
      .map(({ name, tool, metric }) => histogramPoint(result, { metric: name, tool }, metric));
  const histogram = { unit: 's', kind: 'histogram' } as const;
  return [
    { ...histogram, name: 'latency', description: 'Times of calls and handshakes.', points: points(false) },
    { ...histogram, name: 'tool.latency', description: 'Times of calls by tool.', points: points(true) },
    {
      name: 'latency.end',
      unit: 's',
      kind: 'gauge',
      description: 'The two ends between which a disturbed percentile lies.',
      points: metrics.flatMap(({ name, tool, metric }) =>
        (metric.disturbed ?? []).flatMap((percentile) =>
          (['low', 'high'] as const).map((end) => ({
            attributes: attributes({ metric: name, tool, percentile, end }),
            timeUnixNano: spanOf(result).timeUnixNano,
            asDouble: (metric[end]?.[percentile] ?? metric[percentile]) / 1e9,
          })),
        ),
      ),
    },
  ];
}

function histogramPoint(result: RunResult, labels: Attributes, metric: Metric): Point {
  const upTo = [...cumulativeCounts(fromHdr(decodeV2(metric.hdr))), metric.count];
  return {
    attributes: attributes(labels),
    ...spanOf(result),
    count: String(metric.count),
    sum: (metric.mean * metric.count) / 1e9,
    bucketCounts: upTo.map((count, index) => String(count - (upTo[index - 1] ?? 0))),
    explicitBounds: bucketBoundsNs.map((ns) => ns / 1e9),
    min: metric.min / 1e9,
    max: metric.max / 1e9,
  };
}

/** What a dashboard draws: one point per second of the run. */
function timeline(result: RunResult): OtlpMetric[] {
  const gauge = (
    name: string,
    unit: string,
    description: string,
    value: (interval: RunResult['intervals'][number]) => number | undefined,
  ): OtlpMetric => ({
    name: `interval.${name}`,
    unit,
    description,
    kind: 'gauge',
    points: result.intervals.flatMap((interval) => {
      const figure = value(interval);
      if (figure === undefined) return [];
      return [
        {
          attributes: [],
          timeUnixNano: timeAt(result, interval.atMs + interval.durationMs),
          asDouble: figure,
        },
      ];
    }),
  });
  const perSec = (count: number, durationMs: number): number => (count * 1000) / Math.max(1, durationMs);
  return [
    gauge('ok', '{call}/s', 'Calls that ended ok, per second.', (at) => perSec(at.totals.ok, at.durationMs)),
    gauge('failed', '{call}/s', 'Calls that failed, per second.', (at) =>
      perSec(at.totals.failed, at.durationMs),
    ),
    gauge('in_flight', '{call}', 'Calls in flight.', (at) => at.totals.inFlight),
    gauge('sessions_ready', '{session}', 'Sessions ready.', (at) => at.totals.sessionsReady),
    gauge('response_p50', 's', 'Median of call.response.', (at) =>
      secondsOf(at.metrics['call.response']?.p50),
    ),
    gauge('response_p99', 's', 'p99 of call.response.', (at) => secondsOf(at.metrics['call.response']?.p99)),
  ];
}

function secondsOf(ns: number | undefined): number | undefined {
  return ns === undefined ? undefined : ns / 1e9;
}

function spanOf(result: RunResult): { startTimeUnixNano: string; timeUnixNano: string } {
  return { startTimeUnixNano: timeAt(result, 0), timeUnixNano: timeAt(result, result.durationMs) };
}

/** 64-bit integers are strings in OTLP's JSON, and do not fit a double. */
function timeAt(result: RunResult, afterMs: number): string {
  return String(BigInt(Math.round(Date.parse(result.startedAt) + afterMs)) * 1_000_000n);
}

function attributes(values: Attributes): { key: string; value: Record<string, unknown> }[] {
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ({ key, value: { stringValue: value } }));
}
