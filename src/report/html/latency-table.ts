import { samplesNeeded } from '../../result/percentile-needs.js';
import { formatCount, formatDuration } from '../../result/units.js';
import { percentiles, type LatencyCell, type LatencyRow } from '../latency-rows.js';
import { markup, type Content, type Markup } from './markup.js';
import { dataTable, figure, word, type TableCell } from './table.js';

export const latencyColumns = [...percentiles.map(({ title }) => title), 'max'].map(figure);

/** Percentiles in columns, a footnote where some have too few samples. */
export function latencyTable(
  label: string,
  rows: readonly LatencyRow[],
  meanings: Readonly<Record<string, string>>,
): Markup {
  const cells = rows.map((row): TableCell[] => [
    { shown: nameOf(row.name, meanings[row.name]) },
    ...row.cells.map(latencyCell),
    { shown: formatCount(row.count) },
  ]);
  return markup`${dataTable(label, [word('metric'), ...latencyColumns, figure('calls')], [cells])}
${weakNote(rows)}`;
}

/** A figure with its unit; marked where it has too few samples to mean much. */
export function latencyCell({ ns, weak }: LatencyCell): TableCell {
  if (ns === Infinity) return { shown: markup`<span class="bad">failed</span>`, sortBy: 1e300 };
  const shown = duration(ns);
  return { shown: weak ? markup`<span class="weak">${shown}*</span>` : shown, sortBy: ns };
}

/** A duration whose figure and unit stay on one line. */
export function duration(ns: number): string {
  return formatDuration(ns).replaceAll(' ', '\u00a0');
}

/** What the asterisks mean, where there are any. */
export function weakNote(rows: readonly LatencyRow[]): Content {
  const marked = percentiles.filter((_, at) => rows.some(({ cells }) => cells[at]?.weak));
  if (marked.length === 0) return null;
  const needs = marked.map(
    ({ title, percentile }) => `${title} needs ${formatCount(samplesNeeded(percentile))}`,
  );
  return markup`<p class="note">* too few samples to mean much: ${needs.join(', ')}.</p>`;
}

function nameOf(name: string, meaning: string | undefined): Content {
  if (meaning === undefined) return name;
  return markup`${name}<small>${meaning}</small>`;
}
