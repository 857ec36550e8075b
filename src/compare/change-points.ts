import { hodgesLehmann } from './hodges-lehmann.js';
import { seededRandom } from './seeded-random.js';

/** Where a series of runs moved to another level. */
export interface ChangePoint {
  /** Index of the first run at the new level. */
  at: number;
  /** New level over old one, by Hodges–Lehmann over the runs up to the neighbouring change points. */
  ratio: number;
  /** Of the permutation test of this change between its two neighbours. */
  pValue: number;
}

/** How to look for change points. */
export interface ChangePointOptions {
  /** Chance of marking anything in a series that never changed. */
  alpha?: number;
  /** A level must hold for this many runs: fewer are outliers. */
  fewestRuns?: number;
  permutations?: number;
  seed?: number;
}

/**
 * Change points of a series of runs, oldest first. Recursively looks for the stretch of runs that differs most from the rest (so that a
 * temporary change is seen as well as a lasting one) and keeps it if a permutation test finds it rarer than `alpha`; at the end each border has to
 * stand the test against its two neighbours alone. No distribution is assumed, and outliers are cut off.
 * In a series without a change only one test is made, so `alpha` is the false-alarm rate of the whole series; runs are taken
 * for independent, and a slow drift appears as steps. Costs permutations × n² additions: under a second at 500 runs.
 */
export function changePoints(series: readonly number[], options: ChangePointOptions = {}): ChangePoint[] {
  if (series.some((value) => Number.isNaN(value)))
    throw new RangeError('a series of runs must not contain NaN');
  const test: Test = {
    alpha: options.alpha ?? 0.01,
    fewest: Math.max(1, options.fewestRuns ?? 4),
    permutations: options.permutations ?? 499,
    random: seededRandom(options.seed ?? 1),
  };
  const borders = new Set<number>();
  split(series, 0, series.length, test, borders);
  return prune(
    series,
    [...borders].sort((a, b) => a - b),
    test,
  );
}

interface Test {
  alpha: number;
  fewest: number;
  permutations: number;
  random: () => number;
}

interface Stretch {
  from: number;
  to: number;
  score: number;
}

type Scan = (scores: Float64Array, fewest: number) => Stretch;

function split(series: readonly number[], from: number, to: number, test: Test, borders: Set<number>): void {
  const scores = robustScores(series.slice(from, to));
  const found = significant(scores, scanStretches, test);
  if (found === undefined) return;
  const inner = [found.stretch.from, found.stretch.to].filter((at) => at > 0 && at < scores.length);
  for (const at of inner) borders.add(from + at);
  const edges = [0, ...inner, scores.length];
  for (let i = 0; i + 1 < edges.length; i++)
    split(series, from + edges[i]!, from + edges[i + 1]!, test, borders);
}

// Borders found in company may not stand alone; the weakest goes first, as its neighbours then have more runs to show themselves.
function prune(series: readonly number[], candidates: number[], test: Test): ChangePoint[] {
  let borders = candidates;
  for (;;) {
    const pValues = borders.map((_, i) => {
      const [from, to] = neighbours(series, borders, i);
      return significant(robustScores(series.slice(from, to)), scanBorders, test)?.pValue ?? 1;
    });
    const weakest = pValues.reduce((worst, p, i) => (p > pValues[worst]! ? i : worst), 0);
    if (borders.length === 0 || pValues[weakest]! <= test.alpha)
      return describe(series, borders, pValues, test);
    borders = borders.filter((_, i) => i !== weakest);
  }
}

function describe(
  series: readonly number[],
  borders: readonly number[],
  pValues: readonly number[],
  test: Test,
): ChangePoint[] {
  const settled = borders.map((_, i) => {
    const [from, to] = neighbours(series, borders, i);
    return from + bestBorder(robustScores(series.slice(from, to)), test.fewest);
  });
  return settled.map((at, i) => {
    const [from, to] = neighbours(series, settled, i);
    return {
      at,
      ratio: hodgesLehmann(series.slice(from, at), series.slice(at, to)).ratio,
      pValue: pValues[i]!,
    };
  });
}

function neighbours(series: readonly number[], borders: readonly number[], i: number): [number, number] {
  return [borders[i - 1] ?? 0, borders[i + 1] ?? series.length];
}

// Where the runs on both sides are nearest to their medians. The sums that prove a change would move its place to an outlier nearby.
function bestBorder(scores: Float64Array, fewest: number): number {
  let best = fewest;
  let least = Infinity;
  for (let at = fewest; at <= scores.length - fewest; at++) {
    const cost = aroundMedian(scores.subarray(0, at)) + aroundMedian(scores.subarray(at));
    if (cost < least) [best, least] = [at, cost];
  }
  return best;
}

