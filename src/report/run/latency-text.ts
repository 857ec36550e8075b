import type { RunResult } from '../../result/result.js';
import { formatDuration } from '../../result/units.js';
import { callRows, marksOf, percentiles } from './latency-rows.js';

const shown = ['p50', 'p99'];

/** `p50 1.2 ms, p99 8.4 ms~` of `call.response`, marked as in the reports; '' where no call was timed. */
export function latencyText(result: RunResult): string {
  const row = callRows(result).find(({ name }) => name === 'call.response');
  if (row === undefined) return '';
  return percentiles
    .flatMap(({ title }, at) => {
      const cell = row.cells[at];
      return cell === undefined || !shown.includes(title)
        ? []
        : [`${title} ${formatDuration(cell.ns)}${marksOf(cell)}`];
    })
    .join(', ');
}
