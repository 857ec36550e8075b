import type { RunResult } from '../../result/result.js';
import { decodeV2, writeHlog, type HlogInterval } from '../../stats/hdr.js';

/**
 * A run as a histogram log for HdrHistogram's tools, in nanoseconds: the whole run's histogram of each metric under a
 * tag of its name, and `call.response` second by second without a tag.
 */
export function hlogReport(result: RunResult): string {
  const whole = Object.entries(result.metrics)
    .filter(([, metric]) => metric.count > 0)
    .map(([tag, metric]) => ({
      startMs: 0,
      durationMs: result.durationMs,
      tag,
      histogram: decodeV2(metric.hdr),
    }));
  const seconds = result.intervals.flatMap(({ atMs, durationMs, metrics }): HlogInterval[] => {
    const hdr = metrics['call.response']?.hdr;
    return hdr === undefined ? [] : [{ startMs: atMs, durationMs, histogram: decodeV2(hdr) }];
  });
  return writeHlog(
    Date.parse(result.startedAt),
    [...whole, ...seconds],
    `Transport: ${result.target.transport}`,
  );
}
