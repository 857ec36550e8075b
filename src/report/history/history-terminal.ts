import type { History, LevelChange, Trend } from '../../compare/history.js';
import { formatAmount } from '../../result/units.js';
import { changeOfLevel, disturbedText, leftOutText, runText } from './history-text.js';
import { figureText } from '../formats/figure-text.js';
import { truncate, wrap } from '../formats/display-width.js';
import { createStyle, type Style } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';
import { textTable } from '../formats/text-table.js';

/** The history of a scenario as text for people: a line of bars per metric, with `│` where its level changed, and what changed when. */
export function terminalHistory(history: History, options: { colour: boolean; width: number }): string {
  const style = createStyle(options.colour);
  const width = Math.max(40, Math.min(options.width, 160));
  const { runs, trends } = history;
  const period = `${day(runs[0]!.startedAt)} to ${day(runs.at(-1)!.startedAt)}`;
  const lines = [
    style.strong(truncate(oneLine(history.name), width)),
    ...wrap(oneLine(`${formatAmount(runs.length, 'run')}, ${period}, on ${history.machine}`), width).map(
      style.faint,
    ),
    '',
    ...table(trends, style, width),
    ...disturbedText(history).flatMap((text) =>
      wrap(text, width - 2).map((line) => style.faint(`  ${line}`)),
    ),
    '',
    ...changes(history, style, width),
    ...leftOutText(history).flatMap((text) => wrap(text, width).map(style.faint)),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function table(trends: readonly Trend[], style: Style, width: number): string[] {
  const nameWidth = Math.max(12, Math.floor(width / 5));
  const room = Math.max(10, width - nameWidth - 56);
  const rows = trends.map((trend) => [
    `  ${truncate(oneLine(trend.metric), nameWidth)}`,
    runText(trend, trend.values.indexOf(trend.least)),
    runText(trend, trend.values.indexOf(trend.most)),
    figureText(trend.unit, trend.level),
    runText(trend, trend.values.length - 1),
    bars(trend, room),
  ]);
  const [top = '', ...body] = textTable(
    [
      { title: 'metric', align: 'left' },
      { title: 'least', align: 'right', expendable: 2 },
      { title: 'most', align: 'right', expendable: 3 },
      { title: 'level', align: 'right', expendable: 1 },
      { title: 'now', align: 'right' },
      { title: 'trend, oldest first', align: 'left' },
    ],
    rows,
    width,
  );
  return [style.strong(top), ...body];
}

/** The newest values from the least to the most of all, with a mark before each run that began a new level. */
function bars({ values, changes, least, most }: Trend, room: number): string {
  const marks = new Set(changes.map(({ at }) => at));
  const cells = values.map((value, at) => {
    const bar = value === Infinity ? '×' : '▁▂▃▄▅▆▇█'[step(value, least, most)]!;
    return marks.has(at) ? `│${bar}` : bar;
  });
  let used = 0;
  let from = cells.length;
  while (from > 0 && used + cells[from - 1]!.length <= room) used += cells[--from]!.length;
  return (from > 0 ? '…' : '') + cells.slice(from).join('');
}

function step(value: number, least: number, most: number): number {
  const span = most - least;
  // Runs that differ by less than a thousandth are one flat line, not a mountain range.
  if (!(span > most * 1e-3)) return 0;
  return Number.isFinite(span) ? Math.round(((value - least) / span) * 7) : 0;
}

function changes({ trends, runs }: History, style: Style, width: number): string[] {
  const found = trends
    .flatMap((trend) => trend.changes.map((change): [Trend, LevelChange] => [trend, change]))
    .sort(([, a], [, b]) => a.at - b.at);
  if (found.length === 0) return [style.faint('No change of level found.')];
  const lines = found.flatMap(([trend, change]) => {
    const run = runs[change.at]!;
    const commit = run.git === null ? '' : ` (${run.git})`;
    const text = `${trend.metric} ${changeOfLevel(trend, change)} from run ${change.at + 1} on, ${day(run.startedAt)}${commit}`;
    return wrap(oneLine(text), width - 4).map((line, at) => `  ${at === 0 ? style.doubt('│') : ' '} ${line}`);
  });
  return [style.strong('Changes of level'), ...lines];
}

function day(startedAt: string): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}
