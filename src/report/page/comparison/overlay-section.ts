import type { Comparison } from '../../../compare/comparison.js';
import type { RunResult } from '../../../result/result.js';
import { decodeV2, fromHdr } from '../../../stats/hdr.js';
import { Histogram, type HistogramSnapshot } from '../../../stats/histogram.js';
import { markup, type Content } from '../markup.js';
import type { ChartData, SeriesData } from '../page-data.js';
import { percentileCurves } from '../run/percentile-curves.js';
import { chartFigure, type Section } from '../section.js';

const mostRuns = 12;
const parts = [
  { metric: 'call.service', name: 'Service' },
  { metric: 'call.ack', name: 'Ack' },
  { metric: 'call.ackToEvent', name: 'Ack to event' },
];

/** Both sides of a comparison, run by run. */
export interface ComparedSides {
  comparison: Comparison;
  base: readonly RunResult[];
  head: readonly RunResult[];
}

/** The percentiles of both sides in one chart: all calls of a side as a line, each run faintly behind it. */
export function overlaySection(sides: ComparedSides): Section | null {
  const response = overlayChart('overlay', 'call.response', 360, sides);
  if (response === null) return null;
  const details = parts.flatMap(({ metric, name }) => {
    const chart = overlayChart(`overlay-${metric.replace('.', '-')}`, metric, 240, sides);
    return chart === null ? [] : [{ chart, name }];
  });
  return {
    id: 'percentiles',
    title: 'Latency by percentile',
    charts: [response, ...details.map(({ chart }) => chart)],
    body: markup`${figureOf(response, 'Response')}
${details.length > 0 && markup`<details><summary>Where the change comes from: ${details.map(({ name }) => name.toLowerCase()).join(', ')}</summary>${details.map(({ chart, name }) => figureOf(chart, name))}</details>`}`,
  };
}

function figureOf(chart: ChartData, name: string): Content {
  return chartFigure(
    chart,
    name,
    `${name} by percentile on both sides; the arrow keys move along it, and the table of changes holds the main figures`,
  );
}

function overlayChart(
  id: string,
  metric: string,
  heightPx: number,
  { comparison, base, head }: ComparedSides,
): ChartData | null {
  const sides = [
    { name: comparison.base.label, colour: 1, runs: histogramsOf(base, metric) },
    { name: comparison.head.label, colour: 2, dash: [8, 3], runs: histogramsOf(head, metric) },
  ];
  if (sides.some(({ runs }) => runs.length === 0)) return null;
  const lines = sides.flatMap(({ runs, ...line }): [HistogramSnapshot, Omit<SeriesData, 'values'>][] => [
    ...(runs.length === 1 ? [] : runs.slice(0, mostRuns)).map(
      (run, at): [HistogramSnapshot, Omit<SeriesData, 'values'>] => [
        run,
        { name: `${line.name} ${at + 1}`, colour: line.colour, thin: true, partOf: line.name },
      ],
    ),
    [sumOf(runs), line],
  ]);
  const { x, values } = percentileCurves(lines.map(([histogram]) => ({ histogram })));
  return {
    id,
    heightPx,
    x: { unit: 'percentile', values: x, labelled: true },
    y: { unit: 'ns', log: true },
    series: lines.map(([, line], at) => ({ ...line, values: values[at]! })),
    bands: [],
    group: null,
  };
}

function histogramsOf(runs: readonly RunResult[], metric: string): HistogramSnapshot[] {
  return runs.flatMap((run) => {
    const found = run.metrics[metric];
    return found && found.count > 0 ? [fromHdr(decodeV2(found.hdr))] : [];
  });
}

function sumOf(histograms: readonly HistogramSnapshot[]): HistogramSnapshot {
  const sum = new Histogram();
  for (const histogram of histograms) sum.add(histogram);
  return sum.snapshot();
}
