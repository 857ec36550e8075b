import { transportKinds } from '../../transport/transport-kinds.js';
import type { CallSample, Departure, ProbedTool, ProbeReport } from '../../probe/probe-report.js';
import { readSchema } from '../../probe/read-schema.js';
import { formatAmount, formatDuration, formatElapsed, formatPercent } from '../../result/units.js';
import { truncate, wrap, wrapItems } from '../formats/display-width.js';
import { createStyle, type Style } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';
import { textTable } from '../formats/text-table.js';

interface Page {
  readonly report: ProbeReport;
  readonly style: Style;
  readonly width: number;
}

/** A probe as a page of text: who is there, what it can do, how fast it answers, what it does otherwise than the protocol says. */
export function probeTerminal(report: ProbeReport, options: { colour: boolean; width: number }): string {
  const page: Page = {
    report,
    style: createStyle(options.colour),
    width: Math.max(40, Math.min(options.width, 110)),
  };
  const sections = [
    heading(page),
    facts(page),
    handshake(page),
    calls(page),
    tools(page),
    departures(page),
    notes(page),
  ];
  const lines = sections.filter((section) => section.length > 0).flatMap((section) => [...section, '']);
  return lines.map((line) => line.trimEnd()).join('\n');
}

function heading({ report, style, width }: Page): string[] {
  const { server } = report;
  const name = server === null ? 'an MCP server without a name' : `${server.name} ${server.version}`;
  return [
    style.strong(truncate(oneLine(name), width)),
    style.faint(truncate(oneLine(report.command?.join(' ') ?? report.url), width)),
  ];
}

function facts(page: Page): string[] {
  const { report } = page;
  const { asked, answered } = report.protocolVersion;
  const rows: [string, string][] = [
    ['transport', transportText(report)],
    ['dialect', dialectText(report)],
    [
      'protocol',
      answered === null ? 'not said' : answered === asked ? answered : `${answered} (asked for ${asked})`,
    ],
    ['capabilities', capabilitiesText(report.capabilities)],
    ['endpoint', report.stream?.endpoint ?? (report.stream === null ? '' : 'the path of the stream itself')],
    ['line endings', lineEndingsText(report)],
    ['POSTs', postsText(report)],
    ['replies', repliesText(report)],
    ['session', sessionText(report)],
    ['keep-alive', keepAliveText(report)],
    ['instructions', report.instructions ?? ''],
  ];
  return rows.filter(([, text]) => text !== '').flatMap(([label, text]) => labelled(page, label, text, 3));
}

function labelled({ style, width }: Page, label: string, text: string, most: number): string[] {
  const [first = '', ...more] = wrap(oneLine(text), width - 16);
  const shown =
    more.length < most
      ? more
      : [...more.slice(0, most - 2), truncate(more.slice(most - 2).join(' '), width - 16)];
  return [`  ${style.faint(label.padEnd(14))}${first}`, ...shown.map((line) => ' '.repeat(16) + line)];
}

function transportText({ transport, era }: ProbeReport): string {
  if (transport === 'sse') return transportKinds.sse.title;
  return `${transportKinds[transport].title}, ${era === 'stateless' ? 'stateless' : 'with sessions'}`;
}

function repliesText({ replies }: ProbeReport): string {
  if (replies === null) return '';
  const { json, events, priming } = replies;
  const kinds = [
    json > 0 ? (events > 0 ? `JSON (${json})` : 'JSON') : '',
    events > 0 ? (json > 0 ? `streams of events (${events})` : 'streams of events') : '',
  ].filter(Boolean);
  return [kinds.join(' or ') || 'none', priming > 0 ? 'priming events' : ''].filter(Boolean).join(', ');
}

function sessionText({ replies, era }: ProbeReport): string {
  if (replies === null || era === 'stateless') return '';
  const { session } = replies;
  if (session === null) return 'no id is given out';
  const ends = {
    deleted: 'DELETE ends it',
    refused: 'DELETE is refused',
    unanswered: 'DELETE is not answered',
  };
  return `an id, ${ends[session]}`;
}

function dialectText({ dialect }: ProbeReport): string {
  if (dialect === null) return '';
  return dialect.exact ? dialect.name : `${dialect.name} (best match; ${dialect.differences.join('; ')})`;
}

function capabilitiesText(capabilities: unknown): string {
  if (typeof capabilities !== 'object' || capabilities === null) return 'none said';
  const names = Object.entries(capabilities).map(([name, value]) => {
    const details =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== false)
        : [];
    return details.length === 0 ? name : `${name} (${details.join(', ')})`;
  });
  return names.join(', ') || 'none';
}

