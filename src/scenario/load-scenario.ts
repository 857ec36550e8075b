import { availableParallelism } from 'node:os';
import { basename, extname } from 'node:path';
import { applyOverrides } from './apply-overrides.js';
import type { ScenarioOverrides } from './apply-overrides.js';
import { checkCalls } from './check-calls.js';
import { checkLoad } from './check-load.js';
import { checkThresholds } from './check-thresholds.js';
import { defaultCallTimeoutNs, defaultSeed, makePlan } from './make-plan.js';
import { makeTarget } from './make-target.js';
import type { Plan } from './plan.js';
import { failOnProblems } from './problem.js';
import type { Place, Problem } from './problem.js';
import { readData } from './read-data.js';
import { schemaProblems } from './schema-problems.js';
import { scenarioSchema } from './schema.js';
import type { ScenarioInput } from './schema.js';
import { objectSource } from './source.js';
import type { Source } from './source.js';
import { findScenario } from './stock-scenarios.js';
import { readYamlSource } from './yaml-source.js';

/** Reads a scenario into a plan, from its file or by the name of a stock one; all that is wrong with it is one Failure, with file, line and column of each mistake. */
export function loadScenario(named: string, overrides: ScenarioOverrides = {}): Plan {
  const file = findScenario(named);
  return planFrom(readYamlSource(file), basename(file, extname(file)), overrides);
}

/** The same for a scenario that a program made; relative paths in it are found from the working directory. */
export function planScenario(scenario: ScenarioInput, overrides: ScenarioOverrides = {}): Plan {
  return planFrom(objectSource(scenario), 'scenario', overrides);
}

/** The same for any source. */
export function planFrom(source: Source, defaultName: string, overrides: ScenarioOverrides): Plan {
  const parsed = scenarioSchema.safeParse(source.value);
  if (!parsed.success) {
    failOnProblems(schemaProblems(parsed.error, source.value), source.locate);
    throw new Error('a schema error without an issue');
  }
  const { scenario, touched } = applyOverrides(parsed.data, overrides);
  const problems: Problem[] = [];
  const report = (problem: Problem): void => void problems.push(problem);
  const target = makeTarget(scenario, source.folder, report);
  const data = readData(scenario, source.folder, scenario.seed ?? defaultSeed, report);
  // Templates that use a data file which cannot be read would only repeat that.
  const dataRead = Object.keys(data).length === Object.keys(scenario.data ?? {}).length;
  if (dataRead) checkCalls(scenario, data, scenario.timeouts?.call ?? defaultCallTimeoutNs, report);
  checkLoad(scenario, report);
  checkThresholds(scenario, report);
  failOnProblems(problems, (problem) => locateOption(problem, touched) ?? source.locate(problem));
  return makePlan(scenario, { defaultName, target, data, cores: availableParallelism() });
}

// What the command line has put there cannot be found in the file.
function locateOption({ path, key }: Problem, touched: ReadonlyMap<string, string>): Place | null {
  const steps = key === undefined ? path : [...path, key];
  for (let depth = steps.length; depth > 0; depth--) {
    const option = touched.get(JSON.stringify(steps.slice(0, depth)));
    if (option) return { at: option, path: [], offset: -1 };
  }
  return null;
}
