import { betaQuantile } from './incomplete-beta.js';
import type { ConfidenceInterval } from './confidence-interval.js';

/** Exact interval for a proportion of which `count` in `total` were seen: covers at least as often as it says, for every true value. */
export function clopperPearson(count: number, total: number, confidence = 0.95): ConfidenceInterval {
  if (!Number.isInteger(count) || !Number.isInteger(total) || count < 0 || total < 1 || count > total)
    throw new RangeError(`a proportion needs whole numbers 0 ≤ count ≤ total ≥ 1, got ${count} of ${total}`);
  const side = (1 - confidence) / 2;
  return {
    low: count === 0 ? 0 : betaQuantile(side, count, total - count + 1),
    high: count === total ? 1 : betaQuantile(1 - side, count + 1, total - count),
    confidence,
  };
}
