import type { ConfidenceInterval } from './confidence-interval.js';
import { rankInterval } from './mann-whitney.js';

/** How much larger head is than base, as a ratio, with what can be said about it. */
export interface ShiftEstimate {
  /** Hodges–Lehmann estimate of head/base; 1 is no change. */
  ratio: number;
  /** Decides whether there was a change; undefined where too few runs allow no interval of that confidence. */
  interval: ConfidenceInterval | undefined;
  /** At least 90 %: decides whether a change above the margin can be ruled out. */
  equivalence: ConfidenceInterval | undefined;
  /** Pairs of runs with equal values: with any, the true confidence is at least the one given. */
  tiedPairs: number;
}

/**
 * Confidence asked of the interval that decides. The tightest rank interval above it leaves at most 2.1 % on either side for every
 * number of runs, where 95 % would leave up to 2.5 % (8 against 8), more than the false alarms we promise per gate.
 * For 4, 5 and 6 runs a side both give the same ranks.
 */
export const decisionConfidence = 0.958;

/** Confidence asked of the interval that has to lie within the margin: two one-sided tests at 5 %. */
export const equivalenceConfidence = 0.9;

/**
 * Ratio head/base by the median of all differences of logarithms, with exact rank intervals.
 * Values are per-run figures ≥ 0; Infinity stands for "failed calls reach into this percentile" and ranks above all else.
 */
export function hodgesLehmann(
  base: readonly number[],
  head: readonly number[],
  confidence: { decision?: number; equivalence?: number } = {},
): ShiftEstimate {
  const shifts = differencesOfLogs(base, head);
  const between = (level: number): ConfidenceInterval | undefined => {
    const found = rankInterval(base.length, head.length, level);
    if (found === undefined) return undefined;
    return {
      low: Math.exp(shifts[found.rank - 1]!),
      high: Math.exp(shifts[shifts.length - found.rank]!),
      confidence: found.confidence,
    };
  };
  return {
    ratio: Math.exp(medianOfSorted(shifts)),
    interval: between(confidence.decision ?? decisionConfidence),
    equivalence: between(confidence.equivalence ?? equivalenceConfidence),
    tiedPairs: shifts.reduce((ties, shift) => (shift === 0 ? ties + 1 : ties), 0),
  };
}

function differencesOfLogs(base: readonly number[], head: readonly number[]): Float64Array {
  const [baseLogs, headLogs] = [base.map(log), head.map(log)];
  const shifts = new Float64Array(base.length * head.length);
  let at = 0;
  for (const b of baseLogs)
    for (const h of headLogs) {
      // Equal values are a tie whatever they are: also two zeros, or two percentiles lost to failed calls.
      shifts[at++] = b === h ? 0 : h - b;
    }
  // Of typed arrays, sort() is numeric.
  return shifts.sort();
}

function log(value: number): number {
  if (!(value >= 0)) throw new RangeError(`a ratio needs values of at least 0, got ${value}`);
  return Math.log(value);
}

function medianOfSorted(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle]!;
  if (sorted.length % 2 === 1) return upper;
  const lower = sorted[middle - 1]!;
  // Half of the pairs infinitely slower and half infinitely faster: no direction.
  return lower === -upper ? 0 : (lower + upper) / 2;
}
