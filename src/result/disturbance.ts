import { highestOf } from '../stats/bucket-layout.js';
import type { HistogramSnapshot } from '../stats/histogram.js';
import { percentileWithFailures } from './percentile-needs.js';

/** Times as measured, and what they were at the least and at the most without the generator's own part; null where that is the same. */
export interface EdgedTimes {
  readonly seen: HistogramSnapshot;
  readonly least: HistogramSnapshot | null;
  readonly most: HistogramSnapshot | null;
}

/** What the generator slept through without knowing: bytes that came then were read late, and no call's own figures show it. */
export interface Pauses {
  /** Share of the time in which it was stopped, waited for a core, or its core was another's. */
  readonly share: number;
  /** How long it waited for a core when something woke it, on average. */
  readonly wakeNs: number;
}

export const noPauses: Pauses = { share: 0, wakeNs: 0 };

/** A figure, and the two ends between which the true one lies. Infinity where it falls among failed calls. */
export interface Ends {
  readonly seen: number;
  readonly low: number;
  readonly high: number;
}

const toleranceNs = 200_000;
const toleranceShare = 0.1;

/** Whether the generator may have moved a figure by more than 0.2 ms and 10 % of it. */
export function isDisturbed({ seen, low, high }: Ends): boolean {
  // Both among the failed calls, of which nobody claims a time.
  if (low === high) return false;
  if (high === Infinity) return true;
  return high - low > Math.max(toleranceNs, toleranceShare * seen);
}

/**
 * A percentile (0…100) of all calls, each failed one counted as slower than any other, with its two ends. Pauses delayed at most their share
 * of the calls: without them, the percentile was that of so much lower a rank at the least.
 */
export function percentileEnds(
  { seen, least, most }: EdgedTimes,
  failed: number,
  percentile: number,
  pauses: Pauses,
): Ends {
  const figure = percentileWithFailures(seen, failed, percentile);
  const shift = 100 * pauses.share;
  const lowAt = (rank: number): number =>
    rank <= 0 ? 0 : percentileWithFailures(least!, failed, rank) - pauses.wakeNs;
  const low = least === null ? figure : lowAt(percentile - shift);
  const high =
    most === null ? figure : percentileWithFailures(most, failed, percentile + shift) + pauses.wakeNs;
  return { seen: figure, low: Math.min(figure, Math.max(0, low)), high: Math.max(figure, high) };
}

/** The mean with its two ends; of calls that pauses may have delayed nothing is known, and they may have taken no time at all. */
export function meanEnds({ seen, least, most }: EdgedTimes, failed: number, pauses: Pauses): Ends {
  const count = seen.count + failed;
  // What a failed call took says nothing; as slow as the slowest is the least it can count for.
  const mean = (sumNs: number): number => (sumNs + failed * seen.maxNs) / count;
  const figure = mean(seen.sumNs);
  if (least === null) return { seen: figure, low: figure, high: figure };
  const low = mean(lowestSum(least, Math.ceil(pauses.share * count))) - pauses.wakeNs;
  const high = most === null ? figure : mean(most.sumNs) + pauses.wakeNs;
  return { seen: figure, low: Math.min(figure, Math.max(0, low)), high: Math.max(figure, high) };
}

/** The shortest with its two ends. */
export function minEnds({ seen, least, most }: EdgedTimes, pauses: Pauses): Ends {
  const low = least === null ? seen.minNs : pauses.share > 0 ? 0 : least.minNs;
  return { seen: seen.minNs, low, high: most === null ? seen.minNs : most.minNs };
}

// The sum of all but the `without` largest.
function lowestSum({ sumNs, indices, counts }: HistogramSnapshot, without: number): number {
  let left = without;
  let sum = sumNs;
  for (let i = indices.length - 1; i >= 0 && left > 0; i--) {
    const taken = Math.min(left, counts[i]!);
    sum -= taken * highestOf(indices[i]!);
    left -= taken;
  }
  return Math.max(0, sum);
}
