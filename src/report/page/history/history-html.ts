import type { History, Trend } from '../../../compare/history.js';
import { formatAmount } from '../../../result/units.js';
import { figureText } from '../../formats/figure-text.js';
import { changeOfLevel, disturbedText, leftOutText, runText } from '../../history/history-text.js';
import { escapeHtml } from '../markup.js';
import { oneLine } from '../../../text/one-line.js';

const widthPx = 760;
const heightPx = 170;
const edge = { left: 80, right: 12, top: 12, bottom: 22 };

/** The history of a scenario as one HTML file without scripts or outside requests: a chart per metric, its changes of level marked. */
export function htmlHistory(history: History): string {
  const { runs, machine, trends } = history;
  const name = escape(history.name);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}: history</title>
<style>${css}</style>
<main>
<p class="kind">mcp-bench history</p>
<h1>${name}</h1>
<p>${formatAmount(runs.length, 'run')}, ${escape(time(runs[0]!.startedAt))} to ${escape(time(runs.at(-1)!.startedAt))} UTC, on ${escape(machine)}. ${leftOutText(history).map(escape).join(' ')}</p>
${disturbedText(history)
  .map((text) => `<p>${escape(text)}</p>\n`)
  .join('')}${trends.map((trend) => section(trend, history)).join('\n')}
${table(history)}
</main>
</html>
`;
}

function section(trend: Trend, history: History): string {
  const { metric, unit, level, values, changes } = trend;
  const list = changes.map((change) => {
    const run = history.runs[change.at]!;
    const commit = run.git === null ? '' : ` (${run.git})`;
    return `<li>${escape(`${changeOfLevel(trend, change)} from run ${change.at + 1} on, ${time(run.startedAt)}${commit}`)}</li>`;
  });
  return `<section>
<h2>${escape(metric)} <small>now ${escape(runText(trend, values.length - 1))}, level ${escape(figureText(unit, level))}</small></h2>
${chart(trend, history)}
${list.length > 0 ? `<ul>${list.join('')}</ul>` : ''}
</section>`;
}

/** The same figures for those who do not see the charts, and to copy from. */
function table({ runs, trends }: History): string {
  const head = ['started (UTC)', 'commit', ...trends.map(({ metric }) => metric)];
  const rows = runs.map(({ startedAt, git }, at) => {
    const figures = trends.map((trend) => `<td>${escape(runText(trend, at))}</td>`);
    return `<tr><th scope="row">${escape(time(startedAt))}</th><td>${escape(git ?? '')}</td>${figures.join('')}</tr>`;
  });
  return `<details><summary>All runs as a table</summary>
