import { failedCalls } from '../../result/conservation.js';
import type { PhaseResult } from '../../result/result.js';
import { formatCount, formatDurationTight, formatRate } from '../../result/units.js';
import { truncate } from '../formats/display-width.js';
import {
  latencyRow,
  marksOf,
  percentiles,
  type LatencyCell,
  type LatencyRow,
  type OperationRow,
} from './latency-rows.js';
import { type Style } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';
import { textTable, type Column } from '../formats/text-table.js';

/** Percentiles in columns, the title above the names; lines of nothing where there are no rows. */
export function latencyTable(
  title: string,
  rows: readonly LatencyRow[],
  style: Style,
  width: number,
): string[] {
  if (rows.length === 0) return [];
  const columns: Column[] = [
    { title, align: 'left' },
    ...latencyColumns.map((name): Column => ({ title: name, align: 'right' })),
    { title: 'n', align: 'right', expendable: 1 },
  ];
  const lines = rows.map(({ name, cells, count }) => [
    name === 'with failures' ? `    ${name}` : `  ${name}`,
    ...cells.map(cellText),
    formatCount(count),
  ]);
  return render(columns, lines, style, width);
}

/** One line per tool, and one more where failures counted as slowest change its percentiles. */
export function operationTable(rows: readonly OperationRow[], style: Style, width: number): string[] {
  if (rows.length === 0) return [];
  const columns: Column[] = [
    { title: 'By tool', align: 'left' },
    { title: 'ok', align: 'right' },
    { title: 'failed', align: 'right' },
    { title: 'calls/s', align: 'right', expendable: 3 },
    { title: 'p50', align: 'right' },
    { title: 'p90', align: 'right', expendable: 1 },
    { title: 'p99', align: 'right' },
    { title: 'p99.9', align: 'right', expendable: 2 },
    { title: 'max', align: 'right' },
  ];
  const lines = rows.flatMap(({ name, ok, failed, callsPerSec, response, withFailures }) => [
    [
      `  ${truncate(oneLine(name), nameWidth(width))}`,
      formatCount(ok),
      formatCount(failed),
      formatRate(callsPerSec),
      ...(response?.cells.map(cellText) ?? []),
    ],
    ...(withFailures === null
      ? []
      : [['    with failures', '', '', '', ...withFailures.cells.map(cellText)]]),
  ]);
  return render(columns, lines, style, width);
}

/** One line per phase. */
export function phaseTable(phases: readonly PhaseResult[], style: Style, width: number): string[] {
  const columns: Column[] = [
    { title: 'By phase', align: 'left' },
    { title: 'calls/s', align: 'right' },
    { title: 'offered', align: 'right', expendable: 1 },
    { title: 'failed', align: 'right' },
    { title: 'p50', align: 'right' },
    { title: 'p99', align: 'right' },
    { title: 'max', align: 'right', expendable: 2 },
  ];
  const lines = phases.map(({ name, totals, metrics }) => {
    const response = metrics['call.response'];
    const cells = response && response.count > 0 ? latencyRow(name, response).cells : [];
    return [
      `  ${truncate(oneLine(name), nameWidth(width))}`,
      formatRate(totals.callsPerSec),
      totals.offeredPerSec === null ? '' : formatRate(totals.offeredPerSec),
      formatCount(failedCalls(totals.outcomes)),
      ...[cells[0], cells[2], cells.at(-1)].filter((cell) => cell !== undefined).map(cellText),
    ];
  });
  return render(columns, lines, style, width);
}

const latencyColumns = [...percentiles.map(({ title }) => title), 'max'];

function render(columns: readonly Column[], rows: string[][], style: Style, width: number): string[] {
  // Where figures of a column carry marks the others leave room for them, so that digits stand below digits.
  const marksLength = (text: string | undefined): number => /[~*]*$/.exec(text ?? '')![0].length;
  const longest = columns.map((_, at) => Math.max(0, ...rows.map((row) => marksLength(row[at]))));
  const aligned = (text: string, at: number): string =>
    text + ' '.repeat(Math.max(0, longest[at]! - marksLength(text)));
  const [head = '', ...body] = textTable(
    columns.map((column, at) => ({ ...column, title: aligned(column.title, at) })),
    rows.map((row) => row.map(aligned)),
    width,
  );
  return [style.strong(head), ...body];
}

function cellText(cell: LatencyCell): string {
  return cell.ns === Infinity ? `failed${marksOf(cell)}` : formatDurationTight(cell.ns) + marksOf(cell);
}

function nameWidth(width: number): number {
  return Math.max(12, Math.floor(width / 4));
}
