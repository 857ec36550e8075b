import type { RunResult } from '../../src/result/result.js';
import { formatDuration, formatRate } from '../../src/result/units.js';
import { executePlan } from '../../src/run/run.js';
import { planScenario } from '../../src/scenario/load-scenario.js';
import type { Setting, Side } from './setting.js';

/** The runs that comparisons are drawn from, and those that were left out. */
export interface Pool {
  readonly A: readonly RunResult[];
  readonly B: readonly RunResult[];
  /** Left out and repeated: a real comparison would have refused them. */
  readonly suspect: readonly { readonly side: Side; readonly reasons: readonly string[] }[];
}

/** A B B A A B B A …: a slow change of the machine reaches both sides alike. */
export function sideAt(turn: number): Side {
  return turn % 4 === 0 || turn % 4 === 3 ? 'A' : 'B';
}

/**
 * Runs each side so often that `size` valid runs of it are there, in turns, each against a mock process of its own. A suspect run is repeated in its
 * turn; when half as many as the pool holds were suspect the machine is unfit, and it throws.
 */
export async function gatherPool(setting: Setting, size: number, say: (line: string) => void): Promise<Pool> {
  const plan = planScenario(setting.scenario);
  const runs: Record<Side, RunResult[]> = { A: [], B: [] };
  const suspect: { side: Side; reasons: string[] }[] = [];
  for (let turn = 0; turn < 2 * size;) {
    const side = sideAt(turn);
    const { result, failure } = await executePlan(plan, { mockArgs: setting.mockArgs[side] });
    if (failure !== null) throw failure;
    if (result.ended !== 'complete')
      throw new Error(`a run of ${side} did not end by itself: ${result.ended}`);
    const { p50, p99 } = result.metrics['call.response']!;
    const { state, reasons } = result.validity;
    say(
      `${setting.name}: run ${turn + 1} of ${2 * size}, ${side}: p50 ${formatDuration(p50)}, p99 ${formatDuration(p99)}, ${formatRate(result.totals.callsPerSec)} calls/s${state === 'suspect' ? `, SUSPECT and repeated: ${reasons[0]!.code}` : ''}`,
    );
    if (state === 'valid') {
      runs[side].push(result);
      turn++;
      continue;
    }
    suspect.push({ side, reasons: reasons.map(({ code }) => code) });
    if (suspect.length >= size)
      throw new Error(
        `${suspect.length} suspect runs against ${runs.A.length + runs.B.length} valid ones: this machine is too busy, or the load too high for it (${reasons[0]!.message})`,
      );
  }
  return { ...runs, suspect };
}
