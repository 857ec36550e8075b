import { noPauses, type Pauses } from './disturbance.js';
import type { PhaseUnderLoad } from './less-load.js';
import type { PhaseGenerator } from './result.js';

/** The pauses of a phase, as percentiles are judged by them; none where nothing is known. */
export function pausesIn(generator: PhaseGenerator | undefined): Pauses {
  if (generator === undefined) return noPauses;
  return { share: generator.pausedShare, wakeNs: (generator.wakeDelayMs ?? 0) * 1e6 };
}

/** Over several phases, each counted for as many as its calls: what delayed half of the calls of one did not touch the other's. */
export function pausesOver(phases: readonly PhaseUnderLoad[]): Pauses {
  const calls = phases.map(({ totals }) => totals.outcomes.ok);
  const total = calls.reduce((sum, count) => sum + count, 0);
  if (total === 0) return noPauses;
  const mean = (pick: (pauses: Pauses) => number): number =>
    phases.reduce((sum, { generator }, at) => sum + (pick(pausesIn(generator)) * calls[at]!) / total, 0);
  return { share: mean(({ share }) => share), wakeNs: mean(({ wakeNs }) => wakeNs) };
}
