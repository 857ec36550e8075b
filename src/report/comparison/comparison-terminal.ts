import type { Comparison, ComparisonNote, ComparisonRow } from '../../compare/comparison.js';
import {
  changeCell,
  comparisonHeadline,
  intervalText,
  methodText,
  nothingToSay,
  sideText,
  unbroken,
  valueText,
  verdictText,
  disturbedRowsNote,
  rowMarks,
} from './comparison-text.js';
import { truncate, wrap } from '../formats/display-width.js';
import { createStyle, type Style } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';
import { textTable, type Column } from '../formats/text-table.js';

/** A comparison as text for people: what it came to, the table, then what to know about it. */
export function terminalComparison(
  comparison: Comparison,
  options: { colour: boolean; width: number },
): string {
  const page: Page = {
    comparison,
    style: createStyle(options.colour),
    width: Math.max(40, Math.min(options.width, 120)),
  };
  const sections = [heading(page), headline(page), table(page), notes(page)];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section) => [...section, ''])
    .map((line) => line.trimEnd())
    .join('\n');
}

interface Page {
  comparison: Comparison;
  style: Style;
  width: number;
}

function heading({ comparison, style, width }: Page): string[] {
  const { base, head } = comparison;
  const labels = [base, head].map(({ label }) => truncate(oneLine(label), 30));
  const labelWidth = Math.max(...labels.map((label) => label.length));
  const side = (at: 0 | 1): string[] =>
    wrap(oneLine(sideText(at === 0 ? base : head)), width - labelWidth - 4).map(
      (line, row) => `  ${(row === 0 ? labels[at]! : '').padEnd(labelWidth)}  ${style.faint(line)}`,
    );
  return [
    style.strong(truncate(oneLine(comparison.name), width)),
    ...wrap(methodText(comparison), width).map(style.faint),
    ...side(0),
    ...side(1),
  ];
}

function headline({ comparison, style, width }: Page): string[] {
  const marks = { good: '✓', doubt: '!', bad: '✗' };
  const { state, word, text } = comparisonHeadline(comparison);
  const [first = '', ...more] = wrapped(text, width - word.length - 4);
  return [
    `${style.strong(style[state](`${marks[state]} ${word}`))}  ${first}`,
    ...more.map((line) => ' '.repeat(word.length + 4) + line),
  ];
}

function table(page: Page): string[] {
  const { comparison, style, width } = page;
  const { rows, base, head } = comparison;
  if (rows.length === 0) return [];
  const columns: Column[] = [
    { title: 'metric', align: 'left' },
    { title: truncate(oneLine(base.label), 14), align: 'right' },
    { title: truncate(oneLine(head.label), 14), align: 'right' },
    { title: 'change', align: 'right' },
    { title: 'interval', align: 'right', expendable: 1 },
    { title: 'verdict', align: 'left' },
  ];
  const nameWidth = Math.max(12, Math.floor(width / 4));
  const cells = rows.map((row) => [
    `  ${truncate(oneLine(row.metric), nameWidth)}${rowMarks(row)}`,
    valueText(row, row.base),
    valueText(row, row.head),
    changeCell(row),
    intervalText(row),
    verdictCell(row, style),
  ]);
  const [top = '', ...body] = textTable(columns, cells, width);
  const gated = rows.filter(({ gate }) => gate !== null).length;
  const footnotes = [
    ...disturbedRowsNote(rows),
    ...(rows.some(({ weak }) => weak)
      ? ['* too few samples beyond this percentile for it to mean much in a single run']
      : []),
    ...(rows.some(({ gate, decides }) => gate !== null && !decides)
      ? ['(…) behind an undecided metric: shown, but it decides nothing']
      : []),
  ];
  return [
    style.strong(top),
    ...body.slice(0, gated),
    ...(gated > 0 && gated < rows.length ? [style.faint('  shown, not judged')] : []),
    ...body.slice(gated),
    ...footnotes.flatMap((text) => wrap(text, width - 2).map((line) => style.faint(`  ${line}`))),
  ];
}

function verdictCell(row: ComparisonRow, style: Style): string {
  const text = verdictText(row);
  if (row.gate === null || text === nothingToSay) return style.faint(text);
  if (!row.decides) return style.faint(`(${text})`);
  if (row.verdict === 'regression') return style.bad(text);
  if (row.verdict === 'improvement') return style.good(text);
  return row.verdict === 'no change' ? text : style.doubt(text);
}

function notes({ comparison, style, width }: Page): string[] {
  const refusals = comparison.refusals.map((note): ComparisonNote => ({ state: 'bad', ...note }));
  const paint = { bad: style.bad, doubt: style.doubt, info: style.faint };
  const marks = { bad: '✗', doubt: '!', info: '·' };
  return [...refusals, ...comparison.notes].flatMap(({ state, message }) =>
    wrapped(message, width - 4).map((line, at) => {
      // A different machine is shown in red as a whole: it is easily overlooked, and explains a lot.
      const text = state === 'bad' ? style.bad(line) : line;
      return `  ${at === 0 ? paint[state](marks[state]) : ' '} ${text}`;
    }),
  );
}

function wrapped(text: string, width: number): string[] {
  return wrap(unbroken(oneLine(text)), width).map((line) => line.replaceAll('\u00a0', ' '));
}
