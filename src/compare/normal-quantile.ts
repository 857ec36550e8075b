import { chiSquaredQuantile, incompleteGamma } from './incomplete-gamma.js';
import { betaQuantile } from './incomplete-beta.js';

/** The z below which a standard normal variable falls with probability p. */
export function normalQuantile(p: number): number {
  if (p === 0.5) return 0;
  if (p < 0.5) return -normalQuantile(1 - p);
  return Math.sqrt(chiSquaredQuantile(2 * p - 1, 1));
}

/** Probability that a standard normal variable is below z. */
export function normalProbability(z: number): number {
  return (1 + Math.sign(z) * incompleteGamma(0.5, (z * z) / 2)) / 2;
}

/** The t below which Student's variable falls with probability p; without a finite number of degrees it is the normal one. */
export function studentQuantile(p: number, degreesOfFreedom: number): number {
  if (p === 0.5) return 0;
  if (p < 0.5) return -studentQuantile(1 - p, degreesOfFreedom);
  if (degreesOfFreedom === Infinity) return normalQuantile(p);
  // x is the share of t² in t² + ν, which is Beta(1/2, ν/2).
  const x = betaQuantile(2 * p - 1, 0.5, degreesOfFreedom / 2);
  return Math.sqrt((degreesOfFreedom * x) / (1 - x));
}

const criticalValues = new Map<string, number>();

/** Half-width, in standard errors, of a two-sided interval of this confidence. */
export function criticalValue(confidence: number, degreesOfFreedom = Infinity): number {
  const key = `${confidence} ${degreesOfFreedom}`;
  let value = criticalValues.get(key);
  // A quantile costs 0.2 ms, and there are only a handful of levels.
  if (value === undefined) {
    value = studentQuantile((1 + confidence) / 2, degreesOfFreedom);
    criticalValues.set(key, value);
  }
  return value;
}