function lineEndingsText({ stream }: ProbeReport): string {
  if (stream === null) return '';
  const { lf, crlf, cr } = stream.lineEndings;
  const seen = [lf > 0 ? 'LF' : '', crlf > 0 ? 'CRLF' : '', cr > 0 ? 'CR' : ''].filter(Boolean);
  const parts = [seen.length > 1 ? `${seen.join(' and ')}, mixed` : (seen[0] ?? 'none seen')];
  if (stream.spaceAfterColon !== 'always')
    parts.push(
      stream.spaceAfterColon === 'never'
        ? 'no space after the colon'
        : 'a space after the colon now and then',
    );
  if (stream.eventIds) parts.push('events have ids');
  if (stream.retryMs !== null) parts.push(`retry ${stream.retryMs} ms`);
  return parts.join(', ');
}

function postsText({ posts }: ProbeReport): string {
  if (posts === null) return '';
  const kinds = posts.accepted.map(({ status, body, framing }) => {
    const content = body === '' ? 'empty' : `"${truncate(oneLine(body), 40)}"`;
    return `${status} ${content}${framing === 'Content-Length' ? '' : ` (${framing})`}`;
  });
  const reuse =
    posts.reused > 0
      ? `connections are kept${posts.keepAliveHeader === null ? '' : ` (${posts.keepAliveHeader})`}`
      : posts.closedByServer > 0
        ? 'closes the connection after every answer'
        : '';
  return [kinds.join(' or '), reuse].filter(Boolean).join('; ');
}

function keepAliveText({ keepAlive }: ProbeReport): string {
  if (keepAlive === null) return '';
  const listened = formatElapsed(keepAlive.listenedMs);
  if (keepAlive.seen.length === 0)
    return `nothing on the stream in ${listened} (--listen 35s hears most servers' pings)`;
  return keepAlive.seen
    .map(({ kind, count, example, everyMs }) => {
      const pace = everyMs === null ? `in ${listened}` : `every ${formatElapsed(everyMs)}`;
      return `${formatAmount(count, kind)} ${pace} (${oneLine(example)})`;
    })
    .join('; ');
}

function handshake({ report, style, width }: Page): string[] {
  const times = report.handshake;
  if (times === null) return [];
  const part = (name: string, ns: number | null): string =>
    ns === null ? '' : `${name} ${formatDuration(ns)}`;
  const parts = [
    part(report.transport === 'stdio' ? 'spawn' : 'connect', times.connectNs),
    part('headers', times.headersNs),
    part('endpoint', times.endpointNs),
    part('discover', times.discoverNs),
    part('initialize', times.initializeNs),
    part('initialized', times.initializedNs),
  ];
  return [
    `${style.strong('Handshake')}  ${formatDuration(times.totalNs)} in all`,
    ...wrapItems(parts, width - 2).map((line) => `  ${line}`),
  ];
}

function calls(page: Page): string[] {
  const { report, style, width } = page;
  const { tool, arguments: args, samples, why, eventBefore202, passedOver } = report.calls;
  const what = tool === null ? 'ping' : `${tool} ${JSON.stringify(args)}`;
  const failed = samples.filter(({ failure }) => failure !== null);
  const lines = [
    `${style.strong('Calls')}  ${truncate(oneLine(`${samples.length} × ${what}`), width - 7)}`,
    ...wrap(`${tool === null ? 'instead of a tool' : 'chosen'}: ${why}`, width - 2).map((line) =>
      style.faint(`  ${line}`),
    ),
    ...timesTable(samples, report.transport === 'sse', width).map((line) => `  ${line}`),
  ];
  const both = samples.filter(({ ackToEventNs }) => ackToEventNs !== null).length;
  if (both > 0 && report.transport === 'sse')
    lines.push(
      `  response before its own 202: ${eventBefore202} of ${both} (${formatPercent(eventBefore202 / both)})`,
    );
  if (failed.length > 0)
    lines.push(
      ...wrap(oneLine(`${failed.length} failed: ${failed[0]!.failure}`), width - 4).map(
        (line) => `  ${style.bad(line)}`,
      ),
    );
  for (const { tool: other, failure } of passedOver)
    lines.push(
      ...wrap(oneLine(`tried before and passed over: ${other}, ${failure}`), width - 2)
        .slice(0, 2)
        .map((line) => style.faint(`  ${line}`)),
    );
  return lines;
}

function timesTable(samples: readonly CallSample[], isSse: boolean, width: number): string[] {
  const row = (name: string, pick: (sample: CallSample) => number | null): string[][] => {
    const sorted = samples
      .map(pick)
      .filter((ns) => ns !== null)
      .sort((a, b) => a - b);
    if (sorted.length === 0) return [];
    return [[name, ...[sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!].map(formatDuration)]];
  };
  const rows = [
    ...row('response', ({ responseNs }) => responseNs),
    ...row(isSse ? '202' : 'headers', ({ ackNs }) => ackNs),
    ...row(isSse ? '202 to event' : 'headers to event', ({ ackToEventNs }) => ackToEventNs),
  ];
  if (rows.length === 0) return ['no answer'];
  const right = (title: string) => ({ title, align: 'right' as const });
  return textTable(
    [{ title: '', align: 'left' }, right('min'), right('median'), right('max')],
    rows,
    width - 2,
  );
}

