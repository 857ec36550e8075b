import type { RepeatedFigure } from '../compare/repeated-figures.js';
import { formatAmount, formatPercent } from '../result/units.js';
import { truncate, wrap } from './display-width.js';
import { figureText } from './figure-text.js';
import { foreign, markdownTable, prose } from './markdown-text.js';
import { createStyle, oneLine } from './style.js';
import { textTable, type Column } from './text-table.js';

const columns: Column[] = [
  { title: 'metric', align: 'left' },
  { title: 'median', align: 'right' },
  { title: 'least', align: 'right' },
  { title: 'most', align: 'right' },
  { title: 'between runs', align: 'right' },
];

const note = 'between runs: their coefficient of variation, with its 95 % interval';

/** Several runs of one thing as a table for people: what they have in common, and how much they differ. */
export function terminalRepetitions(
  name: string,
  runs: number,
  figures: readonly RepeatedFigure[],
  options: { colour: boolean; width: number },
): string {
  const style = createStyle(options.colour);
  const width = Math.max(40, Math.min(options.width, 110));
  const rows = figures.map((figure) => [
    `  ${truncate(oneLine(figure.metric), Math.floor(width / 3))}`,
    ...cells(figure),
  ]);
  const [top = '', ...body] = textTable(columns, rows, width);
  return [
    style.strong(`${truncate(oneLine(name), width - 12)}, ${formatAmount(runs, 'run')}`),
    '',
    style.strong(top),
    ...body,
    ...wrap(note, width - 2).map((line) => style.faint(`  ${line}`)),
    '',
  ].join('\n');
}

/** The same as Markdown. */
export function markdownRepetitions(name: string, runs: number, figures: readonly RepeatedFigure[]): string {
  const rows = figures
    .slice(0, 40)
    .map((figure) => [foreign(figure.metric, 60), ...cells(figure).map((text) => prose(text))]);
  return `### mcp-bench: ${foreign(name, 80)}, ${formatAmount(runs, 'run')}\n\n${markdownTable(columns, rows)}\n\n<sub>${note}</sub>\n`;
}

function cells({ unit, median, least, most, variation }: RepeatedFigure): string[] {
  const text = (value: number): string => figureText(unit, value);
  const spread =
    variation === null
      ? ''
      : `${formatPercent(variation.cv)} (${formatPercent(variation.low)} to ${formatPercent(variation.high)})`;
  return [text(median), text(least), text(most), spread];
}
