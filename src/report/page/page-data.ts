// What the page's scripts are given: plain data, described so that one script can draw every chart of every page.

export interface PageData {
  charts: ChartData[];
  heatMaps: HeatMapData[];
}

/** A line chart, drawn into the element with this id. */
export interface ChartData {
  id: string;
  heightPx: number;
  /** `percentile`: 1 / (1 − share), so that 10 is the p90 and 1,000 the p99.9, on a logarithmic axis. */
  x: { unit: 'percentile' | 'seconds'; values: number[]; labelled: boolean };
  y: { unit: 'ns' | 'perSec' | 'count'; log: boolean };
  series: SeriesData[];
  bands: BandData[];
  /** Charts of one group share their cursor and their zoom. */
  group: string | null;
}

export interface SeriesData {
  name: string;
  /** One of the six colours of the style sheet, from 1. */
  colour: number;
  values: (number | null)[];
  dash?: number[];
  fill?: boolean;
  thin?: boolean;
  /** Belongs to the line of that name: not in the legend, and hidden with it. */
  partOf?: string;
}

/** A stretch of the x axis with a name: a phase, or where the figures mean little. */
export interface BandData {
  from: number;
  to: number;
  label: string;
  shaded: boolean;
}

/** The counts of a heat map; its picture is in the page already. */
export interface HeatMapData {
  id: string;
  /** Start of each column in seconds, and the end of the last. */
  timesSec: number[];
  /** Limits of the rows, from the slowest to the fastest. */
  edgesNs: number[];
  /** For each column: row, count, row, count, … */
  columns: number[][];
}
