import type { RunResult } from '../result/result.js';
import { median } from './median.js';
import { comparedMetrics, errorsOf } from './run-figures.js';
import { betweenRunVariation, type BetweenRunVariation } from './variance.js';

/** What several runs of one thing say about one metric. */
export interface RepeatedFigure {
  metric: string;
  unit: 'ns' | 'perSec' | 'share';
  values: number[];
  /** Of each run, whether the generator may have moved its figure: the median and the variation go by the others. */
  disturbed: boolean[];
  median: number;
  least: number;
  most: number;
  /** null where it makes no sense: of errors, of a single run, of percentiles lost to failed calls. */
  variation: BetweenRunVariation | null;
}

/** The figures of several runs of one thing, in the order of comparisons; failed calls are slower than any other. */
export function repeatedFigures(runs: readonly RunResult[]): RepeatedFigure[] {
  const errors = runs.map(errorsOf).map(({ count, total }) => (total === 0 ? 0 : count / total));
  const ratios = comparedMetrics(runs[0]!).flatMap(({ metric, unit, read }) => {
    const figures = runs.map((run) => read(run)).filter((figure) => figure !== undefined);
    if (figures.length < runs.length) return [];
    const values = figures.map(({ value }) => value);
    const disturbed = figures.map((figure) => figure.disturbed);
    const sound = soundValues({ values, disturbed });
    return [{ ...summary(metric, unit, values, disturbed), variation: betweenRunVariation([sound]) ?? null }];
  });
  const exact = errors.map(() => false);
  return [{ ...summary('errors', 'share', errors, exact), variation: null }, ...ratios];
}

function summary(
  metric: string,
  unit: RepeatedFigure['unit'],
  values: number[],
  disturbed: boolean[],
): Omit<RepeatedFigure, 'variation'> {
  return {
    metric,
    unit,
    values,
    disturbed,
    median: median(soundValues({ values, disturbed })),
    least: Math.min(...values),
    most: Math.max(...values),
  };
}

/** The values that hold; all of them where none does. */
export function soundValues({ values, disturbed }: Pick<RepeatedFigure, 'values' | 'disturbed'>): number[] {
  const sound = values.filter((_, at) => !disturbed[at]);
  return sound.length > 0 ? sound : values;
}
