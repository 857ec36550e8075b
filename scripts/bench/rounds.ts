import { median } from '../../src/compare/median.js';
import { takeUndisturbed, type Undisturbed, type WatchTheft } from './undisturbed.js';

/** What one measurement came to: named figures. */
export type Figures = Readonly<Record<string, number>>;

/** Something to be measured, once per round. */
export interface Contestant {
  readonly name: string;
  run(): Promise<Figures>;
}

/** All figures of all rounds, by name, in the order of the rounds. */
export type RoundFigures = Readonly<Record<string, readonly number[]>>;

/**
 * Measures all contestants in turn, every other round in reverse, so that a drift of the machine favours none; what the
 * hypervisor disturbed is measured again.
 */
export async function runRounds(
  contestants: readonly Contestant[],
  rounds: number,
  onMeasured: (round: number, contestant: string, measured: Undisturbed<Figures>) => void,
  watch?: WatchTheft,
): Promise<RoundFigures> {
  const all: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const measured = await takeUndisturbed(run, watch);
      onMeasured(round, name, measured);
      for (const [key, value] of Object.entries(measured.taken)) (all[key] ??= []).push(value);
    }
  }
  return all;
}

/** What a figure must be for its goal to be met. */
export interface Goal {
  readonly is: 'at least' | 'at most' | 'exactly';
  readonly limit: number;
}

/** A row of a benchmark's table: a value per round, the one that counts, and whether it is good enough. */
export interface Row {
  readonly title: string;
  readonly values: readonly number[];
  readonly value: number;
  readonly unit: string;
  readonly goal: Goal | null;
  /** null where there is no goal, or where the same program twice differs more than the value from its goal. */
  readonly met: boolean | null;
  /** The same program twice, as a ratio in each round; null where that was not measured. */
  readonly aa: readonly number[] | null;
  readonly note: string;
}

export interface RowSpec {
  readonly title: string;
  /** Computed round by round, so that what both sides of a ratio met in a round cancels out. */
  of(round: Readonly<Record<string, number>>): number;
  /** The same of one program that was measured twice in the round: how much of a ratio is noise. */
  aa?(round: Readonly<Record<string, number>>): number;
  readonly unit?: string;
  readonly goal?: Goal;
  /** Which of the rounds counts: the median, or the worst where not one may fail. */
  readonly counts?: 'median' | 'largest';
  readonly note?: string;
}

/** Turns the figures of the rounds into a row; null where they were not measured. */
export function makeRow(spec: RowSpec, figures: RoundFigures): Row | null {
  const rounds = Math.max(0, ...Object.values(figures).map(({ length }) => length));
  const each = (of: RowSpec['of']): number[] =>
    Array.from({ length: rounds }, (_, round) =>
      of(Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, all[round]!]))),
    ).filter((value) => !Number.isNaN(value));
  const values = each((round) => spec.of(round));
  const twice = spec.aa === undefined ? [] : each((round) => spec.aa!(round));
  const aa = twice.length === 0 ? null : twice;
  if (values.length === 0) return null;
  const value = spec.counts === 'largest' ? Math.max(...values) : median(values);
  const goal = spec.goal ?? null;
  return {
    title: spec.title,
    values,
    value,
    unit: spec.unit ?? '×',
    goal,
    met: goal === null || (aa !== null && isFiner(goal, value, aa)) ? null : meets(value, goal),
    aa,
    note: spec.note ?? '',
  };
}

/** How far the same program twice was from itself at the worst, as a factor above 1. */
export function spreadOf(aa: readonly number[]): number {
  return Math.max(...aa.map((ratio) => Math.max(ratio, 1 / ratio)));
}

/** Whether a value is nearer to its goal than the same program is to itself: then which side it is on says nothing. */
function isFiner(goal: Goal, value: number, aa: readonly number[]): boolean {
  return Math.max(value / goal.limit, goal.limit / value) < spreadOf(aa);
}

function meets(value: number, { is, limit }: Goal): boolean {
  if (is === 'exactly') return value === limit;
  return is === 'at least' ? value >= limit : value <= limit;
}
