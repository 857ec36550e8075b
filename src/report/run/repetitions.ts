import type { RepeatedFigure } from '../../compare/repeated-figures.js';
import { formatAmount, formatPercent } from '../../result/units.js';
import { truncate, wrap } from '../formats/display-width.js';
import { disturbedNote, tilde } from '../formats/disturbed-note.js';
import { figureText } from '../formats/figure-text.js';
import { foreign, markdownTable, prose } from '../formats/markdown-text.js';
import type { RepetitionNote } from './repetition-notes.js';
import { createStyle } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';
import { textTable, type Column } from '../formats/text-table.js';

const columns: Column[] = [
  { title: 'metric', align: 'left' },
  { title: 'median', align: 'right' },
  { title: 'least', align: 'right' },
  { title: 'most', align: 'right' },
  { title: 'between runs', align: 'right' },
];

const marks = { good: '✓', bad: '✗', doubt: '!' } as const;
const emoji = { good: '✅', bad: '❌', doubt: '⚠️' } as const;

function notesBelow(figures: readonly RepeatedFigure[]): string[] {
  return [
    'between runs: their coefficient of variation, with its 95 % interval',
    ...disturbedNote(figures, 'median and variation are those of the other runs, if there are any'),
  ];
}

/** Several runs of one thing as a table for people: what they have in common, and how much they differ. */
export function terminalRepetitions(
  name: string,
  runs: number,
  figures: readonly RepeatedFigure[],
  notes: readonly RepetitionNote[],
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
    ...notesBelow(figures).flatMap((note) =>
      wrap(oneLine(note), width - 2).map((line) => style.faint(`  ${line}`)),
    ),
    ...(notes.length > 0 ? [''] : []),
    ...notes.flatMap(({ state, text }) =>
      wrap(oneLine(text), width - 4)
        .slice(0, 6)
        .map((line, at) => `  ${at === 0 ? style[state](marks[state]) : ' '} ${line}`),
    ),
    '',
  ].join('\n');
}

/** The same as Markdown. */
export function markdownRepetitions(
  name: string,
  runs: number,
  figures: readonly RepeatedFigure[],
  notes: readonly RepetitionNote[],
): string {
  const rows = figures
    .slice(0, 40)
    .map((figure) => [foreign(figure.metric, 60), ...cells(figure).map((text) => prose(text))]);
  const list = notes.map(({ state, text }) => `- ${emoji[state]} ${prose(text, 500)}\n`);
  return [
    `### mcp-bench: ${foreign(name, 80)}, ${formatAmount(runs, 'run')}\n`,
    `${markdownTable(columns, rows)}\n`,
    ...(list.length > 0 ? [list.join('')] : []),
    `<sub>${notesBelow(figures)
      .map((note) => prose(note, 500))
      .join('; ')}</sub>\n`,
  ].join('\n');
}

function cells({ unit, values, disturbed, median, least, most, variation }: RepeatedFigure): string[] {
  const text = (value: number): string => figureText(unit, value) + tilde(disturbed[values.indexOf(value)]);
  const spread =
    variation === null
      ? ''
      : `${formatPercent(variation.cv)} (${formatPercent(variation.low)} to ${atMost(variation.high)})`;
  return [figureText(unit, median) + tilde(disturbed.every(Boolean)), text(least), text(most), spread];
}

// Of two runs the upper end says no more than that nobody knows.
function atMost(share: number): string {
  return share > 10 ? 'any' : formatPercent(share);
}
