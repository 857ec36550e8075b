import type { RunResult } from '../../../result/result.js';
import { transportOf } from '../../../result/transport-of.js';
import type { TransportKind } from '../../../transport/transport-kind.js';
import { formatCount } from '../../../result/units.js';
import { handshakeRows, type LatencyRow } from '../../run/latency-rows.js';
import { cssPercent } from '../css-percent.js';
import { latencyCell, weakNote } from './latency-table.js';
import { markup, type Content, type Markup } from '../markup.js';
import type { Section } from '../section.js';
import { dataTable, figure, word, type TableCell } from '../table.js';

const p50 = 0;
const p99 = 2;

/** How a session came to be ready: each step of the handshake beginning where the one before it ends. */
export function handshakeSection(result: RunResult): Section | null {
  const rows = handshakeRows(result);
  if (rows.length === 0) return null;
  const kind = transportOf(result.target);
  const cells = rows.map((row): TableCell[] => [
    { shown: nameOf(row.name, kind) },
    { shown: barMarkup(kind, rows, row, p50) },
    latencyCell(row.cells[p50]!),
    { shown: barMarkup(kind, rows, row, p99) },
    latencyCell(row.cells[p99]!),
    latencyCell(row.cells.at(-1)!),
    { shown: formatCount(row.count) },
  ]);
  const columns = [
    word('step'),
    word('typical session'),
    figure('p50'),
    word('slow session'),
    figure('p99'),
    figure('max'),
    figure('sessions'),
  ];
  return {
    id: 'handshake',
    title: 'Handshake',
    body: markup`<div class="waterfall">${dataTable('Steps of the handshake', columns, [cells])}</div>
<p class="note">Every step is drawn at its own percentile, after those it waits for. What the total has beyond them is waiting: ${kind.words.waits}. Slow steps seldom meet in one session, so that at the p99 they can add up to more than the total.</p>
${weakNote(rows)}`,
  };
}

function nameOf(name: string, { words }: TransportKind): Content {
  return markup`${name}<small>${words.times[`handshake.${name}`] ?? ''}</small>`;
}

/** The steps that a step waits for: all before it but those that nothing waits for. */
function stepsBefore({ beside }: TransportKind, rows: readonly LatencyRow[], name: string): string[] {
  if (name === 'total') return [];
  const names = rows.map((row) => row.name);
  return names.slice(0, names.indexOf(name)).filter((step) => !beside.includes(step));
}

function barMarkup(
  kind: TransportKind,
  rows: readonly LatencyRow[],
  row: LatencyRow,
  percentile: number,
): Markup {
  const ns = (name: string): number => rows.find((other) => other.name === name)?.cells[percentile]?.ns ?? 0;
  const startOf = (name: string): number =>
    stepsBefore(kind, rows, name).reduce((sum, step) => sum + ns(step), 0);
  const end = Math.max(...rows.map(({ name }) => startOf(name) + ns(name)));
  const share = (value: number): string => cssPercent(value / Math.max(1, end));
  // What is not nothing shows at least as a sliver.
  const width = share(Math.max(ns(row.name), end / 200));
  return markup`<svg class="bar" aria-hidden="true"><rect class="${row.name === 'total' ? 'whole' : 'step'}" x="${share(startOf(row.name))}" y="3" width="${width}" height="10" rx="1.5"/></svg>`;
}
