import { formatPercent } from '../../../result/units.js';
import type { VersusResult, VersusRun, VersusTarget } from '../../../versus/versus-result.js';
import { unbroken } from '../../comparison/comparison-text.js';
import { figureOf, shownMetrics, versusColumns } from '../../versus/versus-rows.js';
import { factsList } from '../facts-list.js';
import { machineFacts } from '../machine-facts.js';
import { markup, type Markup } from '../markup.js';
import type { Section } from '../section.js';
import { dataTable, figure, type TableCell, word } from '../table.js';
import { targetName } from './versus-table-section.js';

/** Every single run, in the order in which they were made. */
export function versusRunsSection(result: VersusResult): Section {
  const metrics = shownMetrics(result);
  const runs = result.targets
    .flatMap((target) => target.runs.map((run) => ({ target, run })))
    .sort((a, b) => (a.run.startedAt < b.run.startedAt ? -1 : 1));
  const columns = [
    word('target'),
    figure('round'),
    word('started'),
    word('figures'),
    ...metrics.map((metric) => figure(versusColumns[metric].title)),
    figure('failed'),
  ];
  return {
    id: 'runs',
    title: 'Runs',
    body: dataTable(
      'Every run',
      columns,
      runs.map(({ target, run }) => [
        [
          { shown: targetName(target.name) },
          { shown: run.round, sortBy: run.round },
          { shown: run.startedAt.slice(11, 19) },
          { shown: stateOf(run) },
          ...metrics.map((metric): TableCell => {
            const value = run.figures[metric];
            return value === null
              ? { shown: '–', sortBy: -1 }
              : { shown: unbroken(figureOf(metric, value)), sortBy: Math.min(value, 1e300) };
          }),
          failedCell(run),
        ],
      ]),
      { sorts: true },
    ),
  };
}

function failedCell({ calls }: VersusRun): TableCell {
  if (calls === null || calls.started === 0) return { shown: '–', sortBy: -1 };
  const share = calls.failed / calls.started;
  return { shown: formatPercent(share), sortBy: share };
}

function stateOf({ state }: VersusRun): Markup {
  if (state === 'ok') return markup`valid`;
  return markup`<span class="${state === 'suspect' ? 'doubt' : 'bad'}">${state}</span>`;
}

/** What the targets are and how they were started, and the machine. */
export function versusEnvironmentSection(result: VersusResult): Section {
  const { environment, tool, targets, order } = result;
  return {
    id: 'environment',
    title: 'Environment',
    body: markup`<div class="columns">
<div><h3>Machine</h3>
${factsList([
  ...machineFacts(environment, tool.version),
  ['workers', `${environment.workers}, pacing by ${environment.pacing}`],
  ['started', `${result.startedAt.slice(0, 16).replace('T', ' ')} UTC`],
])}</div>
<div><h3>Order</h3>
${factsList(order.map((row, at): [string, string] => [`round ${at + 1}`, row.join(', ')]))}</div>
</div>
<h3>Targets</h3>
${dataTable(
  'Targets',
  [word('target'), word('server'), word('dialect'), word('started by'), word('processes')],
  [targets.map(targetCells)],
)}`,
  };
}

function targetCells({ name, server, dialect, url, command, askedInstead, runs }: VersusTarget): TableCell[] {
  const processes = Math.max(0, ...runs.map(({ resources }) => resources?.processes ?? 0));
  return [
    { shown: targetName(name) },
    { shown: server === null ? '–' : `${server.name} ${server.version}` },
    { shown: dialect || '–' },
    {
      shown: markup`<code>${command ?? url}</code>${askedInstead && markup`<br><small>asked instead: ${askedInstead.join(', ')}</small>`}`,
    },
    { shown: processes === 0 ? '–' : String(processes) },
  ];
}
