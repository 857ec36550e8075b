import type { RunResult } from '../result/result.js';
import { bucketOf, highestOf } from '../stats/bucket-layout.js';
import { decodeV2, fromHdr } from '../stats/hdr.js';
import type { EdgesOf, IntervalCounts } from './interval-blocks.js';

/**
 * The whole seconds of a run, as the bootstrap takes them: latencies of `call.response` in buckets of two significant digits, whatever the
 * file holds, and the failed calls. The drain after the last phase and pieces of a second are left out.
 */
export function intervalCounts(run: RunResult): IntervalCounts[] {
  return run.intervals
    .filter(({ atMs, durationMs }) => durationMs >= 900 && atMs + durationMs <= run.durationMs + 100)
    .map(({ totals, metrics }) => ({
      ...coarse(metrics['call.response']?.hdr),
      failed: totals.failed + totals.notSent,
    }));
}

/** From where to where one of those buckets reaches, in nanoseconds. */
export const coarseEdges: EdgesOf = (index) => {
  const end = highestOf(index) + 1;
  return [end - widthNs(end - 1), end];
};

function coarse(hdr: string | undefined): Pick<IntervalCounts, 'indices' | 'counts'> {
  if (hdr === undefined) return { indices: [], counts: [] };
  const { indices, counts } = fromHdr(decodeV2(hdr));
  const sums = new Map<number, number>();
  indices.forEach((index, at) => {
    const ns = highestOf(index);
    const width = widthNs(ns);
    const bucket = bucketOf(Math.floor(ns / width) * width + width - 1);
    sums.set(bucket, (sums.get(bucket) ?? 0) + counts[at]!);
  });
  return { indices: [...sums.keys()], counts: [...sums.values()] };
}

// HdrHistogram's layout for two digits: 256 buckets of one nanosecond, then 128 for each doubling.
function widthNs(ns: number): number {
  return ns < 256 ? 1 : 2 ** (Math.floor(Math.log2(ns)) - 7);
}
