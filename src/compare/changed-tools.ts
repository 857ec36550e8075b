import type { ComparisonNote, ComparisonRow } from './comparison.js';

/** Rows of tools that changed for certain and by more than the margin, though no gate looks at them. */
export function changedTools(rows: readonly ComparisonRow[]): ComparisonRow[] {
  return rows.filter(
    ({ gate, tool, direction, effect, margins }) =>
      gate === null &&
      tool !== null &&
      direction !== null &&
      (effect >= margins.up || effect <= margins.down),
  );
}

/** Those of them that got slower while the same percentile of all calls, which hides a tool that is called seldom, did not. */
export function hiddenSlowTools(rows: readonly ComparisonRow[]): ComparisonRow[] {
  const overall = (row: ComparisonRow): ComparisonRow | undefined =>
    rows.find(({ tool, metric }) => tool === null && `${row.tool} ${metric}` === row.metric);
  return changedTools(rows).filter((row) => row.direction === 'worse' && overall(row)?.direction !== 'worse');
}

/** What to do about them. */
export function hiddenToolNotes(rows: readonly ComparisonRow[]): ComparisonNote[] {
  const slower = hiddenSlowTools(rows);
  if (slower.length === 0) return [];
  const gates = rows.filter(({ gate }) => gate !== null).map(({ metric }) => metric);
  const list = slower.slice(0, 5).map(({ metric }) => metric);
  const more = slower.length > list.length ? ` and ${slower.length - list.length} more` : '';
  return [
    {
      state: 'doubt',
      code: 'tools-slower',
      message: `slower for certain by more than the margin, and judged by no gate: ${list.join(', ')}${more}. To have it fail: --gates "${[...gates, ...list].join(',')}".`,
    },
  ];
}
