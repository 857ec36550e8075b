import type { RunResult } from '../../../result/result.js';
import { decodeV2, fromHdr } from '../../../stats/hdr.js';
import { metricKey } from '../../../stats/metric-key.js';
import { oneLine } from '../../../text/one-line.js';
import { formatCount, formatRate } from '../../../result/units.js';
import { operationRows, type OperationRow } from '../../run/latency-rows.js';
import { latencyCell, latencyColumns, weakNote } from './latency-table.js';
import { markup } from '../markup.js';
import type { ChartData } from '../page-data.js';
import { chartFigure, type Section } from '../section.js';
import { percentileCurves } from './percentile-curves.js';
import { dataTable, figure, word, type TableCell, type TableGroup } from '../table.js';

/** One row per tool or other operation, sorted as the reader likes. */
export function toolSection(result: RunResult): Section | null {
  const rows = operationRows(result);
  if (rows.length === 0) return null;
  const chart = toolChart(result);
  const columns = [word('tool'), figure('ok'), figure('failed'), figure('calls/s'), ...latencyColumns];
  return {
    id: 'tools',
    title: 'Tools',
    charts: chart === null ? [] : [chart],
    body: markup`${
      chart !== null &&
      chartFigure(
        chart,
        'Response time by percentile, a line for each tool.',
        'Response time of each tool by percentile; the arrow keys move along it, and the table below holds the main figures',
      )
    }
${dataTable('Response time by tool', columns, rows.map(groupOf), { sorts: true })}
${weakNote(rows.flatMap(({ response }) => response ?? []))}`,
  };
}

const mostLines = 6;
const dashes = [[], [8, 3], [2, 2], [10, 3, 2, 3], [5, 5], [1, 4]];

/** The tools that are called most, as many as there are colours; null where there is but one, which the curve of all calls shows. */
function toolChart(result: RunResult): ChartData | null {
  const timed = result.operations
    .flatMap(({ name }) => {
      const metric = result.metrics[metricKey('call.response', name)];
      return metric && metric.count > 0 ? [{ name, histogram: fromHdr(decodeV2(metric.hdr)) }] : [];
    })
    .sort((a, b) => b.histogram.count - a.histogram.count)
    .slice(0, mostLines);
  if (timed.length < 2) return null;
  const { x, values } = percentileCurves(timed);
  return {
    id: 'tool-percentiles',
    heightPx: 300,
    x: { unit: 'percentile', values: x, labelled: true },
    y: { unit: 'ns', log: true },
    series: timed.map(({ name }, at) => ({
      name: oneLine(name),
      colour: at + 1,
      dash: dashes[at]!,
      values: values[at]!,
    })),
    bands: [],
    group: null,
  };
}

function groupOf({ name, ok, failed, callsPerSec, response, withFailures }: OperationRow): TableGroup {
  const first: TableCell[] = [
    { shown: name },
    { shown: formatCount(ok), sortBy: ok },
    { shown: failed > 0 ? markup`<span class="bad">${formatCount(failed)}</span>` : '0', sortBy: failed },
    { shown: formatRate(callsPerSec), sortBy: callsPerSec },
    // A tool without a single good call is the slowest of all.
    ...(response?.cells.map(latencyCell) ?? latencyColumns.map(() => ({ shown: '–', sortBy: 1e300 }))),
  ];
  if (withFailures === null) return [first];
  const empty: TableCell = { shown: '' };
  return [
    first,
    [{ shown: markup`<em>with failures</em>` }, empty, empty, empty, ...withFailures.cells.map(latencyCell)],
  ];
}
