import { decisionConfidence, hodgesLehmann } from '../compare/hodges-lehmann.js';
import { mannWhitney, rankInterval } from '../compare/mann-whitney.js';
import { median } from '../compare/median.js';
import { medianInterval } from './median-interval.js';
import { tieLetters } from './tie-letters.js';
import type { RankedPlace, Ranking, VersusMetric } from './versus-result.js';

/** What one target gave in its rounds. */
export interface TargetValues {
  readonly target: string;
  /** Infinity where failed calls reach into the figure. */
  readonly values: readonly number[];
}

/** Whether more of it is better. */
export const moreIsBetter: Readonly<Record<VersusMetric, boolean>> = {
  callsPerSec: true,
  p50: false,
  p99: false,
  handshake: false,
  cpuPer1000Calls: false,
  memoryPerSession: false,
  peakMemory: false,
};

/**
 * Ranks targets by their medians. Two are told apart where the exact rank test of their rounds does so at the level of
 * comparisons; a target's place is one more than the number of those that are better for certain.
 */
export function rankTargets(metric: VersusMetric, given: readonly TargetValues[]): Ranking {
  const sign = moreIsBetter[metric] ? -1 : 1;
  const sorted = given
    .filter(({ values }) => values.length > 0)
    .map((each) => ({ ...each, median: median(each.values) }))
    .sort((a, b) => compare(sign * a.median, sign * b.median));
  const levels = sorted.flatMap((a, at) =>
    sorted
      .slice(at + 1)
      .map((b) => rankInterval(a.values.length, b.values.length, decisionConfidence)?.confidence),
  );
  const tells = levels.filter((level) => level !== undefined);
  const differ = (a: number, b: number): boolean => toldApart(sorted[a]!.values, sorted[b]!.values);
  const letters = tieLetters(sorted.length, differ);
  const places = sorted.map(({ target, values, median: middle }, at): RankedPlace => ({
    target,
    place: 1 + sorted.filter((_, other) => other < at && differ(other, at)).length,
    ties: letters[at]!,
    values,
    median: middle,
    interval: medianInterval(values),
    toFirst: at === 0 ? null : ratioTo(sorted[0]!.values, values),
  }));
  return { metric, pairConfidence: tells.length === 0 ? null : Math.min(...tells), places };
}

function toldApart(a: readonly number[], b: readonly number[]): boolean {
  const level = rankInterval(a.length, b.length, decisionConfidence);
  // The test and the interval agree: p ≤ α exactly where the interval excludes no difference.
  return level !== undefined && mannWhitney(a, b).pValue <= (1 - level.confidence) * (1 + 1e-9);
}

function ratioTo(first: readonly number[], values: readonly number[]): RankedPlace['toFirst'] {
  const { ratio, interval } = hodgesLehmann(first, values);
  if (!Number.isFinite(ratio) || ratio === 0) return null;
  const finite = (value: number | undefined): number | null =>
    value !== undefined && Number.isFinite(value) ? value : null;
  return { ratio, low: finite(interval?.low), high: finite(interval?.high) };
}

// Infinity − Infinity is not a number.
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
