import { failedCalls } from '../../../result/conservation.js';
import { samplesNeeded } from '../../../result/percentile-needs.js';
import type { RunResult } from '../../../result/result.js';
import { transportOf } from '../../../result/transport-of.js';
import { decodeV2, fromHdr } from '../../../stats/hdr.js';
import { callRows } from '../../run/latency-rows.js';
import { factsList } from '../facts-list.js';
import { latencyTable } from './latency-table.js';
import { markup } from '../markup.js';
import type { BandData, ChartData, SeriesData } from '../page-data.js';
import { percentileCurves, type CurveSource } from './percentile-curves.js';
import { chartFigure, type Section } from '../section.js';

const lines = [
  { metric: 'call.response', name: 'response', colour: 1 },
  { metric: 'call.service', name: 'service', colour: 2, dash: [8, 3] },
  { metric: 'call.ack', name: 'ack', colour: 3, dash: [2, 2] },
  { metric: 'call.ackToEvent', name: 'ack to event', colour: 4, dash: [10, 3, 2, 3] },
];

/** How long calls took: the percentiles as curves, then as a table. */
export function percentileSection(result: RunResult): Section | null {
  const rows = callRows(result);
  if (rows.length === 0) return null;
  const chart = percentileChart(result);
  const meanings = meaningsOf(result);
  return {
    id: 'latency',
    title: 'Latency',
    charts: chart.series.length > 0 ? [chart] : [],
    body: markup`${
      chart.series.length > 0 &&
      chartFigure(
        chart,
        'Latency by percentile. Each step to the right is one more nine: a tenth as many calls are slower.',
        'Latency by percentile; the arrow keys move along it, and the table below holds the main figures',
      )
    }
${latencyTable('Latency of calls', rows, meanings)}
<details class="narrow"><summary>What the metrics measure</summary>${factsList(
      rows.flatMap(({ name }) => (meanings[name] ? [[name, meanings[name]] as const] : [])),
    )}</details>`,
  };
}

/** What each metric measures, in the words of a reader who has not seen the documentation. */
function meaningsOf({ target }: RunResult): Readonly<Record<string, string>> {
  return {
    ...transportOf(target).words.times,
    'with failures': 'every failed call counted as slower than any other',
  };
}

function percentileChart(result: RunResult): ChartData {
  const { values, series, x } = curvesOf(result);
  return {
    id: 'percentiles',
    heightPx: 360,
    x: { unit: 'percentile', values: x, labelled: true },
    y: { unit: 'ns', log: true },
    series: series.map((line, at) => ({ ...line, values: values[at]! })),
    bands: weakBand(result, x.at(-1) ?? 1),
    group: null,
  };
}

function curvesOf(result: RunResult): ReturnType<typeof percentileCurves> & {
  series: Omit<SeriesData, 'values'>[];
} {
  const sources: CurveSource[] = [];
  const series: Omit<SeriesData, 'values'>[] = [];
  for (const { metric, ...line } of lines) {
    const found = result.metrics[metric];
    if (!found || found.count === 0) continue;
    const histogram = fromHdr(decodeV2(found.hdr));
    sources.push({ histogram });
    series.push(line);
    const failed = failedCalls(result.totals.outcomes);
    if (metric !== 'call.response' || failed === 0) continue;
    sources.push({ histogram, failed });
    series.push({ name: 'response, failures slowest', colour: 5, dash: [3, 3] });
  }
  return { ...percentileCurves(sources), series };
}

/** Beyond this a percentile has fewer samples above it than it needs. */
function weakBand(result: RunResult, end: number): BandData[] {
  const count = result.metrics['call.response']?.count ?? 0;
  const from = Math.max(1, count / samplesNeeded(0));
  return from < end ? [{ from, to: end, label: 'too few samples', shaded: true }] : [];
}
