import { formatBytes, formatPercent } from '../../result/units.js';
import type { Ranking, VersusResult } from '../../versus/versus-result.js';
import { foreign, markdownTable, prose } from '../formats/markdown-text.js';
import type { Column } from '../formats/text-table.js';
import {
  aboutText,
  cellText,
  columnNotes,
  failedShare,
  figureOf,
  intervalText,
  methodNotes,
  placeText,
  shownMetrics,
  targetNotes,
  toFirstText,
  toolColumns,
  versusColumns,
  versusFacts,
  versusRows,
} from './versus-rows.js';

const left = (title: string): Column => ({ title, align: 'left' });
const right = (title: string): Column => ({ title, align: 'right' });

/** A contest as Markdown, for a README or a pull request. */
export function versusMarkdown(result: VersusResult): string {
  const { environment, tool, startedAt } = result;
  const machine = [
    `${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    `${environment.cores} × ${environment.cpu}`,
    formatBytes(environment.memoryBytes),
    environment.os,
    `Node ${environment.node}`,
    `mcp-bench ${tool.version}`,
    ...(environment.git === null ? [] : [environment.git]),
  ].join(' · ');
  const marked = targetNotes(result).map(
    ({ target, text }) => `- ⚠️ ${target === null ? '' : `${foreign(target, 60)}: `}${prose(text, 500)}`,
  );
  return [
    `### mcp-bench versus: ${foreign(result.name, 80)}`,
    prose(versusFacts(result).join(' · ')),
    mainTable(result),
    toolTable(result),
    notRanked(result),
    marked.join('\n'),
    [...methodNotes(result), ...columnNotes(result)].map((note) => prose(note, 1000)).join(' '),
    `<details><summary>Every ranking with its intervals</summary>\n\n${result.rankings
      .filter(({ places }) => places.length > 0)
      .map(rankingTable)
      .join('\n\n')}\n\n</details>`,
    `<sub>${prose(machine)}</sub>`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

function mainTable(result: VersusResult): string {
  const metrics = shownMetrics(result);
  const columns = [
    left('#'),
    left('target'),
    ...metrics.map((metric) => right(versusColumns[metric].title)),
    right('failed'),
  ];
  const rows = versusRows(result)
    .filter(({ target }) => target.reason === null)
    .map(({ target, place, cells }) => {
      const about = aboutText(target);
      return [
        place,
        foreign(target.name, 60) + (about === '' ? '' : `<br><sub>${prose(about, 80)}</sub>`),
        ...metrics.map((metric) => solid(cellText(result, metric, cells[metric]))),
        solid(formatPercent(failedShare(target) ?? NaN)),
      ];
    });
  return rows.length === 0 ? '❌ No target could be ranked.' : markdownTable(columns, rows);
}

function toolTable(result: VersusResult): string {
  const tools = toolColumns(result);
  const names = versusRows(result)
    .filter(({ target }) => target.reason === null)
    .map(({ target }) => target.name);
  if (tools.length === 0 || names.length === 0) return '';
  const columns = [left('p50 by tool'), ...names.map((name) => right(foreign(name, 60)))];
  return markdownTable(
    columns,
    tools.map(({ tool, cell }) => [foreign(tool, 60), ...names.map((name) => solid(cell(name)))]),
  );
}

function notRanked({ targets }: VersusResult): string {
  const out = targets.filter(({ reason }) => reason !== null);
  if (out.length === 0) return '';
  return [
    '**Not ranked**',
    '',
    ...out.map(({ name, reason }) => `- ❌ ${foreign(name, 60)}: ${prose(reason!, 500)}`),
  ].join('\n');
}

function rankingTable(ranking: Ranking): string {
  const { metric, places } = ranking;
  const columns = [
    left('#'),
    left(versusColumns[metric].long),
    right('median'),
    right('interval'),
    right('to the first'),
    left('tied'),
    right('every round'),
  ];
  const rows = places.map((place) => [
    placeText(ranking, place.target),
    foreign(place.target, 60),
    solid(figureOf(metric, place.median)),
    solid(intervalText(metric, place)),
    solid(toFirstText(place)),
    place.ties,
    place.values.map((value) => solid(figureOf(metric, value))).join(', '),
  ]);
  return markdownTable(columns, rows);
}

// A figure and its unit stay on one line of a narrow cell.
function solid(text: string): string {
  return prose(text).replaceAll(' ', '\u00a0');
}
