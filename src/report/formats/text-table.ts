import { displayWidth, pad } from './display-width.js';

export interface Column {
  title: string;
  align: 'left' | 'right';
  /** Where the table is too wide the column with the highest number goes first; 0 stays. */
  expendable?: number;
}

/**
 * Lines of a table without trailing spaces. Where it is too wide the columns move together, and where that is not
 * enough the expendable ones go.
 */
export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const all = [columns.map((column) => column.title), ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => displayWidth(row[index] ?? ''))));
  const { kept, gap } = fitting(columns, widths, width);
  return all.map((row) =>
    kept
      .map((index) => pad(row[index] ?? '', widths[index]!, columns[index]!.align))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

function fitting(
  columns: readonly Column[],
  widths: readonly number[],
  width: number,
): { kept: number[]; gap: number } {
  const kept = columns.map((_, index) => index);
  for (;;) {
    const bare = kept.reduce((sum, index) => sum + widths[index]!, 0);
    const gap = [2, 1].find((gap) => bare + gap * (kept.length - 1) <= width);
    if (gap !== undefined) return { kept, gap };
    const least = kept.reduce((a, b) =>
      (columns[b]!.expendable ?? 0) > (columns[a]!.expendable ?? 0) ? b : a,
    );
    if ((columns[least]!.expendable ?? 0) === 0) return { kept, gap: 1 };
    kept.splice(kept.indexOf(least), 1);
  }
}
