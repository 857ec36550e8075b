import { median } from '../compare/median.js';
import { compareTable, fewestRounds } from '../compare/table-comparison.js';
import { medianInterval } from './median-interval.js';
import { tieLetters } from './tie-letters.js';
import type { FigureEnds, RankedPlace, Ranking, VersusMetric } from './versus-result.js';

/** What one target gave in its rounds. */
export interface TargetValues {
  readonly target: string;
  /** One for each round: Infinity where failed calls reach into the figure, null where the round has none. */
  readonly rounds: readonly (number | null)[];
  /** Between which ends the true figure lies, where the generator may have moved it; null for a round in which it has not. */
  readonly ends?: readonly (FigureEnds | null)[];
}

export interface RankOptions {
  /** Of all claims of the table together. */
  readonly confidence?: number;
  /** Whether two are level whatever their figures say. */
  readonly level?: (a: string, b: string) => boolean;
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

const usualConfidence = 0.95;

interface Entry {
  readonly target: string;
  readonly rounds: readonly (number | null)[];
  readonly ends: readonly (FigureEnds | null)[];
  readonly values: readonly number[];
  readonly median: number;
  readonly kind: 'figures' | 'nothing' | 'failed' | 'mixed';
}

/**
 * Ranks targets by their medians. Two are told apart where the tests of the whole table do so (`compareTable`), or where one gives nothing or
 * fails in every round and the other in none; a target's place is one more than the number of those that are better for certain.
 */
export function rankTargets<Metric extends VersusMetric>(
  metric: Metric,
  given: readonly TargetValues[],
  { confidence = usualConfidence, level = () => false }: RankOptions = {},
): Ranking & { readonly metric: Metric } {
  const sign = moreIsBetter[metric] ? -1 : 1;
  const sorted = given
    .map(entryOf)
    .filter(({ values }) => values.length > 0)
    .sort((a, b) => compare(sign * a.median, sign * b.median));
  const pairs = compareEntries(sorted, confidence);
  const differ = (a: number, b: number): boolean =>
    pairs !== null && !level(sorted[a]!.target, sorted[b]!.target) && pairs.differ(a, b);
  const letters = tieLetters(sorted.length, differ);
  const places = sorted.map(({ target, values, median: middle }, at): RankedPlace => ({
    target,
    place: 1 + sorted.filter((_, other) => other < at && differ(other, at)).length,
    ties: letters[at]!,
    values,
    median: middle,
    interval: medianInterval(values),
    toFirst: at === 0 ? null : (pairs?.toFirst(at) ?? plainRatio(sorted[0]!, sorted[at]!)),
  }));
  return {
    metric,
    confidence: pairs === null ? null : confidence,
    rounds: pairs?.rounds ?? completeRounds(sorted).length,
    places,
  };
}

interface Pairs {
  readonly rounds: number;
  differ(a: number, b: number): boolean;
  toFirst(at: number): RankedPlace['toFirst'];
}

/** null where there are too few rounds, or nobody to compare with. */
function compareEntries(entries: readonly Entry[], confidence: number): Pairs | null {
  const testable = entries.filter(({ kind }) => kind === 'figures');
  const rounds = completeRounds(testable.length > 0 ? testable : entries);
  if (entries.length < 2 || rounds.length < fewestRounds) return null;
  const table = compareTable(
    testable.map((entry) => rounds.map((round) => entry.rounds[round]!)),
    confidence,
    {
      below: testable.map((entry) => doubtOf(entry, rounds, (value, { low }) => value / low)),
      above: testable.map((entry) => doubtOf(entry, rounds, (value, { high }) => high / value)),
    },
  );
  const rowOf = entries.map((entry) => testable.indexOf(entry));
  return {
    rounds: rounds.length,
    differ: (a, b) => {
      const [kindA, kindB] = [entries[a]!.kind, entries[b]!.kind];
      if (kindA === 'figures' && kindB === 'figures') return table!.differ(rowOf[a]!, rowOf[b]!);
      return kindA !== kindB && kindA !== 'mixed' && kindB !== 'mixed';
    },
    toFirst: (at) => {
      if (entries[0]!.kind !== 'figures' || entries[at]!.kind !== 'figures') return null;
      const { ratio, interval } = table!.ratio(rowOf[0]!, rowOf[at]!);
      return { ratio, low: interval.low, high: Number.isFinite(interval.high) ? interval.high : null };
    },
  };
}

function entryOf({ target, rounds, ends = [] }: TargetValues): Entry {
  const values = rounds.filter((value) => value !== null);
  const all = (holds: (value: number) => boolean): boolean => values.every(holds);
  const kind = all((value) => value > 0 && value < Infinity)
    ? 'figures'
    : all((value) => value === 0)
      ? 'nothing'
      : all((value) => value === Infinity)
        ? 'failed'
        : 'mixed';
  return { target, rounds, ends, values, median: median(values), kind };
}

/** The mean logarithm by which a target's figures may be off to one side. */
function doubtOf(
  { rounds: figures, ends }: Entry,
  rounds: readonly number[],
  factor: (value: number, ends: FigureEnds) => number,
): number {
  const logs = rounds.map((round) => {
    const between = ends[round] ?? null;
    return between === null ? 0 : Math.max(0, Math.log(factor(figures[round]!, between)));
  });
  return logs.reduce((sum, log) => sum + log, 0) / rounds.length;
}

/** The rounds in which all of them have a figure. */
function completeRounds(entries: readonly Entry[]): number[] {
  const most = Math.max(0, ...entries.map(({ rounds }) => rounds.length));
  return Array.from({ length: most }, (_, round) => round).filter((round) =>
    entries.every(({ rounds }) => (rounds[round] ?? null) !== null),
  );
}

function plainRatio(first: Entry, other: Entry): RankedPlace['toFirst'] {
  const ratio = other.median / first.median;
  return Number.isFinite(ratio) && ratio > 0 ? { ratio, low: null, high: null } : null;
}

// Infinity − Infinity is not a number.
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
