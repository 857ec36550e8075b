import { outcomeKinds } from '../../result/conservation.js';
import { parseMetricKey } from '../../stats/metric-key.js';
import type { Metric, Outcomes, RunResult } from '../../result/result.js';
import { oneLine } from '../../text/one-line.js';

type Cell = string | number | null;

const endFigures = ['p50', 'p90', 'p95', 'p99', 'p999'] as const;
const latencyFigures = ['count', 'min', 'mean', 'p50', 'p90', 'p95', 'p99', 'p999', 'max'] as const;

/**
 * All totals and metrics of a run and its phases, one row each (RFC 4180, but lines end in LF). Counts and rates stand under `value`, times
 * in nanoseconds under the figure's name, and the two ends of disturbed ones under `p99.low` and `p99.high`.
 */
export function csvSummary(result: RunResult): string {
  const { totals, sessions } = result;
  const value = (
    scope: Cell,
    phase: Cell,
    metric: string,
    tool: Cell,
    unit: string,
    figure: Cell,
  ): Cell[] => [scope, phase, metric, tool, unit, figure];
  const rows: Cell[][] = [
    value('run', null, 'callsPerSec', null, '1/s', totals.callsPerSec),
    value('run', null, 'offeredPerSec', null, '1/s', totals.offeredPerSec),
    value('run', null, 'started', null, 'calls', totals.started),
    value('run', null, 'sent', null, 'calls', totals.sent),
    ...outcomeRows('run', null, null, totals.outcomes),
    value('run', null, 'bytesIn', null, 'bytes', totals.bytesIn),
    value('run', null, 'bytesOut', null, 'bytes', totals.bytesOut),
    value('run', null, 'availability', null, 'share', totals.availability?.share ?? null),
    value('run', null, 'sessions.readyShare', null, 'share', totals.availability?.sessionsReady ?? null),
    value('run', null, `target.transport:${result.target.transport}`, null, '1', 1),
    value('run', null, 'target.cpu', null, 'ms', result.target.resources?.cpuMs ?? null),
    value('run', null, 'target.peakMemory', null, 'bytes', result.target.resources?.peakBytes ?? null),
    ...(['opened', 'ready', 'failed', 'dropped', 'reconnects', 'abandoned'] as const).map((state) =>
      value('run', null, `sessions.${state}`, null, 'sessions', sessions[state]),
    ),
    ...result.operations.flatMap(({ name, callsPerSec, outcomes }) => [
      value('tool', null, 'callsPerSec', name, '1/s', callsPerSec),
      ...outcomeRows('tool', null, name, outcomes),
    ]),
    ...metricRows('run', null, result.metrics),
    ...result.phases.flatMap((phase) => [
      value('phase', phase.name, 'callsPerSec', null, '1/s', phase.totals.callsPerSec),
      ...outcomeRows('phase', phase.name, null, phase.totals.outcomes),
      ...metricRows('phase', phase.name, phase.metrics),
    ]),
  ];
  return csv([
    [
      'scope',
      'phase',
      'metric',
      'tool',
      'unit',
      'value',
      ...latencyFigures,
      ...endNames('low'),
      ...endNames('high'),
    ],
    ...rows,
  ]);
}

/** One row per interval of the run; times in nanoseconds. */
export function csvIntervals(result: RunResult): string {
  const keys = [...new Set(result.intervals.flatMap(({ metrics }) => Object.keys(metrics)))].sort();
  const figures = ['count', 'p50', 'p99', 'max'] as const;
  const counts = [
    'started',
    'ok',
    'failed',
    'notSent',
    'sessionsReady',
    'inFlight',
    'bytesIn',
    'bytesOut',
    'upMs',
    'downMs',
  ] as const;
  const rows = result.intervals.map(({ atMs, durationMs, totals, metrics }): Cell[] => [
    atMs,
    durationMs,
    ...counts.map((name) => totals[name] ?? null),
    ...keys.flatMap((key) => figures.map((figure) => metrics[key]?.[figure] ?? null)),
  ]);
  const header = keys.flatMap((key) => figures.map((figure) => `${key}.${figure}`));
  return csv([['atMs', 'durationMs', ...counts, ...header], ...rows]);
}

function outcomeRows(scope: string, phase: Cell, tool: Cell, outcomes: Outcomes): Cell[][] {
  return outcomeKinds(outcomes).map(({ key, count }) => [
    scope,
    phase,
    `outcome.${key.replace(' ', ':')}`,
    tool,
    'calls',
    count,
  ]);
}

function metricRows(scope: string, phase: Cell, metrics: Record<string, Metric>): Cell[][] {
  return Object.entries(metrics).map(([key, metric]) => {
    const { name, tool } = parseMetricKey(key);
    return [
      scope,
      phase,
      name,
      tool,
      metric.unit,
      null,
      ...latencyFigures.map((figure) => metric[figure]),
      ...endsOf(metric, 'low'),
      ...endsOf(metric, 'high'),
    ];
  });
}

function endNames(end: 'low' | 'high'): string[] {
  return endFigures.map((figure) => `${figure}.${end}`);
}

// Empty where the figure holds.
function endsOf(metric: Metric, end: 'low' | 'high'): Cell[] {
  return endFigures.map((figure) =>
    metric.disturbed?.includes(figure) ? (metric[end]?.[figure] ?? metric[figure]) : null,
  );
}

function csv(rows: readonly (readonly Cell[])[]): string {
  const width = rows[0]!.length;
  return rows
    .map((row) => Array.from({ length: width }, (_, index) => cellText(row[index] ?? null)).join(','))
    .map((line) => `${line}\n`)
    .join('');
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const line = oneLine(cell);
  // A spreadsheet would run text that begins like a formula.
  const text = /^[=+\-@]/.test(line) ? `'${line}` : line;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
