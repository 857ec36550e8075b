import { fileURLToPath } from 'node:url';
import { planScenario } from '../../scenario/load-scenario.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import type { DriveOptions } from '../fixtures/drive-shard.js';
import { plainScenario, type Played, runChecked } from '../fixtures/play.js';

/** A server of stdio that does as its arguments say. */
export const scriptedStdio = fileURLToPath(new URL('scripted-stdio.mjs', import.meta.url));

/** Runs a scenario against scripted servers over stdio, in this thread; every call must have exactly one outcome, whatever they do. */
export function playStdio(
  does: readonly string[],
  scenario: Partial<ScenarioInput> = {},
  options: DriveOptions = {},
): Promise<Played> {
  const command = [process.execPath, scriptedStdio, ...does];
  return runChecked(planScenario({ ...plainScenario, target: { command }, ...scenario }), options);
}