const risks = {
  none: '',
  unmarked: '',
  'by-name': 'changes things, by its name',
  destructive: 'destructive',
} as const;

function tools({ report, style, width }: Page): string[] {
  const { tools: list, leftOut, from, problem } = report.tools;
  if (list.length + leftOut.length === 0)
    return [`${style.strong('Tools')}  none${problem === null ? '' : ` (tools/list: ${oneLine(problem)})`}`];
  const how = from === 'tools/list' ? '' : ` by ${from}`;
  const lines = list.map((tool) => {
    const marks = [tool.annotations?.readOnlyHint === true ? 'only reads' : '', risks[tool.risk]].filter(
      Boolean,
    );
    const mark = marks.length > 0 ? `  [${marks.join(', ')}]` : '';
    const call = truncate(`${oneLine(tool.name)}(${signature(tool)})`, width - 2 - mark.length);
    const about =
      tool.description === ''
        ? ''
        : truncate(`  ${oneLine(tool.description)}`, Math.max(0, width - 2 - call.length - mark.length));
    return `  ${call}${mark === '' ? '' : style.doubt(mark)}${style.faint(about)}`;
  });
  const title = `${style.strong('Tools')}  ${formatAmount(list.length, 'tool')}${how}`;
  return [title, ...lines, ...badTools({ report, style, width })];
}

const mostBad = 20;

// Those without arguments that could be made up are listed above all the same; the others are not.
function badTools({ report, style, width }: Page): string[] {
  const { tools: list, leftOut, from, problem } = report.tools;
  const bad = [
    ...list.flatMap(({ name, unfit }) => (unfit === null ? [] : [`not called: ${name}, since ${unfit}`])),
    ...leftOut.map(({ tool, reason }) => `left out: ${tool}, since ${reason}`),
  ];
  const lines = bad.slice(0, mostBad).map((line) => truncate(oneLine(line), width - 4));
  if (bad.length > mostBad) lines.push(`… and ${bad.length - mostBad} more (all of them with --json)`);
  if (problem !== null && from === 'tools/list')
    lines.push(...wrap(oneLine(`not all of them: ${problem}`), width - 4));
  return lines.map((line) => `  ${style.doubt('!')} ${line}`);
}

// What is shown is cut to the width of a line, so that a few of each tell all there is to see.
const mostShown = 20;

function signature({ inputSchema }: ProbedTool): string {
  const { properties = {}, required = [] } = readSchema(inputSchema).schema;
  const needed = new Set(required);
  return Object.entries(properties)
    .slice(0, mostShown)
    .map(([name, schema]) => oneLine(`${name}${needed.has(name) ? '' : '?'}: ${typeText(schema, 0)}`))
    .join(', ');
}

function typeText(given: unknown, depth: number): string {
  const { schema } = readSchema(given);
  if (schema.enum !== undefined)
    return schema.enum
      .slice(0, mostShown)
      .map((each) => JSON.stringify(each))
      .join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined && depth < 3)
    return choices
      .slice(0, mostShown)
      .map((each) => typeText(each, depth + 1))
      .join(' | ');
  if (schema.type === undefined) return 'any';
  return typeof schema.type === 'string' ? schema.type : schema.type.join(' | ');
}

function departures({ report, style, width }: Page): string[] {
  if (report.transport !== 'sse') return [];
  const { departures: list } = report;
  if (list.length === 0) return [`${style.strong('Departures from the protocol')}  none seen`];
  const lines = list.flatMap(({ weight, rule, found, ofDialect }: Departure) => {
    const mark = ofDialect ? 'as its dialect' : weight;
    const rows = wrap(oneLine(`${found}; the rule: ${rule}`), width - 18);
    const paint = ofDialect ? style.faint : weight === 'must' ? style.bad : style.doubt;
    return rows.map((row, at) => `  ${at === 0 ? paint(mark.padEnd(16)) : ' '.repeat(16)}${row}`);
  });
  return [style.strong('Departures from the protocol'), ...lines];
}

function notes({ report, style, width }: Page): string[] {
  if (report.notes.length === 0) return [];
  const lines = report.notes.flatMap((note) =>
    wrap(oneLine(note), width - 4).map((line, at) => `  ${at === 0 ? style.doubt('!') : ' '} ${line}`),
  );
  return [style.strong('Worth knowing'), ...lines];
}
