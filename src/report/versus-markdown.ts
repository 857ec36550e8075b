import { formatAmount, formatElapsed, formatPercent } from '../result/units.js';
import type { Ranking, VersusResult } from '../versus/versus-result.js';
import { describeLoad } from './describe-load.js';
import { foreign, markdownTable, prose } from './markdown-text.js';
import type { Column } from './text-table.js';
import {
  cellText,
  columnOrder,
  failedShare,
  intervalText,
  placeText,
  targetText,
  toBestText,
  versusColumns,
  versusNotes,
  versusRows,
} from './versus-rows.js';

/** A contest as Markdown, for a README or a pull request. */
export function versusMarkdown(result: VersusResult): string {
  const { scenario, environment, tool } = result;
  const load =
    scenario.phases.length === 1
      ? describeLoad(scenario.phases[0]!.load)
      : `${scenario.phases.length} phases`;
  const about = `${formatAmount(scenario.sessions.count, 'session')}, ${load}; ${formatAmount(result.rounds, 'round')} of ${formatElapsed(lengthMs(result))}`;
  const machine = `${environment.cores} × ${environment.cpu}, Node ${environment.node}, ${environment.os}, mcp-bench ${tool.version}`;
  return [
    `### ${foreign(result.name, 80)}: ${prose(about)}`,
    mainTable(result),
    notRanked(result),
    `<details><summary>Intervals</summary>\n\n${result.rankings
      .map((ranking) => rankingTable(ranking))
      .filter(Boolean)
      .join('\n\n')}\n\n</details>`,
    [...versusNotes(result), machine].map((note) => `<sub>${prose(note)}</sub>`).join('<br>\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

function mainTable(result: VersusResult): string {
  const letters = result.pairConfidence !== null;
  const columns: Column[] = [
    { title: '#', align: 'left' },
    { title: 'target', align: 'left' },
    ...columnOrder.map((metric): Column => ({ title: versusColumns[metric].title, align: 'right' })),
    { title: 'failed', align: 'right' },
  ];
  const rows = versusRows(result)
    .filter(({ target }) => target.reason === null)
    .map(({ target, place, cells }) => [
      place,
      prose(targetText(target), 60),
      ...columnOrder.map((metric) => prose(cellText(metric, cells[metric], letters))),
      formatPercent(failedShare(target) ?? NaN),
    ]);
  return rows.length === 0 ? 'No target could be ranked.' : markdownTable(columns, rows);
}

function notRanked({ targets }: VersusResult): string {
  const out = targets.filter(({ reason }) => reason !== null);
  if (out.length === 0) return '';
  return [
    'Not ranked:',
    ...out.map((target) => `- ${prose(targetText(target), 60)}: ${foreign(target.reason!, 300)}`),
  ].join('\n');
}

function rankingTable(ranking: Ranking): string {
  const { metric, places } = ranking;
  if (places.length === 0) return '';
  const columns: Column[] = [
    { title: versusColumns[metric].long, align: 'left' },
    { title: 'median', align: 'right' },
    { title: 'interval', align: 'right' },
    { title: 'to the first', align: 'right' },
    { title: 'tied', align: 'left' },
  ];
  const rows = places.map((place) => [
    `${placeText(ranking, place.target)} ${prose(place.target, 60)}`,
    versusColumns[metric].show(place.median),
    intervalText(metric, place),
    toBestText(place),
    place.ties,
  ]);
  return markdownTable(columns, rows);
}

function lengthMs({ scenario }: VersusResult): number {
  return scenario.phases.reduce((sum, { durationNs }) => sum + (durationNs ?? 0) / 1e6, 0);
}
