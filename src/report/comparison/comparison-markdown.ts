import { changedTools } from '../../compare/changed-tools.js';
import type { Comparison, ComparisonNote, ComparisonRow } from '../../compare/comparison.js';
import { formatCount } from '../../result/units.js';
import {
  changeCell,
  comparisonHeadline,
  intervalText,
  marginText,
  methodText,
  nothingToSay,
  sideText,
  valueText,
  verdictText,
  disturbedRowsNote,
  rowMarks,
} from './comparison-text.js';
import { foreign, markdownTable, prose } from '../formats/markdown-text.js';
import type { Column } from '../formats/text-table.js';

const mostRows = 40;
const mostNotes = 20;
const mostChanged = 10;
const left = (title: string): Column => ({ title, align: 'left' });
const right = (title: string): Column => ({ title, align: 'right' });
const icons = { good: '✅', doubt: '⚠️', bad: '❌' };

/** A comparison as Markdown for a pull request's comment or a step summary: under 64 kB whatever it holds. */
export function markdownComparison(comparison: Comparison): string {
  const { state, word, text } = comparisonHeadline(comparison);
  const gated = comparison.rows.filter(({ gate }) => gate !== null);
  const changed = changedTools(comparison.rows).slice(0, mostChanged);
  const others = comparison.rows.filter((row) => row.gate === null && !changed.includes(row));
  const sections = [
    `### mcp-bench: ${foreign(comparison.name, 80)}`,
    `${icons[state]} **${word}**: ${prose(text)}`,
    gated.length > 0 ? table([...gated, ...changed], comparison) : '',
    changed.length > 0 ? '<sub>Rows without a margin are tools that changed; no gate judges them.</sub>' : '',
    footnotes([...gated, ...changed]),
    notes(comparison),
    others.length > 0 ? details('Other metrics (shown, not judged)', otherRows(others, comparison)) : '',
    details('Runs', runs(comparison)),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function table(rows: readonly ComparisonRow[], { base, head }: Comparison): string {
  const columns = [
    left('metric'),
    right(label(base.label)),
    right(label(head.label)),
    right('change'),
    right('interval'),
    right('margin'),
    left('verdict'),
  ];
  return markdownTable(
    columns,
    rows.map((row) => [
      (row.metric.includes(' ') ? foreign(row.metric, 60) : prose(row.metric, 60)) +
        rowMarks(row).replace(/[~*]/g, '\\$&'),
      solid(valueText(row, row.base)),
      solid(valueText(row, row.head)),
      solid(changeCell(row)),
      solid(intervalText(row)),
      row.gate === null ? '' : solid(marginText(row)),
      verdictCell(row),
    ]),
  );
}

function label(text: string): string {
  return prose(text, 30) || 'unnamed';
}

// As Markdown, where a lone tilde is only a tilde; a figure and its unit stay on one line of a narrow cell.
function solid(text: string): string {
  return text === nothingToSay ? '\\~' : prose(text).replaceAll(' ', '\u00a0');
}

function verdictCell(row: ComparisonRow): string {
  const text = verdictText(row);
  if (text === nothingToSay) return '\\~';
  if (row.gate === null) return text;
  if (!row.decides) return `_(${text})_`;
  if (row.verdict === 'regression') return `❌ **${text}**`;
  if (row.verdict === 'improvement') return `✅ **${text}**`;
  return row.verdict === 'no change' ? text : `⚠️ ${text}`;
}

function footnotes(rows: readonly ComparisonRow[]): string {
  const texts = [
    ...disturbedRowsNote(rows).map((text) => prose(text, 500)),
    ...(rows.some(({ weak }) => weak) ? ['\\* too few samples beyond this percentile'] : []),
    ...(rows.some(({ decides }) => !decides)
      ? ['_(…)_ behind an undecided metric: shown, but it decides nothing']
      : []),
  ];
  return texts.length > 0 ? `<sub>${texts.join('; ')}</sub>` : '';
}

function notes({ refusals, notes }: Comparison): string {
  const marks = { bad: '❌', doubt: '⚠️', info: 'ℹ️' };
  const all = [...refusals.map((note): ComparisonNote => ({ state: 'bad', ...note })), ...notes];
  return all
    .slice(0, mostNotes)
    .map(({ state, message }) => `- ${marks[state]} ${prose(message)}`)
    .join('\n');
}

function otherRows(rows: readonly ComparisonRow[], comparison: Comparison): string {
  const more = rows.length - mostRows;
  return (
    table(rows.slice(0, mostRows), comparison) + (more > 0 ? `\n\n_… and ${formatCount(more)} more._` : '')
  );
}

function runs(comparison: Comparison): string {
  const { base, head, tool } = comparison;
  return [
    `- ${prose(methodText(comparison))}`,
    `- ${label(base.label)}: ${foreign(sideText(base), 200)}`,
    `- ${label(head.label)}: ${foreign(sideText(head), 200)}`,
    `- machine: ${[...new Set([...base.runs, ...head.runs].map(({ machine }) => machine))]
      .slice(0, 3)
      .map((machine) => foreign(machine))
      .join(', ')}`,
    `- mcp-bench ${tool.version}`,
  ].join('\n');
}

function details(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}