<div class="scroll" tabindex="0" role="region" aria-label="All runs"><table>
<thead><tr>${head.map((name) => `<th scope="col">${escape(name)}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div></details>`;
}

function chart(trend: Trend, history: History): string {
  const { metric, unit, values, disturbed, changes } = trend;
  const finite = values.filter(Number.isFinite);
  const most = Math.max(0, ...finite);
  const least = finite.length > 0 ? Math.min(...finite) : 0;
  // From zero where the runs differ that much, else a tenth at least: a change of 10 % must be seen, and noise must not look like one.
  const low = least < most / 2 ? 0 : Math.min(most * 0.9, least - (most - least) * 0.15);
  const high = most + (most - low) * 0.1 || (unit === 'share' ? 0.01 : 1);
  const x = (at: number): number =>
    edge.left + ((widthPx - edge.left - edge.right) * (at + 0.5)) / values.length;
  const y = (value: number): number =>
    edge.top + (heightPx - edge.top - edge.bottom) * (1 - (Math.min(value, high) - low) / (high - low));
  const points = values.map((value, at) => {
    const run = history.runs[at]!;
    const label = `run ${at + 1}, ${time(run.startedAt)}${run.git === null ? '' : ` (${run.git})`}: ${runText(trend, at)}`;
    const kind = !Number.isFinite(value) ? 'run lost' : disturbed[at] ? 'run disturbed' : 'run';
    return `<circle class="${kind}" cx="${px(x(at))}" cy="${px(y(value))}" r="3"><title>${escape(label)}</title></circle>`;
  });
  const path = values.map((value, at) => `${px(x(at))},${px(y(value))}`);
  const borders = [0, ...changes.map(({ at }) => at), values.length];
  const levels = borders.slice(1).map((end, at) => {
    const from = borders[at]!;
    const value = changes[at]?.before ?? changes[at - 1]?.after;
    if (value === undefined || !Number.isFinite(value)) return '';
    return `<line class="level" x1="${px(x(from - 0.5))}" x2="${px(x(end - 0.5))}" y1="${px(y(value))}" y2="${px(y(value))}"/>`;
  });
  const marks = changes.map(
    ({ at }) =>
      `<line class="change" x1="${px(x(at - 0.5))}" x2="${px(x(at - 0.5))}" y1="${edge.top}" y2="${heightPx - edge.bottom}"/>`,
  );
  const ticks = [low, (low + high) / 2, high].map(
    (value) =>
      `<text x="${edge.left - 8}" y="${px(y(value) + 4)}" text-anchor="end">${escape(figureText(unit, value))}</text><line class="grid" x1="${edge.left}" x2="${widthPx - edge.right}" y1="${px(y(value))}" y2="${px(y(value))}"/>`,
  );
  const times = [0, values.length - 1].map(
    (at, end) =>
      `<text class="time" x="${end === 0 ? edge.left : widthPx - edge.right}" y="${heightPx - 5}" text-anchor="${end === 0 ? 'start' : 'end'}">${escape(time(history.runs[at]!.startedAt))}</text>`,
  );
  const label = `${metric} over ${formatAmount(values.length, 'run')}, ${formatAmount(changes.length, 'change')} of level`;
  return `<svg viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="${escape(label)}">${[...ticks, ...times, ...marks, `<polyline class="path" points="${path.join(' ')}"/>`, ...levels, ...points].join('')}</svg>`;
}

function px(value: number): string {
  return value.toFixed(1);
}

function time(startedAt: string): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}

function escape(text: string): string {
  return escapeHtml(oneLine(text));
}

const css = `
:root { --text: #1c1e21; --faint: #697079; --paper: #fff; --grid: #dde1e6; --run: #2563eb; --change: #c2410c; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8eb; --faint: #9aa3ad; --paper: #15181c; --grid: #30363d; --run: #6ea8ff; --change: #fb923c; }
}
body { margin: 0; background: var(--paper); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 1rem; }
h1 { overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .3rem; overflow-wrap: anywhere; }
h2 small, p { color: var(--faint); font-weight: normal; }
svg { width: 100%; height: auto; }
svg text { fill: var(--faint); font: 11px system-ui, sans-serif; }
.grid { stroke: var(--grid); }
.run { fill: var(--run); }
.path { fill: none; stroke: var(--run); opacity: .25; }
.kind { margin: 0; font-size: .85rem; }
summary { cursor: pointer; margin-top: 1.5rem; color: var(--run); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); font-weight: normal; }
thead th { color: var(--faint); }
th:first-child { text-align: left; }
.run.disturbed { fill: var(--paper); stroke: var(--run); stroke-width: 1.5; }
.run.lost { fill: none; stroke: var(--change); stroke-width: 2; }
.level { stroke: var(--run); stroke-width: 1.5; opacity: .6; }
.change { stroke: var(--change); stroke-dasharray: 4 3; stroke-width: 1.5; }
/* The charts shrink with the screen, what is read in them should not. */
@media (max-width: 40rem) { svg { overflow: visible; } svg text { font-size: 22px; } .time { transform: translateY(10px); } .run { r: 6px; } }
@media print {
  :root { --text: #1c1e21; --faint: #697079; --paper: #fff; --grid: #dde1e6; --run: #2563eb; --change: #c2410c; }
  section { break-inside: avoid; }
}
`;
