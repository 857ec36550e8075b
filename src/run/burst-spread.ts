import type { BurstWriting } from '../load/burst-loop.js';
import type { BurstSpread } from '../result/result.js';

/** Puts together how long the workers took to write their parts of the bursts; undefined where none was written. */
export function burstSpread(parts: readonly (Readonly<BurstWriting> | null)[]): BurstSpread | undefined {
  const written = parts.filter((part) => part !== null && part.bursts > 0) as Readonly<BurstWriting>[];
  if (written.length === 0) return undefined;
  const most = (pick: (part: Readonly<BurstWriting>) => number): number => Math.max(...written.map(pick));
  return {
    bursts: most(({ bursts }) => bursts),
    meanMs: most(({ totalNs, bursts }) => totalNs / bursts) / 1e6,
    longestMs: most(({ longestNs }) => longestNs) / 1e6,
    longestSliceMs: most(({ longestSliceNs }) => longestSliceNs) / 1e6,
  };
}
