import { failedCalls } from '../../../result/conservation.js';
import type { RunResult } from '../../../result/result.js';
import { formatPercent, formatRate } from '../../../result/units.js';
import { duration } from '../run/latency-table.js';
import { markup } from '../markup.js';
import type { ComparedSides } from './overlay-section.js';
import type { Section } from '../section.js';
import { dataTable, figure, word, type TableCell } from '../table.js';

/** Every run that went into a comparison, with what it gave. */
export function comparedRunsSection({ comparison, base, head }: ComparedSides): Section {
  const rows = [
    ...base.map((run, at) => rowOf(comparison.base, run, at)),
    ...head.map((run, at) => rowOf(comparison.head, run, at)),
  ];
  const columns = [
    word('run'),
    word('started'),
    word('commit'),
    word('server'),
    figure('p50'),
    figure('p99'),
    figure('calls/s'),
    figure('failed'),
    word('figures'),
    word('machine'),
  ];
  return {
    id: 'runs',
    title: 'Runs',
    body: dataTable(
      'Runs of both sides',
      columns,
      rows.map((row) => [row]),
      { sorts: true },
    ),
  };
}

function rowOf(side: ComparedSides['comparison']['base'], run: RunResult, at: number): TableCell[] {
  const reference = side.runs[at];
  const response = run.metrics['call.response'];
  const latency = (key: 'p50' | 'p99'): TableCell =>
    response && response.count > 0
      ? { shown: duration(response[key]), sortBy: response[key] }
      : { shown: '–', sortBy: 1e300 };
  const failed = failedCalls(run.totals.outcomes) / Math.max(1, run.totals.started);
  const path = reference?.path;
  return [
    { shown: markup`${side.label} ${at + 1}${path && markup`<small>${path}</small>`}` },
    { shown: run.startedAt.slice(0, 19).replace('T', ' ') },
    { shown: run.environment.git?.slice(0, 12) ?? '' },
    { shown: reference?.server ?? '' },
    latency('p50'),
    latency('p99'),
    { shown: formatRate(run.totals.callsPerSec), sortBy: run.totals.callsPerSec },
    { shown: formatPercent(failed), sortBy: failed },
    { shown: run.validity.state === 'valid' ? 'valid' : markup`<span class="bad">suspect</span>` },
    { shown: reference?.machine ?? '' },
  ];
}
