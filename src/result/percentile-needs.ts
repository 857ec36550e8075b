import { highestOf } from '../stats/bucket-layout.js';
import { rankOf, type HistogramSnapshot } from '../stats/histogram.js';

const samplesBeyond = 30;
// 300 · (1 − 0.9) is a hair less than 30 in doubles.
const roundingError = 1e-6;

/** Are there enough samples beyond this percentile (0…100) for it to mean something? Where not, reports mark it. */
export function hasEnoughSamples(percentile: number, count: number): boolean {
  return count * (1 - percentile / 100) >= samplesBeyond - roundingError;
}

/** How many samples this percentile (0…100) needs. */
export function samplesNeeded(percentile: number): number {
  return Math.ceil(samplesBeyond / (1 - percentile / 100) - roundingError);
}

/**
 * The percentile (0…100) in nanoseconds of all calls, each failed one counted as slower than any other; Infinity where
 * it falls among the failed. Without failures it is the percentile of the ok calls.
 */
export function percentileWithFailures(ok: HistogramSnapshot, failed: number, percentile: number): number {
  const all = ok.count + failed;
  if (all === 0) return 0;
  const rank = rankOf(percentile, all);
  let seen = 0;
  for (let i = 0; i < ok.indices.length; i++) {
    seen += ok.counts[i]!;
    if (seen >= rank) return Math.min(ok.maxNs, highestOf(ok.indices[i]!));
  }
  return Infinity;
}
