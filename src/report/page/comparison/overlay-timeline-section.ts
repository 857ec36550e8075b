import { median } from '../../../compare/median.js';
import type { Interval, RunResult } from '../../../result/result.js';
import { formatRate } from '../../../result/units.js';
import { duration } from '../run/latency-table.js';
import { markup, type Markup } from '../markup.js';
import type { ComparedSides } from './overlay-section.js';
import type { ChartData } from '../page-data.js';
import { roundFigure } from '../round-figure.js';
import { chartFigure, type Section } from '../section.js';
import { figure, foldedTable } from '../table.js';

const mostPoints = 240;

/** Both sides second by second, each the median of its runs: did it differ all along, or at one moment? */
export function overlayTimelineSection({ comparison, base, head }: ComparedSides): Section | null {
  const seconds = Math.max(0, ...[...base, ...head].map(({ durationMs }) => Math.ceil(durationMs / 1000)));
  const step = Math.max(1, Math.ceil(seconds / mostPoints));
  const count = Math.ceil(seconds / step);
  const line = (
    runs: readonly RunResult[],
    reading: (interval: Interval) => number | null,
  ): (number | null)[] => mediansOf(runs, reading, count, step);
  const middles = Array.from({ length: count }, (_, at) => (at + 0.5) * step);
  const chart = (
    id: string,
    y: ChartData['y'],
    reading: (interval: Interval) => number | null,
  ): ChartData => ({
    id,
    heightPx: 190,
    x: { unit: 'seconds', values: middles, labelled: id === 'both-p99' },
    y,
    series: [
      { name: comparison.base.label, colour: 1, values: line(base, reading) },
      { name: comparison.head.label, colour: 2, values: line(head, reading), dash: [8, 3] },
    ],
    bands: [],
    group: 'time',
  });
  const charts = [
    chart(
      'both-throughput',
      { unit: 'perSec', log: false },
      ({ totals, durationMs }) => (totals.ok * 1000) / Math.max(1, durationMs),
    ),
    chart('both-p50', { unit: 'ns', log: true }, responseOf('p50')),
    chart('both-p99', { unit: 'ns', log: true }, responseOf('p99')),
  ];
  if (charts.some(({ series }) => series.some(({ values }) => values.every((value) => value === null))))
    return null;
  return {
    id: 'timeline',
    title: 'Timeline',
    charts,
    body: markup`<p class="note zoom">Drag over a chart to zoom in, double-click to zoom out.</p>
${charts.map((chart) => chartFigure(chart, captions[chart.id]!, `${captions[chart.id]} over time on both sides; the arrow keys move along it, and the table below holds all figures`))}
${tableOf(charts)}`,
  };
}

const captions: Record<string, string> = {
  'both-throughput': 'Calls per second',
  'both-p50': 'Response p50',
  'both-p99': 'Response p99',
};

function tableOf(charts: readonly ChartData[]): Markup {
  const lines = charts.flatMap(({ series, y, id }) =>
    series.map(({ name, values }) => ({ title: `${titles[id]} ${name}`, values, unit: y.unit })),
  );
  const rows = charts[0]!.x.values.map((sec, at) => [
    { shown: `${sec} s` },
    ...lines.map(({ values, unit }) => {
      const value = values[at] ?? null;
      return { shown: value === null ? '–' : unit === 'ns' ? duration(value) : formatRate(value) };
    }),
  ]);
  return foldedTable(
    'The timeline as a table',
    [figure('at'), ...lines.map(({ title }) => figure(title))],
    rows,
  );
}

const titles: Record<string, string> = { 'both-throughput': 'calls/s', 'both-p50': 'p50', 'both-p99': 'p99' };

function responseOf(key: 'p50' | 'p99'): (interval: Interval) => number | null {
  return ({ metrics }) => {
    const response = metrics['call.response'];
    return response && response.count > 0 ? response[key] : null;
  };
}

function mediansOf(
  runs: readonly RunResult[],
  reading: (interval: Interval) => number | null,
  count: number,
  stepSec: number,
): (number | null)[] {
  const found: number[][] = Array.from({ length: count }, () => []);
  for (const { intervals, durationMs } of runs)
    for (const interval of intervals) {
      // What is left after the end is a drain, and no second of the load.
      if (interval.atMs >= durationMs) continue;
      const value = reading(interval);
      if (value !== null) found[Math.floor(interval.atMs / 1000 / stepSec)]?.push(value);
    }
  return found.map((values) => (values.length === 0 ? null : roundFigure(median(values))));
}
