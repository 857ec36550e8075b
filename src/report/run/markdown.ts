import { samplesNeeded } from '../../result/percentile-needs.js';
import type { Note, RunResult } from '../../result/result.js';
import { formatCount, formatDuration, formatElapsed, formatPercent, formatRate } from '../../result/units.js';
import { targetAddress } from '../../result/target-address.js';
import { speechOf, transportOf, varietyOf } from '../../result/transport-of.js';
import { availabilityText } from './availability-text.js';
import { burstText } from './burst-text.js';
import { describeLoad } from './describe-load.js';
import { errorRows, oddityTexts } from './error-rows.js';
import { outcomeHeadline, validityHeadline, type Headline } from './headline.js';
import {
  callRows,
  handshakeRows,
  operationRows,
  percentiles,
  type LatencyCell,
  type LatencyRow,
  disturbedNote,
  marksOf,
} from './latency-rows.js';
import { foreign, markdownTable, prose } from '../formats/markdown-text.js';
import type { Column } from '../formats/text-table.js';
import { targetResourceTexts } from './target-resources.js';
import { gravestFirst, thresholdMarks } from './threshold-marks.js';

const mostBytes = 60_000;
const mostRows = 30;
const mostNotes = 10;
const left = (title: string): Column => ({ title, align: 'left' });
const right = (title: string): Column => ({ title, align: 'right' });
const latencyColumns = [...percentiles.map(({ title }) => title), 'max'].map(right);

/** A run as Markdown for a pull request's comment or a step summary: under 64 kB whatever it holds; what does not fit is said to be left out. */
export function markdownReport(result: RunResult): string {
  const sections = [
    headline(result),
    thresholds(result),
    notes(result),
    latency(result),
    tools(result),
    errors(result),
    details(result),
  ].filter(Boolean);
  return fitting(sections);
}

/** Sections in the order of their importance, all that fit. */
function fitting(sections: readonly string[]): string {
  let text = '';
  let left = 0;
  for (const section of sections) {
    const longer = text === '' ? `${section}\n` : `${text}\n${section}\n`;
    if (Buffer.byteLength(longer) <= mostBytes) text = longer;
    else left++;
  }
  return left === 0 ? text : `${text}\n_Some parts are left out: they would not fit._\n`;
}

function headline(result: RunResult): string {
  const icons = { good: '✅', doubt: '⚠️', bad: '❌' };
  const line = ({ state, word, text }: Headline): string => `${icons[state]} **${word}**: ${prose(text)}`;
  const { totals, scenario } = result;
  const load =
    scenario.phases.length === 1
      ? describeLoad(scenario.phases[0]!.load)
      : `${scenario.phases.length} phases`;
  const offered =
    totals.offeredPerSec === null || totals.offeredPerSec === 0
      ? ''
      : `, ${formatPercent(totals.callsPerSec / totals.offeredPerSec)} of the ${formatRate(totals.offeredPerSec)} offered`;
  return [
    `### mcp-bench: ${foreign(result.name, 80)}`,
    '',
    `${line(outcomeHeadline(result))}  `,
    `${line(validityHeadline(result))}  `,
    `**${formatRate(totals.callsPerSec)} calls/s**${offered} · ${formatCount(scenario.sessions.count)} sessions, ${load}, ${formatElapsed(result.durationMs)}`,
  ].join('\n');
}

function thresholds(result: RunResult): string {
  if (result.thresholds.length === 0) return '';
  const rows = gravestFirst(result.thresholds)
    .slice(0, mostRows)
    .map(({ metric, rule, detail, state }) => [
      `${thresholdMarks[state].icon} ${foreign(`${metric} ${rule}`)}`,
      prose(detail, 120),
    ]);
  return markdownTable([left('threshold'), left('was')], rows) + leftOut(result.thresholds.length);
}

function notes(result: RunResult): string {
  const list = (icon: string, entries: readonly Note[]): string[] =>
    entries.slice(0, mostNotes).map(({ message }) => `- ${icon} ${prose(message)}`);
  return [
    ...list('❌ suspect:', result.validity.reasons),
    ...list('⚠️', result.validity.warnings),
    ...list('🔎', result.findings),
  ].join('\n');
}

