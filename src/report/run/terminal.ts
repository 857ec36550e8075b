import { samplesNeeded } from '../../result/percentile-needs.js';
import type { Note, RunResult } from '../../result/result.js';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatPercent,
  formatRate,
} from '../../result/units.js';
import { targetAddress } from '../../result/target-address.js';
import { speechOf, transportOf } from '../../result/transport-of.js';
import { decodeV2, fromHdr } from '../../stats/hdr.js';
import { availabilityText } from './availability-text.js';
import { burstText } from './burst-text.js';
import { describeLoad } from './describe-load.js';
import { displayWidth, pad, truncate, wrap, wrapItems } from '../formats/display-width.js';
import { exampleMessage } from './example-message.js';
import { errorRows, oddityTexts } from './error-rows.js';
import { outcomeHeadline, validityHeadline, type Headline } from './headline.js';
import { barLines, latencyBars } from './latency-bars.js';
import {
  callRows,
  disturbedNote,
  handshakeRows,
  operationRows,
  percentiles,
  type LatencyRow,
  type OperationRow,
} from './latency-rows.js';
import { sessionsText } from './sessions-text.js';
import { targetResourceTexts } from './target-resources.js';
import { createStyle, type Style } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';
import { latencyTable, operationTable, phaseTable } from './terminal-tables.js';
import { thresholdMarks } from './threshold-marks.js';

/** A run as a page of text for people: what came of it first, then the figures, then the doubts, then where they are kept; `glance` leaves out what is seldom looked for. */
export function terminalReport(
  result: RunResult,
  options: { colour: boolean; width: number; path?: string; glance?: boolean },
): string {
  const page: Page = {
    result,
    style: createStyle(options.colour),
    width: Math.max(40, Math.min(options.width, 110)),
  };
  const sections = options.glance ? glance(page, options.path) : everything(page, options.path);
  const lines = sections.filter((section) => section.length > 0).flatMap((section) => [...section, '']);
  return lines.map((line) => line.trimEnd()).join('\n');
}

function everything(page: Page, path: string | undefined): string[][] {
  return [
    heading(page),
    headlines(page),
    facts(page),
    latency(page),
    tables(page),
    thresholds(page),
    errors(page),
    distribution(page),
    notes(page, ['reasons', 'warnings', 'findings']),
    footer(page, path),
  ];
}

// Half a screen: the verdict, how much, how fast, what failed. Where there is more, it says where.
function glance(page: Page, path: string | undefined): string[][] {
  const { result, style } = page;
  const tools = operationRows(result);
  const { warnings } = result.validity;
  const untold = [counted(warnings.length, 'warning'), counted(result.findings.length, 'note on the target')];
  const more = untold.filter((text) => text !== '').join(', ');
  return [
    heading(page),
    headlines(page),
    throughput(page),
    latencyTable('Latency', callRows(result).filter(isHeadline), style, page.width),
    tools.length > 1 ? operationTable(tools, style, page.width) : [],
    marksNote(page, tools),
    thresholds(page),
    errors(page),
    notes(page, ['reasons']),
    [
      style.faint(`${more === '' ? '' : `${more}; `}everything: --verbose, or --report html=FILE`),
      ...(path === undefined ? [] : [resultLine(page, path)]),
    ],
  ];
}

function isHeadline({ name }: LatencyRow): boolean {
  return name === 'call.response' || name === 'with failures';
}

