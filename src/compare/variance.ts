import { chiSquaredQuantile } from './incomplete-gamma.js';

/** How much runs of the same thing differ from each other. */
export interface BetweenRunVariation {
  /** Standard deviation of the logarithm, pooled over the groups. */
  sdLog: number;
  /** Coefficient of variation that belongs to it: 0.025 is 2.5 %. */
  cv: number;
  low: number;
  high: number;
  confidence: number;
  degreesOfFreedom: number;
}

/**
 * Coefficient of variation between runs, from one or more groups of runs of the same thing (each group keeps its own mean).
 * The interval (chi-squared) takes the logarithms for normal: with outliers among the runs it is too narrow. Undefined where no
 * group has two runs, or where a value has no finite logarithm.
 */
export function betweenRunVariation(
  groups: readonly (readonly number[])[],
  confidence = 0.95,
): BetweenRunVariation | undefined {
  let squares = 0;
  let degreesOfFreedom = 0;
  for (const group of groups) {
    if (group.length === 0) continue;
    const logs = group.map((value) => Math.log(value));
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    squares += logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
    degreesOfFreedom += logs.length - 1;
  }
  if (degreesOfFreedom === 0 || !Number.isFinite(squares)) return undefined;
  const side = (1 - confidence) / 2;
  const asCv = (variance: number): number => Math.sqrt(Math.expm1(variance));
  return {
    sdLog: Math.sqrt(squares / degreesOfFreedom),
    cv: asCv(squares / degreesOfFreedom),
    low: asCv(squares / chiSquaredQuantile(1 - side, degreesOfFreedom)),
    high: asCv(squares / chiSquaredQuantile(side, degreesOfFreedom)),
    confidence,
    degreesOfFreedom,
  };
}
