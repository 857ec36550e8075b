import { isDisturbed } from '../../src/result/disturbance.js';
import { exactPercentile } from '../accuracy/truth.js';
import type { DisturbedRun } from './disturbed-run.js';

export const judgedPercentiles = [
  ['p50', 50],
  ['p90', 90],
  ['p99', 99],
] as const;

// The way to the wire and back is in the figures: to the mock's log it is longer.
const wayNs = { wire: 0.2e6, log: 1e6 };

/** Counts, for each percentile of call.response, how often runs said rightly whether it holds. */
export class RightOrWrong {
  private readonly counts = judgedPercentiles.map(() => ({ truly: 0, missed: 0, alarms: 0 }));
  /** How often the truth lay below the lower end given. */
  outside = 0;

  /** Takes a run into account, and says in a line what it said and what was true. */
  judge({ result, truth, witness }: DisturbedRun): string {
    const metric = result.metrics['call.response']!;
    const said = judgedPercentiles.map(([key, percentile], at) => {
      const truthNs = exactPercentile(truth, percentile);
      const truly = isDisturbed({ seen: metric[key], low: truthNs, high: metric[key] });
      const called = metric.disturbed!.includes(key);
      const count = this.counts[at]!;
      if (truly) count.truly++;
      if (truly && !called) count.missed++;
      if (!truly && called) count.alarms++;
      const low = metric.low![key];
      if (truthNs < low - wayNs[witness]) this.outside++;
      const ms = (ns: number): string => (ns / 1e6).toFixed(2);
      return `${key} ${ms(low)}–${ms(metric[key])} ms, truth ${ms(truthNs)}${called ? ' (disturbed)' : ''}`;
    });
    return said.join('; ');
  }

  /** For each percentile: truly disturbed, missed, alarms. */
  cells(): number[] {
    return this.counts.flatMap(({ truly, missed, alarms }) => [truly, missed, alarms]);
  }
}
