import { failedCalls } from '../../../result/conservation.js';
import type { RunResult } from '../../../result/result.js';
import { formatCount, formatElapsed, formatRate } from '../../../result/units.js';
import { describeLoad } from '../../run/describe-load.js';
import { latencyCell, latencyColumns, weakNote } from './latency-table.js';
import { latencyRow } from '../../run/latency-rows.js';
import { markup } from '../markup.js';
import type { Section } from '../section.js';
import { dataTable, figure, word, type TableCell } from '../table.js';

/** One row per phase; nothing where there is but one. */
export function phaseSection(result: RunResult): Section | null {
  if (result.phases.length < 2) return null;
  const rows = result.phases.map(({ name, durationMs, totals, metrics }, at): TableCell[] => {
    const plan = result.scenario.phases[at];
    const response = metrics['call.response'];
    const latency = response && response.count > 0 ? latencyRow(name, response).cells.map(latencyCell) : [];
    return [
      { shown: plan ? markup`${name}<small>${describeLoad(plan.load)}</small>` : name },
      { shown: formatElapsed(durationMs) },
      { shown: formatRate(totals.callsPerSec) },
      { shown: totals.offeredPerSec === null ? '–' : formatRate(totals.offeredPerSec) },
      { shown: formatCount(failedCalls(totals.outcomes)) },
      ...latency,
    ];
  });
  const columns = [
    word('phase'),
    figure('length'),
    figure('calls/s'),
    figure('offered/s'),
    figure('failed'),
    ...latencyColumns,
  ];
  const weak = result.phases.flatMap(({ name, metrics }) => {
    const response = metrics['call.response'];
    return response && response.count > 0 ? [latencyRow(name, response)] : [];
  });
  return {
    id: 'phases',
    title: 'Phases',
    body: markup`${dataTable('Figures by phase', columns, [rows])}\n${weakNote(weak)}`,
  };
}
