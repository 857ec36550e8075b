import { formatPercent } from '../../result/units.js';
import type { VersusMetric, VersusResult } from '../../versus/versus-result.js';
import { displayWidth, truncate, wrap, wrapItems } from '../formats/display-width.js';
import { createStyle, type Style } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';
import { type Column, textTable } from '../formats/text-table.js';
import {
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

interface Page {
  readonly result: VersusResult;
  readonly style: Style;
  readonly width: number;
}

/** A contest as text for people: the table, who is not ranked and why, the first ranking with its intervals, the small print. */
export function versusTerminal(
  result: VersusResult,
  options: { colour: boolean; width: number; path?: string | undefined },
): string {
  const page: Page = {
    result,
    style: createStyle(options.colour),
    width: Math.max(50, Math.min(options.width, 130)),
  };
  const sections = [
    heading(page),
    ...tables(page),
    ...byTool(page),
    unranked(page),
    ranking(page),
    notes(page),
    footer(page, options.path),
  ];
  const lines = sections.filter((section) => section.length > 0).flatMap((section) => [...section, '']);
  return lines.map((line) => line.trimEnd()).join('\n');
}

function heading({ result, style, width }: Page): string[] {
  return [
    style.strong(truncate(`versus · ${oneLine(result.name)}`, width)),
    ...wrapItems(versusFacts(result), width).map(style.faint),
  ];
}

/** One table where it fits, else one of times and one of what the servers used. */
function tables({ result, style, width }: Page): string[][] {
  const rows = versusRows(result).filter(({ target }) => target.reason === null);
  if (rows.length === 0) return [[style.bad('No target could be ranked.')]];
  const nameWidth = Math.max(12, Math.floor(width / 4));
  const make = (metrics: readonly VersusMetric[], failed: boolean): string[] => {
    const columns: Column[] = [
      { title: '#', align: 'left' },
      { title: 'target', align: 'left' },
      ...metrics.map((metric): Column => ({ title: versusColumns[metric].title, align: 'right' })),
      ...(failed ? [{ title: 'failed', align: 'right' } as const] : []),
    ];
    const cells = rows.map(({ target, place, cells: figures }) => [
      place,
      truncate(oneLine(target.name), nameWidth),
      ...metrics.map((metric) => cellText(result, metric, figures[metric])),
      ...(failed ? [formatPercent(failedShare(target) ?? NaN)] : []),
    ]);
    return textTable(columns, cells, width);
  };
  const metrics = shownMetrics(result);
  const whole = make(metrics, true);
  const fits = Math.max(...whole.map(displayWidth)) <= width;
  const used: VersusMetric[] = ['cpuPer1000Calls', 'memoryPerSession', 'peakMemory'];
  const times = metrics.filter((metric) => !used.includes(metric));
  const parts = fits
    ? [whole]
    : [
        make(times, false),
        make(
          metrics.filter((metric) => used.includes(metric)),
          true,
        ),
      ];
  return parts.map(([head = '', ...body]) => [style.strong(head), ...body]);
}

/** The median of each tool of a mix, in as many tables as the width needs. */
function byTool({ result, style, width }: Page): string[][] {
  const tools = toolColumns(result);
  const names = versusRows(result)
    .filter(({ target }) => target.reason === null)
    .map(({ target }) => target.name);
  if (tools.length === 0) return [];
  const nameWidth = Math.max(12, Math.floor(width / 4));
  const make = (some: typeof tools): string[] =>
    textTable(
      [
        { title: 'p50 by tool', align: 'left' },
        ...some.map(({ tool }): Column => ({ title: truncate(oneLine(tool), 24), align: 'right' })),
      ],
      names.map((name) => [truncate(oneLine(name), nameWidth), ...some.map(({ cell }) => cell(name))]),
      Infinity,
    );
  const tables: string[][] = [];
  let shown: typeof tools = [];
  for (const tool of tools) {
    const wider = [...shown, tool];
    const fits = Math.max(...make(wider).map(displayWidth)) <= width;
    if (fits || shown.length === 0) shown = wider;
    else {
      tables.push(make(shown));
      shown = [tool];
    }
  }
  tables.push(make(shown));
  return tables.map(([head = '', ...body]) => [style.strong(head), ...body]);
}

function unranked({ result, style, width }: Page): string[] {
  const out = result.targets.filter(({ reason }) => reason !== null);
  if (out.length === 0) return [];
  const lines = out.flatMap(({ name, reason }) =>
    wrap(oneLine(`${name}: ${reason}`), width - 4)
      .slice(0, 5)
      .map((line, at) => `  ${at === 0 ? style.bad('✗') : ' '} ${line}`),
  );
  return [style.strong('Not ranked'), ...lines];
}

function ranking({ result, style, width }: Page): string[] {
  const [ranked] = result.rankings;
  const { metric, places } = ranked!;
  if (places.length < 2) return [];
  const columns: Column[] = [
    { title: '#', align: 'left' },
    { title: versusColumns[metric].title, align: 'left' },
    { title: 'median', align: 'right' },
    { title: 'interval', align: 'right' },
    { title: 'to the first', align: 'right', expendable: 1 },
    { title: 'tied', align: 'left' },
  ];
  const rows = places.map((place) => [
    placeText(ranked!, place.target),
    truncate(oneLine(place.target), Math.max(12, Math.floor(width / 5))),
    figureOf(metric, place.median),
    intervalText(metric, place),
    toFirstText(place),
    place.ties,
  ]);
  const [head = '', ...body] = textTable(columns, rows, width);
  return [style.strong(head), ...body];
}

function notes({ result, style, width }: Page): string[] {
  const plain = [...methodNotes(result), ...columnNotes(result)];
  const marked = targetNotes(result);
  const lines = (text: string, mark: string, most: number): string[] =>
    wrap(oneLine(text), width - 4)
      .slice(0, most)
      .map((line, at) => `  ${at === 0 ? mark : ' '} ${line}`);
  return [
    ...marked.flatMap(({ target, text }) =>
      lines(target === null ? text : `${target}: ${text}`, style.doubt('!'), 4),
    ),
    ...plain.flatMap((text) => lines(text, '·', 9).map(style.faint)),
  ];
}

function footer({ result, style, width }: Page, path: string | undefined): string[] {
  const { environment, tool } = result;
  const about = [
    `mcp-bench ${tool.version}`,
    `Node ${environment.node}`,
    `${environment.cores} × ${environment.cpu}`,
    environment.git ?? '',
  ];
  const lines = wrapItems(about.map(oneLine), width).map(style.faint);
  return path === undefined ? lines : [...lines, `${style.strong('Result')}  ${oneLine(path)}`];
}
