import { formatDuration, formatRate } from '../../result/units.js';
import type { RunResult } from '../../result/result.js';
import { oneLine } from '../../text/one-line.js';
import { outcomeHeadline, validityHeadline } from './headline.js';
import { callRows, marksOf, percentiles, type LatencyCell } from './latency-rows.js';

/** A run as one line for a chat, a log or a commit's note: what came of it, how fast it was, and whether the figures hold. */
export function summaryLine(result: RunResult): string {
  const { totals } = result;
  const [outcome, validity] = [outcomeHeadline(result), validityHeadline(result)];
  const offered = totals.offeredPerSec ? ` of ${formatRate(totals.offeredPerSec)} offered` : '';
  const parts = [
    `${result.name}: ${outcome.word}, ${outcome.text}`,
    `${formatRate(totals.callsPerSec)} calls/s${offered}`,
    percentilesText(result),
    `${validity.word}, ${validity.text}`,
  ];
  return `${parts.filter(Boolean).map(oneLine).join(' · ')}\n`;
}

// Failed calls count as the slowest where that makes a difference; percentiles of too few calls are left out.
function percentilesText(result: RunResult): string {
  const rows = callRows(result);
  const row =
    rows.find(({ name }) => name === 'with failures') ?? rows.find(({ name }) => name === 'call.response');
  const known = percentiles.flatMap(({ title }, at) => {
    const cell = row?.cells[at];
    return cell === undefined || cell.weak ? [] : [`${title} ${cellText(cell)}`];
  });
  const name = row?.name === 'with failures' ? 'call.response with failures' : row?.name;
  return known.length === 0 ? '' : `${name} ${known.join(', ')}`;
}

function cellText(cell: LatencyCell): string {
  return `${cell.ns === Infinity ? 'failed' : formatDuration(cell.ns)}${marksOf(cell)}`;
}
