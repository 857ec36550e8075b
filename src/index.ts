import type { Plan } from './scenario/plan.js';
import type { RunResult } from './result/result.js';
import type { ExecuteOptions } from './run/execute-options.js';
import { executePlan } from './run/run.js';
import type { ScenarioOverrides } from './scenario/apply-overrides.js';
import { loadScenario, planScenario } from './scenario/load-scenario.js';
import type { ScenarioInput } from './scenario/schema.js';

export { type RunningMock, serveMock, type ServeMockOptions } from '../mock-server/serve-mock.js';
export { Failure } from './failure.js';
export { writeResult } from './result/write-result.js';
export { terminalReport } from './report/run/terminal.js';
export type { Plan, RunResult, ScenarioInput };

/** What to run, and how: a scenario by file name or as an object, with the same overrides as the command line. */
export interface RunOptions extends ScenarioOverrides, ExecuteOptions {
  readonly scenario: string | ScenarioInput;
}

/** Runs a scenario and resolves with its result; without a target the built-in mock is started for it. Writes no file. */
export async function run(options: RunOptions): Promise<RunResult> {
  const { scenario } = options;
  const plan =
    typeof scenario === 'string' ? loadScenario(scenario, options) : planScenario(scenario, options);
  const { result, failure } = await executePlan(plan, options);
  if (failure !== null) throw failure;
  return result;
}
