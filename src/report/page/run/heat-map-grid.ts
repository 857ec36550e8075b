import { highestOf, lowestOf } from '../../../stats/bucket-layout.js';
import type { HistogramSnapshot } from '../../../stats/histogram.js';
import type { Frame } from './frames.js';
import { roundFigure } from '../round-figure.js';

const rowsPerDecade = 12;
const fewestRows = 10;
const mostRows = 40;

/** How many calls took how long, when: columns are stretches of time, rows are latencies on a logarithmic scale, the slowest on top. */
export interface HeatMapGrid {
  /** Limits of the rows from the slowest to the fastest: one more than there are rows. */
  edgesNs: number[];
  /** Counts by row; a column per frame. */
  columns: number[][];
  mostCalls: number;
}

/** Sorts the calls of each frame into rows; null where there are none. */
export function heatMapGrid(frames: readonly Frame[]): HeatMapGrid | null {
  const histograms = frames.flatMap(({ histogram }) => histogram ?? []);
  if (histograms.length === 0) return null;
  const fastestNs = Math.max(1, Math.min(...histograms.map(({ minNs }) => minNs)));
  const slowestNs = Math.max(...histograms.map(({ maxNs }) => maxNs));
  const rows = rowsFor(fastestNs, slowestNs);
  const perRow = rowHeight(fastestNs, slowestNs, rows);
  const top = Math.log10(fastestNs) + rows * perRow;
  const edgesNs = Array.from({ length: rows + 1 }, (_, row) => roundFigure(10 ** (top - row * perRow)));
  const columns = frames.map(({ histogram }) => rowCounts(histogram, rows, top, perRow));
  return { edgesNs, columns, mostCalls: Math.max(...columns.flat()) };
}

function rowsFor(fastestNs: number, slowestNs: number): number {
  const decades = Math.log10(slowestNs / fastestNs);
  return Math.max(fewestRows, Math.min(mostRows, Math.ceil(decades * rowsPerDecade)));
}

/** In decades; a hair more than needed so that the slowest call falls into the top row, and never nothing. */
function rowHeight(fastestNs: number, slowestNs: number, rows: number): number {
  return Math.max(0.005, (Math.log10(slowestNs / fastestNs) * 1.0001) / rows);
}

function rowCounts(histogram: HistogramSnapshot | null, rows: number, top: number, perRow: number): number[] {
  const counts = Array.from({ length: rows }, () => 0);
  if (histogram === null) return counts;
  for (let i = 0; i < histogram.indices.length; i++) {
    const bucket = histogram.indices[i]!;
    const middle = Math.log10(Math.max(1, (lowestOf(bucket) + highestOf(bucket)) / 2));
    const row = Math.floor((top - middle) / perRow);
    counts[Math.max(0, Math.min(rows - 1, row))]! += histogram.counts[i]!;
  }
  return counts;
}
