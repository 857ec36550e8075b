import { Failure } from '../failure.js';
import { parseMetricKey } from '../stats/metric-key.js';
import type { CallOverrides } from './call-overrides.js';
import { listPhases } from './list-phases.js';
import type { Path } from './problem.js';
import type { Scenario } from './schema.js';

/** Applies them to a scenario in place; throws a Failure that names the option where one makes no sense. */
export function overrideCalls(
  scenario: Scenario,
  { tool, arguments: args, inFlight, calls }: CallOverrides,
  touch: (path: Path, option: string) => void,
): void {
  if (tool !== undefined) callOnly(scenario, tool, args, touch);
  else if (args !== undefined) throw new Failure('--arguments belong to a tool: name it with --tool');
  const loads = listPhases(scenario).map(({ load }) => load);
  const models = [...new Set(loads.map(({ model }) => model))].join(', ');
  if (inFlight !== undefined) {
    checkWhole('--in-flight', inFlight);
    const slots = loads.filter((load) => load.model === 'closed' || load.model === 'count');
    if (slots.length === 0)
      throw new Failure(
        `--in-flight: this scenario has no phase with the model closed or count (it has: ${models})`,
      );
    for (const load of slots) load.inFlight = inFlight;
  }
  if (calls !== undefined) {
    checkWhole('--calls', calls);
    const counted = loads.filter((load) => load.model === 'count');
    if (counted.length !== 1)
      throw new Failure(
        counted.length > 1
          ? '--calls: this scenario has several phases with the model count'
          : `--calls: this scenario ends after a time (its models: ${models}); give --duration, or leave the scenario out`,
      );
    counted[0]!.calls = calls;
  }
}

function callOnly(
  scenario: Scenario,
  tool: string,
  args: CallOverrides['arguments'],
  touch: (path: Path, option: string) => void,
): void {
  scenario.calls = [{ tool, ...(args === undefined ? {} : { arguments: { ...args } }) }];
  touch(['calls', 0, 'arguments'], '--arguments');
  touch(['calls', 0], '--tool');
  scenario.thresholds = Object.fromEntries(
    Object.entries(scenario.thresholds ?? {}).filter(([metric]) => {
      const { tool: named } = parseMetricKey(metric);
      return named === null || named === tool;
    }),
  );
}

function checkWhole(option: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Failure(`${option}: expected a whole number of at least 1, found ${value}`);
}