function latency(result: RunResult): string {
  const rows = callRows(result);
  if (rows.length === 0) return '';
  const tools = operationRows(result).flatMap(({ response }) => response ?? []);
  const disturbed = disturbedNote([...rows, ...handshakeRows(result), ...(tools.length > 1 ? tools : [])]);
  const table = markdownTable([left('latency'), ...latencyColumns, right('n')], rows.map(latencyCells));
  const footnotes = [
    ...(rows.some(({ name }) => name === 'with failures')
      ? ['with failures: every failed call counts as slower than any other']
      : []),
    ...(disturbed === null ? [] : [`~ ${prose(disturbed, 2000)}`]),
    ...weakNote(rows),
  ];
  return footnotes.length === 0 ? table : `${table}\n\n<sub>${footnotes.join('; ')}</sub>`;
}

function tools(result: RunResult): string {
  const rows = operationRows(result);
  if (rows.length === 0 || result.totals.started === 0) return '';
  const cells = rows
    .slice(0, mostRows)
    .flatMap(({ name, ok, failed, callsPerSec, response, withFailures }) => [
      [
        foreign(name, 60),
        formatCount(ok),
        formatCount(failed),
        formatRate(callsPerSec),
        ...(response?.cells.map(cellText) ?? []),
      ],
      ...(withFailures ? [['_with failures_', '', '', '', ...withFailures.cells.map(cellText)]] : []),
    ]);
  return (
    markdownTable([left('tool'), right('ok'), right('failed'), right('calls/s'), ...latencyColumns], cells) +
    leftOut(rows.length)
  );
}

function errors(result: RunResult): string {
  const rows = errorRows(result);
  const odd = oddityTexts(result);
  const table = markdownTable(
    [left('error'), right('count'), right('share'), left('example')],
    rows
      .slice(0, mostRows)
      .map(({ kind, count, share, example }) => [
        foreign(kind, 60),
        formatCount(count),
        unbroken(prose(formatPercent(share))),
        example === null ? '' : foreign(example, 160),
      ]),
  );
  return [
    ...(rows.length > 0 ? [table + leftOut(rows.length)] : []),
    ...(odd.length > 0
      ? [
          `Also seen: ${odd
            .slice(0, mostRows)
            .map((text) => foreign(text, 60))
            .join(', ')}`,
        ]
      : []),
  ].join('\n\n');
}

// What servers of stdio used is said in several figures.
const longestFact = 250;

function details(result: RunResult): string {
  const { environment, target, tool } = result;
  const handshake = handshakeRows(result);
  const facts: [string, string][] = [
    ['target', targetAddress(target)],
    ['transport', transportOf(target).title],
    [varietyOf(target).name, speechOf(target)],
    ['server', target.server ? `${target.server.name} ${target.server.version}` : 'unknown'],
    ['server used', targetResourceTexts(result).join(', ')],
    ['machine', `${environment.cores} × ${environment.cpu}, ${environment.os}`],
    ['Node', environment.node],
    ['workers', `${environment.workers} (${environment.pacing})`],
    ['mcp-bench', tool.version],
    ['commit', environment.git ?? ''],
    ['seed', String(result.seed)],
    ['availability', availabilityText(result.totals.availability) ?? ''],
    ['bursts', burstText(result) ?? ''],
    ['started', result.startedAt],
    ...Object.entries(environment.tags).slice(0, mostRows),
  ];
  return [
    '<details><summary>Handshake and environment</summary>',
    '',
    ...(handshake.length > 0
      ? [markdownTable([left('handshake'), ...latencyColumns, right('n')], handshake.map(latencyCells)), '']
      : []),
    ...facts
      .filter(([, value]) => value !== '')
      .map(([label, value]) => `- ${prose(label, 60)}: ${foreign(value, longestFact)}`),
    '',
    '</details>',
  ].join('\n');
}

function latencyCells({ name, cells, count }: LatencyRow): string[] {
  return [name === 'with failures' ? `_${name}_` : name, ...cells.map(cellText), formatCount(count)];
}

function cellText(cell: LatencyCell): string {
  const marks = marksOf(cell).replace(/[~*]/g, '\\$&');
  return cell.ns === Infinity ? `failed${marks}` : `${unbroken(formatDuration(cell.ns))}${marks}`;
}

/** A figure and its unit stay on one line of a narrow cell. */
function unbroken(figure: string): string {
  return figure.replaceAll(' ', '\u00a0');
}

function weakNote(rows: readonly LatencyRow[]): string[] {
  const marked = percentiles.filter((_, at) => rows.some(({ cells }) => cells[at]?.weak));
  const needs = marked.map(
    ({ title, percentile }) => `${title} needs ${formatCount(samplesNeeded(percentile))}`,
  );
  return needs.length > 0 ? [`\\* too few samples: ${needs.join(', ')}`] : [];
}

function leftOut(count: number): string {
  return count > mostRows ? `\n\n_… and ${formatCount(count - mostRows)} more._` : '';
}
