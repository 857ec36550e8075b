import { compareErrorRates, estimateErrorRates, judgeErrorRates, pool } from './error-rate.js';
import { decisionConfidence, equivalenceConfidence } from './hodges-lehmann.js';
import { rankInterval } from './mann-whitney.js';
import type { Proportion } from './newcombe.js';
import { criticalValue, normalProbability } from './normal-quantile.js';
import type { Margins } from './verdict.js';

/** How sure the estimate should be that the runs it names will settle the question. */
const power = 0.8;

/** Beyond this nobody runs them: the honest answer is that runs will not settle it. */
const mostRuns = 500;

const fewestRuns = 4;

// A shift by ranks is as precise as a mean of 3/π as many normal values.
const rankEfficiency = 3 / Math.PI;

/** What an inconclusive comparison saw. */
export interface Seen {
  ratio: number;
  /** Standard deviation of the logarithm between runs of one side. */
  sdLog: number;
  /** Runs a side so far. */
  runs: number;
}

/**
 * Runs a side, in all, that would settle an inconclusive ratio in four cases of five if the effect and the variance seen were the true ones:
 * by proving the change, or by ruling out one beyond the margins, whichever is cheaper. Undefined where 500 would not do.
 */
export function runsNeeded(seen: Seen, margins: Margins): number | undefined {
  const shift = Math.log(seen.ratio);
  if (!Number.isFinite(shift) || !Number.isFinite(seen.sdLog)) return undefined;
  const [up, down] = [Math.log(margins.up), margins.down > 0 ? Math.log(margins.down) : -Infinity];
  // Runs that happened to agree to the last digit still differ; and fewer than four have no interval by ranks.
  const sdLog = Math.max(seen.sdLog, 1e-6);
  for (let runs = Math.max(seen.runs + 1, fewestRuns); runs <= mostRuns; runs++) {
    const error = sdLog * Math.sqrt(2 / (runs * rankEfficiency));
    const below = (limit: number): number => normalProbability((limit - shift) / error);
    // An estimate this far from zero proves a change; one this far inside the margins rules out a larger one; in between it stays open.
    const proves = widthAt(runs, decisionConfidence) * error;
    const inside = widthAt(runs, equivalenceConfidence) * error;
    const openAbove = below(proves) - below(Math.max(0, Math.min(proves, up - inside)));
    const openBelow = below(Math.min(0, Math.max(-proves, down + inside))) - below(-proves);
    // Margins so narrow that neither side fits leave the middle open too.
    const neither = up - inside < down + inside;
    if (!neither && openAbove + openBelow <= 1 - power) return runs;
    if (neither && below(proves) - below(-proves) <= 1 - power) return runs;
  }
  return undefined;
}

/** The same for error rates: runs a side, in all, after which the rates and the dispersion seen would no longer be inconclusive. */
export function runsNeededForErrors(
  base: readonly Proportion[],
  head: readonly Proportion[],
  margin: number,
): number | undefined {
  const now = Math.max(base.length, head.length);
  const { dispersion, seesRuns } = compareErrorRates(base, head);
  const [baseSum, headSum] = [pool(base), pool(head)];
  for (let runs = now + 1; runs <= mostRuns; runs++) {
    const grow = ({ count, total }: Proportion): Proportion => ({
      count: (count * runs) / now,
      total: (total * runs) / now,
    });
    const degreesOfFreedom = 2 * (runs - 1);
    const grown = { base: grow(baseSum), head: grow(headSum), dispersion, degreesOfFreedom, seesRuns };
    if (judgeErrorRates(estimateErrorRates(grown), margin) !== 'inconclusive') return runs;
  }
  return undefined;
}

function widthAt(runs: number, confidence: number): number {
  // With many runs ranks can have nearly any confidence, and the exact distribution costs more than it says.
  if (runs > 40) return criticalValue(confidence);
  const interval = rankInterval(runs, runs, confidence);
  return interval === undefined ? Infinity : criticalValue(interval.confidence);
}
