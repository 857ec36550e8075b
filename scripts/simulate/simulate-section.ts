import { clopperPearson } from '../../src/compare/clopper-pearson.js';

type Cell = number | string;

/** One table of the simulation's report. */
export interface Section {
  title: string;
  /** What was simulated, how often, and how to read it. */
  note: string;
  rows: Record<string, Cell>[];
}

/** A share in percent, to two decimals. */
export function percent(count: number, total: number): number {
  return Math.round((10_000 * count) / total) / 100;
}

/** The exact 95 % interval of a share seen, in percent. */
export function percentInterval(count: number, total: number): string {
  const { low, high } = clopperPearson(count, total);
  return `${(100 * low).toFixed(2)}–${(100 * high).toFixed(2)}`;
}

/** A section as a Markdown heading, its note and a table. */
export function toMarkdown({ title, note, rows }: Section): string {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: Cell[]): string => `| ${cells.join(' | ')} |`;
  return [
    `## ${title}`,
    '',
    note,
    '',
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
    '',
  ].join('\n');
}
