import type { RunResult } from '../../../result/result.js';
import { formatCount, formatRate } from '../../../result/units.js';
import { operationRows, type OperationRow } from '../../run/latency-rows.js';
import { latencyCell, latencyColumns, weakNote } from './latency-table.js';
import { markup } from '../markup.js';
import type { Section } from '../section.js';
import { dataTable, figure, word, type TableCell, type TableGroup } from '../table.js';

/** One row per tool or other operation, sorted as the reader likes. */
export function toolSection(result: RunResult): Section | null {
  const rows = operationRows(result);
  if (rows.length === 0) return null;
  const columns = [word('tool'), figure('ok'), figure('failed'), figure('calls/s'), ...latencyColumns];
  return {
    id: 'tools',
    title: 'Tools',
    body: markup`${dataTable('Response time by tool', columns, rows.map(groupOf), { sorts: true })}
${weakNote(rows.flatMap(({ response }) => response ?? []))}`,
  };
}

function groupOf({ name, ok, failed, callsPerSec, response, withFailures }: OperationRow): TableGroup {
  const first: TableCell[] = [
    { shown: name },
    { shown: formatCount(ok), sortBy: ok },
    { shown: failed > 0 ? markup`<span class="bad">${formatCount(failed)}</span>` : '0', sortBy: failed },
    { shown: formatRate(callsPerSec), sortBy: callsPerSec },
    // A tool without a single good call is the slowest of all.
    ...(response?.cells.map(latencyCell) ?? latencyColumns.map(() => ({ shown: '–', sortBy: 1e300 }))),
  ];
  if (withFailures === null) return [first];
  const empty: TableCell = { shown: '' };
  return [
    first,
    [{ shown: markup`<em>with failures</em>` }, empty, empty, empty, ...withFailures.cells.map(latencyCell)],
  ];
}
