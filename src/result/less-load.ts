import type { LessLoad } from './evaluate-thresholds.js';
import type { PhaseGenerator, RunResult } from './result.js';
import { formatPercent } from './units.js';

/** The share of an open loop's calls that must have been sent for a pass under it. */
const sentNeeded = 0.99;
/** From this share of the time at work on, a side has nothing left to give. */
export const busyLimit = 0.9;

/** Of a phase, finished or under way, what says whether the server was offered what it should have been. */
export interface PhaseUnderLoad {
  readonly name: string;
  readonly totals: {
    readonly started: number;
    readonly sent: number;
    readonly outcomes: { readonly ok: number };
    readonly cutOff?: number;
  };
  readonly generator?: PhaseGenerator;
}

type Run = Pick<RunResult, 'scenario'> & { readonly target: Pick<RunResult['target'], 'resources'> };

/** Why the server was offered less than it should have been in some of these phases; null where nothing says so. */
export function lessLoad(run: Run, phases: readonly PhaseUnderLoad[]): LessLoad | null {
  for (const phase of phases) {
    const { started, sent, cutOff = 0 } = phase.totals;
    const due = started - cutOff;
    if (isClosed(run, phase)) {
      if (isGeneratorTheLimit(run, phase))
        return {
          cause: 'generator',
          message: `the generator was at work for ${formatPercent(busiest(phase))} of the time, so the server was asked for less than it might have had to answer`,
        };
    } else if (sent < sentNeeded * due) {
      return {
        cause: 'not sent',
        message: `only ${formatPercent(sent / due)} of the calls that were due were sent (${formatPercent(sentNeeded)} are needed)`,
      };
    }
  }
  return null;
}

/** Whether a phase's calls were due whenever a slot became free. */
export function isClosed(run: Pick<RunResult, 'scenario'>, phase: PhaseUnderLoad): boolean {
  const model = run.scenario.phases.find(({ name }) => name === phase.name)?.load.model;
  return model === 'closed' || model === 'count';
}

/** The share of the phase in which its busiest worker was at work. */
export function busiest({ generator }: Pick<PhaseUnderLoad, 'generator'>): number {
  return Math.max(0, ...(generator?.loopUtilisation ?? []));
}

/** No worker time left, while the target had some: where that is not known, or only of whoever listens on its port, the target may have. */
function isGeneratorTheLimit({ target: { resources } }: Run, phase: PhaseUnderLoad): boolean {
  const target = resources?.found === 'port' ? null : (phase.generator?.targetCpuShare ?? null);
  return busiest(phase) >= busyLimit && (target === null || target < busyLimit);
}
