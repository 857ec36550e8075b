import type { RunResult } from '../result/result.js';
import { median } from './median.js';
import { comparedMetrics, errorsOf } from './run-figures.js';
import { betweenRunVariation, type BetweenRunVariation } from './variance.js';

/** What several runs of one thing say about one metric. */
export interface RepeatedFigure {
  metric: string;
  unit: 'ns' | 'perSec' | 'share';
  values: number[];
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
    const values = runs.map((run) => read(run)?.value).filter((value) => value !== undefined);
    if (values.length < runs.length) return [];
    return [{ ...summary(metric, unit, values), variation: betweenRunVariation([values]) ?? null }];
  });
  return [{ ...summary('errors', 'share', errors), variation: null }, ...ratios];
}

function summary(
  metric: string,
  unit: RepeatedFigure['unit'],
  values: number[],
): Omit<RepeatedFigure, 'variation'> {
  return {
    metric,
    unit,
    values,
    median: median(values),
    least: Math.min(...values),
    most: Math.max(...values),
  };
}
