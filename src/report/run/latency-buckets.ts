import type { HistogramSnapshot } from '../../stats/histogram.js';
import { highestOf } from '../../stats/bucket-layout.js';

const steps = [1, 1.5, 2, 3, 5, 7];

/** Limits of the buckets that dashboards get, in nanoseconds: six a decade from 10 µs to 100 s, the same for every metric so that they add up. */
export const bucketBoundsNs: readonly number[] = [
  ...[1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10].flatMap((decade) => steps.map((step) => step * decade)),
  1e11,
];

/** How many values are no larger than each of the limits; true to the histogram's own resolution of a thousandth. */
export function cumulativeCounts(snapshot: HistogramSnapshot, boundsNs = bucketBoundsNs): number[] {
  let index = 0;
  let seen = 0;
  return boundsNs.map((boundNs) => {
    while (index < snapshot.indices.length && highestOf(snapshot.indices[index]!) <= boundNs)
      seen += snapshot.counts[index++]!;
    return seen;
  });
}
