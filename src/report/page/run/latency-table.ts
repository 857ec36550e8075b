import { samplesNeeded } from '../../../result/percentile-needs.js';
import { formatCount, formatDuration } from '../../../result/units.js';
import { marksOf, percentiles, type LatencyCell, type LatencyRow } from '../../run/latency-rows.js';
import { markup, type Content, type Markup } from '../markup.js';
import { dataTable, figure, word, type TableCell } from '../table.js';

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

/** A figure with its unit; marked where it has too few samples to mean much, and where it is disturbed, with both ends. */
export function latencyCell(cell: LatencyCell): TableCell {
  const { ns, between } = cell;
  const failed = ns === Infinity;
  const marks = marksOf(cell);
  const shown = failed ? markup`<span class="bad">failed${marks}</span>` : `${duration(ns)}${marks}`;
  const figure = marks === '' || failed ? shown : markup`<span class="weak">${shown}</span>`;
  const ends =
    between === null
      ? figure
      : markup`${figure}<small>${duration(between.low)} to ${between.high === Infinity ? 'failed' : duration(between.high)}</small>`;
  return { shown: ends, sortBy: failed ? 1e300 : ns };
}

/** A duration whose figure and unit stay on one line. */
export function duration(ns: number): string {
  return formatDuration(ns).replaceAll(' ', '\u00a0');
}

/** What the marks mean, where there are any. */
export function weakNote(rows: readonly LatencyRow[]): Content {
  const marked = percentiles.filter((_, at) => rows.some(({ cells }) => cells[at]?.weak));
  const disturbed = rows.some(({ cells }) => cells.some(({ between }) => between !== null));
  const meaning = disturbed
    ? markup`<p class="note">~ disturbed: the generator may have moved the figure; the true one lies between the two below it.</p>`
    : null;
  if (marked.length === 0) return meaning;
  const needs = marked.map(
    ({ title, percentile }) => `${title} needs ${formatCount(samplesNeeded(percentile))}`,
  );
  return markup`${meaning}<p class="note">* too few samples to mean much: ${needs.join(', ')}.</p>`;
}

function nameOf(name: string, meaning: string | undefined): Content {
  if (meaning === undefined) return name;
  return markup`${name}<small>${meaning}</small>`;
}
