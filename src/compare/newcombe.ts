import type { ConfidenceInterval } from './confidence-interval.js';
import { criticalValue } from './normal-quantile.js';

/** Of how many, how many. Fractions are allowed: counts deflated for dispersion are not whole. */
export interface Proportion {
  count: number;
  total: number;
}

/** Difference of two proportions, head − base, with Newcombe's interval. */
export interface ProportionDifference extends ConfidenceInterval {
  difference: number;
}

/**
 * Newcombe's hybrid score interval (1998, method 10, no continuity correction) for the difference of two independent proportions.
 * It stays within ±1 and has a width even where neither side saw anything.
 */
export function newcombe(
  base: Proportion,
  head: Proportion,
  confidence = 0.95,
  degreesOfFreedom = Infinity,
): ProportionDifference {
  const z = criticalValue(confidence, degreesOfFreedom);
  const b = wilson(base, z);
  const h = wilson(head, z);
  const difference = h.rate - b.rate;
  return {
    difference,
    low: Math.max(-1, difference - Math.hypot(h.rate - h.low, b.high - b.rate)),
    high: Math.min(1, difference + Math.hypot(h.high - h.rate, b.rate - b.low)),
    confidence,
  };
}

function wilson({ count, total }: Proportion, z: number): { rate: number; low: number; high: number } {
  if (!(total > 0 && count >= 0 && count <= total))
    throw new RangeError(`a proportion needs 0 ≤ count ≤ total > 0, got ${count} of ${total}`);
  const rate = count / total;
  const middle = count + (z * z) / 2;
  const reach = z * Math.sqrt((z * z) / 4 + count * (1 - rate));
  const scale = total + z * z;
  // At the ends the score interval touches 0 and 1 exactly; rounding must not leave a hair's breadth.
  return {
    rate,
    low: count === 0 ? 0 : (middle - reach) / scale,
    high: count === total ? 1 : (middle + reach) / scale,
  };
}
