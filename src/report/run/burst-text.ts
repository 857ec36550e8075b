import type { RunResult } from '../../result/result.js';
import { formatCount, formatDuration } from '../../result/units.js';

/** How long bursts took to write out, in words; null where there were none. */
export function burstText(result: RunResult): string | null {
  const spreads = result.phases.flatMap(({ bursts }) => bursts ?? []);
  if (spreads.length === 0) return null;
  const count = spreads.reduce((sum, { bursts }) => sum + bursts, 0);
  const meanMs = spreads.reduce((sum, { bursts, meanMs: mean }) => sum + bursts * mean, 0) / count;
  const most = (key: 'longestMs' | 'longestSliceMs'): string =>
    formatDuration(Math.max(...spreads.map((spread) => spread[key])) * 1e6);
  return (
    `${formatCount(count)}, written out in ${formatDuration(meanMs * 1e6)} on average, ${most('longestMs')} at most, ` +
    `in slices of up to ${most('longestSliceMs')} between reads`
  );
}
