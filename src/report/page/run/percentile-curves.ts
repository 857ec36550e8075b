import type { HistogramSnapshot } from '../../../stats/histogram.js';
import { highestOf } from '../../../stats/bucket-layout.js';
import { roundFigure } from '../round-figure.js';

const pointsPerDecade = 24;

export interface PercentileCurves {
  /** 1 / (1 − share): 10 is the p90, 100 the p99, and the number of samples is the maximum. */
  x: number[];
  /** One list for each histogram, in nanoseconds; null beyond its maximum. */
  values: (number | null)[][];
}

export interface CurveSource {
  histogram: HistogramSnapshot;
  /** Calls that count as slower than any in the histogram: the curve ends where they begin. */
  failed?: number;
}

/** Latency by percentile, as the HDR plotter draws it: evenly spaced on an axis where each nine takes as much room as the one before. */
export function percentileCurves(sources: readonly CurveSource[]): PercentileCurves {
  const counts = sources.map(({ histogram, failed = 0 }) => histogram.count + failed);
  const most = Math.max(1, ...counts);
  const grid = new Set<number>(counts.filter((count) => count > 0));
  for (let step = 0; ; step++) {
    const x = roundFigure(10 ** (step / pointsPerDecade));
    if (x > most) break;
    grid.add(x);
  }
  const x = [...grid].sort((a, b) => a - b);
  return { x, values: sources.map((source) => curve(source, x)) };
}

function curve({ histogram, failed = 0 }: CurveSource, grid: readonly number[]): (number | null)[] {
  const count = histogram.count + failed;
  let index = 0;
  let seen = 0;
  return grid.map((x) => {
    if (x > count) return null;
    // The last sample is the maximum, which the share 1 − 1/n is one short of.
    const rank = x >= count ? count : Math.max(1, Math.ceil(count * (1 - 1 / x) - 1e-9));
    if (rank > histogram.count) return null;
    while (index < histogram.indices.length && seen + histogram.counts[index]! < rank)
      seen += histogram.counts[index++]!;
    return roundFigure(Math.min(histogram.maxNs, highestOf(histogram.indices[index]!)));
  });
}
