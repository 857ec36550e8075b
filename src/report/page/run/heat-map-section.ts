import { formatCount } from '../../../result/units.js';
import { gatherFrames, type Frame } from './frames.js';
import { heatMapGrid, type HeatMapGrid } from './heat-map-grid.js';
import { duration } from './latency-table.js';
import { cssPercent } from '../css-percent.js';
import { markup, trusted, type Markup } from '../markup.js';
import type { HeatMapData } from '../page-data.js';
import { roundFigure } from '../round-figure.js';
import type { Section } from '../section.js';

const mostColumns = 150;
const levels = 7;

/** Where the calls of each moment lie: what percentiles over time hide, such as two humps or a slow few. */
export function heatMapSection(frames: readonly Frame[]): Section | null {
  const columns = gatherFrames(frames, mostColumns);
  const grid = heatMapGrid(columns);
  if (grid === null) return null;
  return {
    id: 'heat-map',
    title: 'Latency heat map',
    heatMaps: [heatMapData(grid, columns)],
    body: markup`<figure class="heat" id="heat">
<figcaption>How many calls took how long, over time: the darker (in the dark theme the brighter), the more.</figcaption>
<p class="legend"><span class="readout">&nbsp;</span>${scaleMarkup(grid.mostCalls)}</p>
<div class="heat-frame">
<svg class="heat-rows" aria-hidden="true">${rowLabels(grid)}</svg>
<div class="heat-plot" tabindex="0" role="slider" aria-label="Latency heat map; the arrow keys move over it, and the table of the timeline holds the main figures" aria-valuemin="0" aria-valuemax="${columns.length - 1}" aria-valuenow="0">${picture(grid, columns)}<span class="heat-cursor" hidden></span></div>
<svg class="heat-times" aria-hidden="true">${timeLabels(columns)}</svg>
</div>
</figure>`,
  };
}

/**
 * One path per shade, whose strokes as wide as a row are the cells: some 8 bytes for each run of equal cells, where a
 * rectangle for each would be 50.
 */
function picture({ columns, mostCalls, edgesNs }: HeatMapGrid, frames: readonly Frame[]): Markup {
  const rows = edgesNs.length - 1;
  const unitMs = frames[0]!.durationMs;
  const starts = frames.map(({ atMs }) => hundredths(atMs / unitMs));
  starts.push(hundredths(endMs(frames) / unitMs));
  const paths = Array.from({ length: levels }, () => '');
  for (let row = 0; row < rows; row++) {
    let from = 0;
    for (let at = 1; at <= columns.length; at++) {
      const level = levelOf(columns[from]![row]!, mostCalls);
      if (at < columns.length && levelOf(columns[at]![row]!, mostCalls) === level) continue;
      if (level > 0) paths[level - 1] += `M${starts[from]} ${row}h${hundredths(starts[at]! - starts[from]!)}`;
      from = at;
    }
  }
  return markup`<svg class="heat-cells" viewBox="0 -0.5 ${starts.at(-1)!} ${rows}" preserveAspectRatio="none" aria-hidden="true">${paths.map(
    (path, level) => path !== '' && markup`<path class="h${level + 1}" d="${trusted(path)}"/>`,
  )}</svg>`;
}

/** 0 for none, else 1 to 7 by the logarithm: a single slow call shows, and so does the bulk. */
function levelOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.min(levels, Math.ceil((levels * Math.log1p(count)) / Math.log1p(most)));
}

function scaleMarkup(mostCalls: number): Markup {
  const shades = Array.from({ length: levels }, (_, level) => markup`<i class="h${level + 1}"></i>`);
  return markup`<span class="heat-scale">1 call<span aria-hidden="true">${shades}</span>${formatCount(mostCalls)}</span>`;
}

/** Round latencies, at the height where they lie. */
function rowLabels({ edgesNs }: HeatMapGrid): Markup[] {
  const [slowest, fastest] = [Math.log10(edgesNs[0]!), Math.log10(edgesNs.at(-1)!)];
  const steps =
    slowest - fastest < 0.5 ? [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9] : slowest - fastest < 2.5 ? [1, 2, 5] : [1];
  const rounds: number[] = [];
  for (let decade = Math.floor(fastest); decade <= slowest; decade++)
    for (const step of steps) rounds.push(Number((step * 10 ** decade).toPrecision(2)));
  return rounds
    .filter((ns) => Math.log10(ns) >= fastest && Math.log10(ns) <= slowest)
    .map((ns) => {
      const share = (slowest - Math.log10(ns)) / (slowest - fastest);
      return markup`<text x="100%" y="${cssPercent(share)}" dx="-8" dy="4" text-anchor="end">${plain(ns)}</text>`;
    });
}

function timeLabels(frames: readonly Frame[]): Markup[] {
  const endSec = endMs(frames) / 1000;
  const stepSec = timeSteps.find((step) => endSec / step <= 8) ?? Math.ceil(endSec / 8 / 3600) * 3600;
  const labels: Markup[] = [];
  for (let sec = 0; sec <= endSec * 0.97; sec += stepSec)
    labels.push(
      markup`<text x="${cssPercent(sec / endSec)}" y="16" text-anchor="${sec === 0 ? 'start' : 'middle'}">${timeText(sec)}</text>`,
    );
  return labels;
}

const timeSteps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];

function timeText(sec: number): string {
  if (sec < 60) return `${roundFigure(sec)} s`;
  const minutes = Math.floor(sec / 60);
  return `${minutes}:${String(Math.round(sec % 60)).padStart(2, '0')}`;
}

function heatMapData({ edgesNs, columns }: HeatMapGrid, frames: readonly Frame[]): HeatMapData {
  return {
    id: 'heat',
    timesSec: [...frames.map(({ atMs }) => atMs), endMs(frames)].map((ms) => Math.round(ms) / 1000),
    edgesNs,
    columns: columns.map((counts) => counts.flatMap((count, row) => (count > 0 ? [row, count] : []))),
  };
}

function endMs(frames: readonly Frame[]): number {
  const last = frames.at(-1)!;
  return last.atMs + last.durationMs;
}

function plain(ns: number): string {
  return duration(ns).replace(/\.0+(?=\u00a0)/, '');
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
