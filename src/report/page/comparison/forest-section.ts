import type { Comparison, ComparisonRow } from '../../../compare/comparison.js';
import {
  changeCell,
  intervalText,
  marginText,
  nothingToSay,
  unbroken,
  valueText,
  verdictText,
  disturbedRowsNote,
  rowMarks,
} from '../../comparison/comparison-text.js';
import { differenceScale, ratioScale, type ForestScale } from './forest-scale.js';
import { cssPercent } from '../css-percent.js';
import { markup, type Content, type Markup } from '../markup.js';
import type { Section } from '../section.js';
import { dataTable, figure, word, type TableCell } from '../table.js';

const mostRows = 200;

/** Every metric with its change, and where the true change lies: the gates first, in the order in which they are judged. */
export function forestSection(comparison: Comparison): Section | null {
  const { base, head } = comparison;
  const rows = comparison.rows.slice(0, mostRows);
  if (rows.length === 0) return null;
  const [ratios, differences] = [ratioScale(rows), differenceScale(rows)];
  const cells = rows.map((row): TableCell[] => [
    { shown: nameOf(row) },
    { shown: verdictCell(row) },
    { shown: unbroken(valueText(row, row.base)) },
    { shown: unbroken(valueText(row, row.head)) },
    { shown: unbroken(changeCell(row)) },
    { shown: forestMark(row, row.scale === 'ratio' ? ratios : differences) },
    { shown: unbroken(intervalText(row)) },
  ]);
  const axis: TableCell[] = [
    { shown: '' },
    ...Array.from({ length: 4 }, () => ({ shown: '' })),
    { shown: forestAxis(ratios) },
    { shown: '' },
  ];
  const gated = rows.filter(({ gate }) => gate !== null).length;
  const others: TableCell[][] =
    gated > 0 && gated < rows.length ? [[{ shown: markup`<em>shown, not judged</em>` }]] : [];
  const columns = [
    word('metric'),
    word('verdict'),
    figure(base.label),
    figure(head.label),
    figure('change'),
    word('change and its interval'),
    figure('interval'),
  ];
  return {
    id: 'changes',
    title: 'Changes',
    body: markup`<div class="forest-table">${dataTable('Changes and their intervals', columns, [
      [...cells.slice(0, gated), ...others, ...cells.slice(gated), axis],
    ])}</div>
<p class="note">The dot is the change that was measured, the line the interval in which the true one lies; grey is the margin within which a change does not matter. ${nothingToSay} means that there is nothing to say.${
      rows.some(({ scale }) => scale === 'difference') && ' Errors have a scale of their own.'
    }</p>
${footnotes(rows)}
${comparison.rows.length > mostRows && markup`<p class="note">… and ${comparison.rows.length - mostRows} more.</p>`}`,
  };
}

function nameOf(row: ComparisonRow): Content {
  const name = `${row.metric}${rowMarks(row)}`;
  return row.gate === null ? name : markup`${name}<small>margin ${unbroken(marginText(row))}</small>`;
}

/** One row of the plot, in per cent of its cell's width; what lies beyond the axis ends in an arrow. */
function forestMark({ interval, margins, effect, direction }: ComparisonRow, { at }: ForestScale): Markup {
  const x = (change: number): string => cssPercent(at(change));
  const inside = (change: number): boolean => at(change) > 0 && at(change) < 1;
  const ends = interval === null ? [] : [interval.low, interval.high];
  const cap = (end: number): Markup =>
    inside(end)
      ? markup`<line class="span" x1="${x(end)}" x2="${x(end)}" y1="7" y2="15"/>`
      : markup`<text class="beyond" x="${x(end)}" y="15" text-anchor="${at(end) >= 1 ? 'end' : 'start'}">${at(end) >= 1 ? '▶' : '◀'}</text>`;
  return markup`<svg class="forest ${direction ?? 'open'}" aria-hidden="true"><rect class="margin" x="${x(margins.down)}" width="${cssPercent(at(margins.up) - at(margins.down))}" height="100%"/><line class="none" x1="50%" x2="50%" y2="100%"/>${
    interval && markup`<line class="span" x1="${x(interval.low)}" x2="${x(interval.high)}" y1="11" y2="11"/>`
  }${ends.map(cap)}${inside(effect) ? markup`<circle cx="${x(effect)}" cy="11" r="4.5"/>` : interval === null && cap(effect)}</svg>`;
}

function forestAxis({ at, ticks }: ForestScale): Markup {
  return markup`<svg class="forest axis" aria-hidden="true">${ticks.map(
    ({ change, text }) =>
      markup`<text x="${cssPercent(at(change))}" y="14" text-anchor="middle">${text}</text>`,
  )}</svg>`;
}

function verdictCell(row: ComparisonRow): Content {
  const text = verdictText(row);
  if (row.gate === null || text === nothingToSay) return markup`<span class="weak">${text}</span>`;
  const doubt = row.doubt === null ? null : markup`<small>${row.doubt}</small>`;
  if (!row.decides) return markup`<span class="weak">(${text})</span>${doubt}`;
  const states: Record<string, string> = { regression: 'bad', improvement: 'good', 'no change': '' };
  return markup`<span class="${states[row.verdict ?? ''] ?? 'doubt'}">${text}</span>${doubt}`;
}

function footnotes(rows: readonly ComparisonRow[]): Content {
  const texts = [
    ...disturbedRowsNote(rows).map((text) => `${text}.`),
    ...(rows.some(({ weak }) => weak)
      ? ['* too few samples beyond this percentile for it to mean much in a single run.']
      : []),
    ...(rows.some(({ gate, decides }) => gate !== null && !decides)
      ? ['(…) behind an undecided metric: shown, but it decides nothing.']
      : []),
  ];
  return texts.map((text) => markup`<p class="note">${text}</p>`);
}
