import { formatAmount, formatElapsed } from '../result/units.js';
import type { Ranking, VersusResult } from '../versus/versus-result.js';
import { describeLoad } from './describe-load.js';
import { truncate, wrap, wrapItems } from './display-width.js';
import { createStyle, oneLine, type Style } from './style.js';
import { type Column, textTable } from './text-table.js';
import {
  cellText,
  columnOrder,
  intervalText,
  placeText,
  targetText,
  toBestText,
  versusColumns,
  versusNotes,
  versusRows,
} from './versus-rows.js';

interface Page {
  readonly result: VersusResult;
  readonly style: Style;
  readonly width: number;
}

// The last to go where a line is too short are the figures that most are after.
const expendable = {
  callsPerSec: 0,
  p50: 0,
  p99: 0,
  handshake: 2,
  cpuPer1000Calls: 1,
  memoryPerSession: 3,
} as const;

/** A contest as a page of text: the table, who was left out and why, the first ranking with its intervals, and the small print. */
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
    table(page),
    unranked(page),
    ranking(page, result.rankings[0]!),
    notes(page),
    footer(page, options.path),
  ];
  const lines = sections.filter((section) => section.length > 0).flatMap((section) => [...section, '']);
  return lines.map((line) => line.trimEnd()).join('\n');
}

function heading({ result, style, width }: Page): string[] {
  const { scenario, targets, rounds, durationMs } = result;
  const load =
    scenario.phases.length === 1
      ? describeLoad(scenario.phases[0]!.load)
      : `${scenario.phases.length} phases`;
  const items = [
    formatAmount(targets.length, 'target'),
    formatAmount(rounds, 'round'),
    formatAmount(scenario.sessions.count, 'session'),
    load,
    formatElapsed(durationMs),
  ];
  return [
    style.strong(truncate(`versus · ${oneLine(result.name)}`, width)),
    ...wrapItems(items, width).map(style.faint),
  ];
}

function table({ result, style, width }: Page): string[] {
  const letters = result.pairConfidence !== null;
  const columns: Column[] = [
    { title: '#', align: 'left' },
    { title: 'target', align: 'left' },
    ...columnOrder.map((metric): Column => ({
      title: versusColumns[metric].title,
      align: 'right',
      expendable: expendable[metric],
    })),
  ];
  const rows = versusRows(result)
    .filter(({ target }) => target.reason === null)
    .map(({ target, place, cells }) => [
      place,
      truncate(oneLine(targetText(target)), Math.max(16, Math.floor(width / 4))),
      ...columnOrder.map((metric) => cellText(metric, cells[metric], letters)),
    ]);
  if (rows.length === 0) return [style.bad('No target could be ranked.')];
  const [head = '', ...body] = textTable(columns, rows, width);
  return [style.strong(head), ...body];
}

function unranked({ result, style, width }: Page): string[] {
  const out = result.targets.filter(({ reason }) => reason !== null);
  if (out.length === 0) return [];
  const lines = out.flatMap((target) =>
    wrap(oneLine(`${targetText(target)}: ${target.reason}`), width - 4)
      .slice(0, 4)
      .map((line, at) => `  ${at === 0 ? style.bad('✗') : ' '} ${line}`),
  );
  return [style.strong('Not ranked'), ...lines];
}

function ranking({ result, style, width }: Page, ranked: Ranking): string[] {
  if (ranked.places.length < 2 || result.pairConfidence === null) return [];
  const { metric, places } = ranked;
  const columns: Column[] = [
    { title: '#', align: 'left' },
    { title: versusColumns[metric].title, align: 'left' },
    { title: 'median', align: 'right' },
    { title: 'interval', align: 'right' },
    { title: 'to the first', align: 'right', expendable: 1 },
    { title: 'tied', align: 'left' },
  ];
  const rows = places.map((place) => [
    placeText(ranked, place.target),
    truncate(oneLine(place.target), Math.floor(width / 4)),
    versusColumns[metric].show(place.median),
    intervalText(metric, place),
    toBestText(place),
    place.ties,
  ]);
  const [head = '', ...body] = textTable(columns, rows, width);
  return [style.strong(head), ...body];
}

function notes({ result, style, width }: Page): string[] {
  return versusNotes(result).flatMap((note) =>
    wrap(oneLine(note), width - 2)
      .slice(0, 4)
      .map((line, at) => style.faint(`${at === 0 ? '·' : ' '} ${line}`)),
  );
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