function marksNote({ result, style, width }: Page, tools: readonly OperationRow[]): string[] {
  const rows = [...callRows(result).filter(isHeadline), ...tools.flatMap(({ response }) => response ?? [])];
  const cells = rows.flatMap((row) => row.cells);
  const marks = [
    cells.some(({ between }) => between !== null) ? '~ disturbed by the generator' : '',
    cells.some(({ weak }) => weak) ? '* too few samples' : '',
  ].filter((text) => text !== '');
  return wrap(marks.join(', '), width - 2)
    .filter(Boolean)
    .map((line) => style.faint(`  ${line}`));
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what.replace(/^\w+/, (word) => (count === 1 ? word : `${word}s`))}`;
}

interface Page {
  result: RunResult;
  style: Style;
  width: number;
}

function heading({ result, style, width }: Page): string[] {
  const { target, scenario } = result;
  const server = target.server ? `${target.server.name} ${target.server.version}` : 'server unknown';
  const posts = scenario.posts.mode === 'serial' ? '' : `${scenario.posts.mode} POSTs`;
  const load =
    scenario.phases.length === 1
      ? describeLoad(scenario.phases[0]!.load)
      : `${scenario.phases.length} phases`;
  const what = `${formatCount(scenario.sessions.count)} sessions, ${load}, ${formatElapsed(result.durationMs)}`;
  return [
    `${style.strong(truncate(oneLine(result.name), width))}`,
    ...wrapItems(
      [targetAddress(target), transportOf(target).title, speechOf(target), server, posts].map(oneLine),
      width,
    ).map(style.faint),
    ...wrap(what, width).map(style.faint),
  ];
}

function headlines({ result, style, width }: Page): string[] {
  const marks = { good: '✓', doubt: '!', bad: '✗' };
  const both = [outcomeHeadline(result), validityHeadline(result)];
  const wordWidth = Math.max(...both.map(({ word }) => word.length));
  const lines = ({ state, word, text }: Headline): string[] => {
    const [first = '', ...more] = wrap(text, width - wordWidth - 4);
    const label = style.strong(style[state](`${marks[state]} ${word}`));
    return [
      `${label}${' '.repeat(wordWidth - word.length + 2)}${first}`,
      ...more.map((line) => ' '.repeat(wordWidth + 4) + line),
    ];
  };
  return both.flatMap(lines);
}

function throughput(page: Page): string[] {
  return factLines(page, [['throughput', throughputText(page.result)]]);
}

function throughputText({ totals: { callsPerSec, offeredPerSec: offered } }: RunResult): string {
  const share =
    offered === null || offered === 0
      ? ''
      : `, ${formatPercent(callsPerSec / offered)} of the ${formatRate(offered)} offered`;
  return `${formatRate(callsPerSec)} calls/s${share}`;
}

function facts(page: Page): string[] {
  const { result } = page;
  const { totals, sessions, generator, warmup } = result;
  const bursts = burstText(result);
  const available = availabilityText(totals.availability);
  const used = targetResourceTexts(result);
  const rows: [string, string][] = [
    ['throughput', throughputText(result)],
    ...(available === null ? [] : [['availability', available] satisfies [string, string]]),
    ['sessions', sessionsText(sessions)],
    ['traffic', `${formatBytes(totals.bytesIn)} in, ${formatBytes(totals.bytesOut)} out`],
    ...(bursts === null ? [] : [['bursts', bursts] satisfies [string, string]]),
    ['generator', generatorText(generator)],
    ...(used.length === 0 ? [] : [['server', used.join(', ')] satisfies [string, string]]),
  ];
  if (warmup.started > 0)
    rows.splice(1, 0, ['warm-up', `${formatCount(warmup.started)} calls before, in none of the figures`]);
  return factLines(page, rows);
}

function factLines({ style, width }: Page, rows: readonly [string, string][]): string[] {
  return rows.flatMap(([label, text]) => {
    const [first = '', ...more] = wrap(text, width - 15);
    return [`  ${style.faint(label.padEnd(13))}${first}`, ...more.map((line) => ' '.repeat(15) + line)];
  });
}

function generatorText(generator: RunResult['generator']): string {
  const busiest = Math.max(0, ...generator.loopUtilisation);
  const target = generator.targetCpuShare;
  return [
    `${formatPercent(busiest)} busy`,
    `longest turn ${formatDuration(Math.max(0, ...generator.longestTurnMs) * 1e6)}`,
    `${formatBytes(generator.maxRssBytes)}`,
    ...(target === null ? [] : [`target ${formatPercent(target)} of a core`]),
  ].join(', ');
}

function latency(page: Page): string[] {
  const calls = callRows(page.result);
  const handshake = handshakeRows(page.result);
  const lines = [
    ...latencyTable('Latency', calls, page.style, page.width),
    ...(calls.length > 0 && handshake.length > 0 ? [''] : []),
    ...latencyTable('Handshake', handshake, page.style, page.width),
  ];
  const disturbed = disturbedNote([...calls, ...handshake, ...toolRows(page.result)]);
  const footnotes = [
    ...failuresNote(calls),
    ...(disturbed === null ? [] : [`~ ${disturbed}`]),
    ...weakNote([...calls, ...handshake]),
  ];
  return [
    ...lines,
    ...footnotes.flatMap((text) => wrap(text, page.width - 2)).map((line) => page.style.faint(`  ${line}`)),
  ];
}

// Of a single tool they are those of all calls.
function toolRows(result: RunResult): LatencyRow[] {
  const rows = operationRows(result).flatMap(({ response }) => response ?? []);
  return rows.length > 1 ? rows : [];
}

function failuresNote(rows: readonly LatencyRow[]): string[] {
  return rows.some(({ name }) => name === 'with failures')
    ? ['with failures: every failed call counts as slower than any other']
    : [];
}

function weakNote(rows: readonly LatencyRow[]): string[] {
  const marked = percentiles.filter((_, at) => rows.some(({ cells }) => cells[at]?.weak));
  const needs = marked.map(
    ({ title, percentile }) => `${title} needs ${formatCount(samplesNeeded(percentile))}`,
  );
  return needs.length > 0 ? [`* too few samples: ${needs.join(', ')}`] : [];
}

function tables({ result, style, width }: Page): string[] {
  const tools = result.totals.started > 0 ? operationTable(operationRows(result), style, width) : [];
  const phases = result.phases.length > 1 ? phaseTable(result.phases, style, width) : [];
  return [...tools, ...(phases.length > 0 ? ['', ...phases] : [])];
}

function thresholds({ result, style, width }: Page): string[] {
  if (result.thresholds.length === 0) return [];
  const lines = result.thresholds.flatMap(({ metric, rule, detail, state }) => {
    const mark = thresholdMarks[state];
    const rows = wrap(
      oneLine(`${metric} ${rule}: ${state === 'undecided' ? mark.word : ''}${detail}`),
      width - 4,
    );
    return rows.map((row, at) => `  ${at > 0 ? ' ' : style[mark.style](mark.sign)} ${row}`);
  });
  return [style.strong('Thresholds'), ...lines];
}

function errors({ result, style, width }: Page): string[] {
  const rows = errorRows(result);
  const odd = oddityTexts(result);
  const kinds = rows.map(({ kind }) => truncate(oneLine(kind), width - 26));
  const kindWidth = Math.max(0, ...kinds.map(displayWidth));
  const countWidth = Math.max(0, ...rows.map(({ count }) => formatCount(count).length));
  const lines = rows.flatMap(({ count, share, example }, at) => [
    `  ${pad(style.bad(kinds[at]!), kindWidth)}  ${pad(formatCount(count), countWidth, 'right')} (${formatPercent(share)})`,
    ...(example === null ? [] : exampleLines(exampleMessage(example), width).map(style.faint)),
  ]);
  const also = wrap(oneLine(odd.join(', ')), width - 2).map((line) => `  ${line}`);
  return [
    ...(lines.length > 0 ? [style.strong('Errors'), ...lines] : []),
    ...(lines.length > 0 && odd.length > 0 ? [''] : []),
    ...(odd.length > 0 ? [style.strong('Also seen'), ...also] : []),
  ];
}

/** Two lines of it: the telling part of a message is seldom in its first words. */
function exampleLines(example: string, width: number): string[] {
  const [first = '', ...more] = wrap(oneLine(example), width - 4);
  const lines = more.length > 0 ? [first, truncate(more.join(' '), width - 4)] : [first];
  return lines.map((line) => `    ${line}`);
}

function distribution({ result, style, width }: Page): string[] {
  const response = result.metrics['call.response'];
  if (!response || response.count === 0) return [];
  const marks = percentiles.slice(0, 3).map(({ title, key }) => ({ title, ns: response[key] }));
  const lines = barLines(latencyBars(fromHdr(decodeV2(response.hdr)), 16), marks, width - 2);
  return [style.strong('Distribution of call.response'), ...lines.map((line) => `  ${line}`)];
}

type NoteKind = 'reasons' | 'warnings' | 'findings';

function notes({ result, style, width }: Page, kinds: readonly NoteKind[]): string[] {
  const list = (title: string, entries: Note[], paint: (text: string) => string): string[] => {
    if (entries.length === 0) return [];
    const lines = entries.flatMap(({ message }) =>
      wrap(oneLine(message), width - 4).map((line, at) => `  ${at === 0 ? paint('!') : ' '} ${line}`),
    );
    return [style.strong(title), ...lines];
  };
  const lists: Record<NoteKind, string[]> = {
    reasons: list('Why these figures are suspect', result.validity.reasons, style.bad),
    warnings: list('Warnings', result.validity.warnings, style.doubt),
    findings: list('About the target', result.findings, style.doubt),
  };
  const groups = kinds.map((kind) => lists[kind]);
  return groups.filter((group) => group.length > 0).flatMap((group, at) => (at > 0 ? ['', ...group] : group));
}

function resultLine({ style }: Page, path: string): string {
  return `${style.strong('Result')}  ${oneLine(path)}`;
}

function footer(page: Page, path: string | undefined): string[] {
  const { result, style, width } = page;
  const { environment, tool, seed } = result;
  const tags = Object.entries(environment.tags).map(([key, value]) => `${key}=${value}`);
  const about = [
    `mcp-bench ${tool.version}`,
    `Node ${environment.node}`,
    `${environment.cores} × ${environment.cpu}`,
    `${environment.workers} ${environment.workers === 1 ? 'worker' : 'workers'} (${environment.pacing})`,
    environment.git ?? '',
    `seed ${seed}`,
    ...tags,
  ];
  const lines = wrapItems(about.map(oneLine), width).map(style.faint);
  return path === undefined ? lines : [...lines, resultLine(page, path)];
}
