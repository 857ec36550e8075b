import { formatPercent } from '../../../result/units.js';
import type { VersusMetric, VersusResult } from '../../../versus/versus-result.js';
import { unbroken } from '../../comparison/comparison-text.js';
import {
  aboutText,
  columnNotes,
  failedShare,
  figureOf,
  isDisturbed,
  isWeak,
  methodNotes,
  shownMetrics,
  toolColumns,
  type VersusRow,
  versusColumns,
  versusRows,
} from '../../versus/versus-rows.js';
import { markup, type Content } from '../markup.js';
import type { Section } from '../section.js';
import { dataTable, figure, type TableCell, word } from '../table.js';

const tieLegend = 'Targets that share a letter in a row cannot be told apart there.';

/** All targets with all figures, in the order of the main ranking; those that are not ranked stay, with their reason. */
export function versusTableSection(result: VersusResult): Section {
  const metrics = shownMetrics(result);
  const columns = [
    word('target'),
    figure('#'),
    ...metrics.map((metric) => figure(versusColumns[metric].title)),
    figure('failed'),
  ];
  const rows = versusRows(result);
  const ranked = rows.filter(({ target }) => target.reason === null);
  const out = rows.filter(({ target }) => target.reason !== null);
  return {
    id: 'ranking',
    title: 'Ranking',
    body: markup`${
      ranked.length > 0 &&
      dataTable(
        'All targets',
        columns,
        ranked.map((row, at) => [cellsOf(result, row, metrics, at)]),
        { sorts: true },
      )
    }
${[...methodNotes(result), ...columnNotes(result)].map((text) => markup`<p class="note">${text}</p>`)}
${
  out.length > 0 &&
  markup`<h3 class="apart">Not ranked</h3>
${dataTable(
  'Targets that are not ranked',
  [word('target'), word('reason')],
  [
    out.map(({ target }): TableCell[] => [
      { shown: nameCell(target.name, aboutText(target)) },
      { shown: markup`<span class="bad">${target.reason}</span>` },
    ]),
  ],
)}`
}`,
  };
}

function cellsOf(
  { rankings, targets }: VersusResult,
  { target, place, cells }: VersusRow,
  metrics: readonly VersusMetric[],
  at: number,
): TableCell[] {
  const failed = failedShare(target);
  return [
    { shown: nameCell(target.name, aboutText(target)) },
    { shown: place, sortBy: -at },
    ...metrics.map((metric): TableCell => {
      const cell = cells[metric];
      if (cell === null) return { shown: '–', sortBy: -1 };
      const letters = rankings.find((ranking) => ranking.metric === metric)?.confidence != null;
      return {
        shown: markup`${unbroken(figureOf(metric, cell.median))}${isDisturbed(targets, metric, cell.target) && '~'}${isWeak(targets, metric, cell) && '*'}${letters && markup`<small class="tie"> ${cell.ties}</small>`}`,
        sortBy: Math.min(cell.median, 1e300),
      };
    }),
    { shown: formatPercent(failed ?? NaN), sortBy: failed ?? -1 },
  ];
}

function nameCell(name: string, about: string): Content {
  return markup`${targetName(name)}${about !== '' && markup`<small>${about}</small>`}`;
}

/** Each tool of a mix by itself; null where there is no mix. */
export function versusToolSection(result: VersusResult): Section | null {
  const tools = toolColumns(result);
  const names = versusRows(result)
    .filter(({ target }) => target.reason === null)
    .map(({ target }) => target.name);
  if (tools.length === 0 || names.length === 0) return null;
  const columns = [word('tool'), word('percentile'), ...names.map((name) => figure(name))];
  const rows = tools.flatMap(({ tool, cell }) =>
    (['p50', 'p99'] as const).map((metric): TableCell[] => [
      { shown: tool },
      { shown: metric },
      ...names.map((name) => ({ shown: unbroken(cell(name, metric)) })),
    ]),
  );
  const isLettered = result.toolRankings.some(({ confidence }) => confidence !== null);
  return {
    id: 'tools',
    title: 'By tool',
    body: markup`${dataTable('By tool', columns, [rows])}
${isLettered && markup`<p class="note">${tieLegend}</p>`}`,
  };
}

/** A target's name, which stays in one line. */
export function targetName(name: string): Content {
  return markup`<span class="target">${name}</span>`;
}