function aroundMedian(values: Float64Array): number {
  const sorted = values.toSorted();
  const middle = sorted[sorted.length >> 1]!;
  return sorted.reduce((sum, value) => sum + Math.abs(value - middle), 0);
}

// p counts the series itself among its permutations, so that p ≤ α has probability ≤ α exactly; gives up once that is out of reach.
function significant(
  scores: Float64Array,
  scan: Scan,
  test: Test,
): { stretch: Stretch; pValue: number } | undefined {
  if (scores.length < 2 * test.fewest) return undefined;
  const stretch = scan(scores, test.fewest);
  if (stretch.score === 0) return undefined;
  const shuffled = Float64Array.from(scores);
  const allowed = Math.floor(test.alpha * (test.permutations + 1) + 1e-9) - 1;
  let asLarge = 0;
  for (let i = 0; i < test.permutations; i++) {
    shuffle(shuffled, test.random);
    if (scan(shuffled, test.fewest).score >= stretch.score * (1 - 1e-12)) asLarge++;
    if (asLarge > allowed) return undefined;
  }
  return { stretch, pValue: (asLarge + 1) / (test.permutations + 1) };
}

// Squared sum of scores over its variance under permutation (up to a constant of n): comparable between stretches of any length.
const scanStretches: Scan = (scores, fewest) => {
  const n = scores.length;
  const sums = prefixSums(scores);
  const best: Stretch = { from: 0, to: 0, score: 0 };
  for (let from = 0; from <= n - fewest; from = from === 0 ? fewest : from + 1) {
    // Either the stretch reaches the end, or it leaves enough runs behind it; at the start likewise.
    const last = n - fewest;
    for (let to = from + fewest; to <= last; to++) consider(best, sums, from, to, n);
    if (from > 0) consider(best, sums, from, n, n);
  }
  return best;
};

const scanBorders: Scan = (scores, fewest) => {
  const n = scores.length;
  const sums = prefixSums(scores);
  const best: Stretch = { from: 0, to: 0, score: 0 };
  for (let at = fewest; at <= n - fewest; at++) consider(best, sums, at, n, n);
  return best;
};

function consider(best: Stretch, sums: Float64Array, from: number, to: number, n: number): void {
  const sum = sums[to]! - sums[from]!;
  const length = to - from;
  const score = (sum * sum) / (length * (n - length));
  if (score <= best.score) return;
  best.from = from;
  best.to = to;
  best.score = score;
}

function prefixSums(scores: Float64Array): Float64Array {
  const sums = new Float64Array(scores.length + 1);
  for (let i = 0; i < scores.length; i++) sums[i + 1] = sums[i]! + scores[i]!;
  return sums;
}

// Distance from the median in robust standard deviations, cut off at 2: a level that holds for a few runs counts by its size, which ranks
// would not show, and yet no single run counts for much, be it an outlier or Infinity. The mean is taken off: an even series sums to zero.
function robustScores(values: readonly number[]): Float64Array {
  const logs = values.map((value) => Math.log(value));
  const centre = quantile(logs, 0.5);
  const spread = noise(logs);
  const scores = Float64Array.from(logs, (log) =>
    log === centre ? 0 : Math.max(-2, Math.min(2, (log - centre) / spread)),
  );
  const average = mean(scores);
  return scores.map((score) => score - average);
}

// Rousseeuw and Croux' Qn: the first quartile of all distances between two runs. Most of those are between runs of one level, so that it shows
// the noise around the levels and not the steps between them; and it does not depend on the order, so that the permutation test stays exact.
function noise(logs: readonly number[]): number {
  const distances: number[] = [];
  for (let i = 0; i < logs.length; i++)
    for (let j = 0; j < i; j++) {
      const distance = logs[i] === logs[j] ? 0 : Math.abs(logs[i]! - logs[j]!);
      if (Number.isFinite(distance)) distances.push(distance);
    }
  return 2.2219 * quantile(distances, 0.25) || mean(distances) || 1;
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return values.length === 0 ? 0 : sum / values.length;
}

function quantile(values: readonly number[], p: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(p * sorted.length)] ?? 0;
}

function shuffle(values: Float64Array, random: () => number): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const value = values[i]!;
    values[i] = values[j]!;
    values[j] = value;
  }
}
