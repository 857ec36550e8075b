import type { ConfidenceInterval } from './confidence-interval.js';
import { hodgesLehmann } from './hodges-lehmann.js';
import { criticalValue } from './normal-quantile.js';
import { betweenRunVariation } from './variance.js';

/** How much runs of the same thing are known to differ, from elsewhere than the runs at hand. */
export interface KnownSpread {
  sdLog: number;
  degreesOfFreedom: number;
}

/** A ratio with its intervals, where they exist. */
export interface RatioEstimate {
  ratio: number;
  interval: ConfidenceInterval | undefined;
  equivalence: ConfidenceInterval | undefined;
}

// Percentiles come from buckets up to a thousandth wide: two equal runs need not be equal to the last digit.
const resolution = 1 / 1024 / Math.sqrt(12);

/**
 * Ratio head/base of fewer runs than ranks need, by Student's t over their logarithms. The spread is that of the runs at hand, pooled with
 * what is known from elsewhere; without either, or with a percentile lost to failed calls, there is no interval. Unlike ranks it assumes that the
 * logarithms are normal, so that alone it decides nothing.
 */
export function fewRuns(
  base: readonly number[],
  head: readonly number[],
  confidence: { decision: number; equivalence: number },
  known?: KnownSpread,
): RatioEstimate {
  const own = betweenRunVariation([base, head]);
  const degreesOfFreedom = (own?.degreesOfFreedom ?? 0) + (known?.degreesOfFreedom ?? 0);
  const shift = meanLog(head) - meanLog(base);
  if (!Number.isFinite(shift) || degreesOfFreedom === 0)
    return { ratio: hodgesLehmann(base, head).ratio, interval: undefined, equivalence: undefined };
  const squares = [own, known].reduce(
    (sum, part) => sum + (part ? part.sdLog ** 2 * part.degreesOfFreedom : 0),
    0,
  );
  const variance = squares / degreesOfFreedom + resolution ** 2;
  const error = Math.sqrt(variance * (1 / base.length + 1 / head.length));
  const between = (level: number): ConfidenceInterval => {
    const reach = criticalValue(level, degreesOfFreedom) * error;
    return { low: Math.exp(shift - reach), high: Math.exp(shift + reach), confidence: level };
  };
  return {
    ratio: Math.exp(shift),
    interval: between(confidence.decision),
    equivalence: between(confidence.equivalence),
  };
}

function meanLog(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + Math.log(value), 0) / values.length;
}
