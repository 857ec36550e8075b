import { Failure } from '../failure.js';
import { callName } from './check-calls.js';
import { didYouMean } from './did-you-mean.js';
import { listPhases } from './list-phases.js';
import type { MetricKey } from '../stats/metric-key.js';
import { checkRuleFits, knownMetric } from './known-metric.js';
import type { Problem } from './problem.js';
import type { Scenario } from './schema.js';
import { parseThresholdRule } from './threshold-rule.js';

/** Reports rules that cannot be read, and metrics, tools and phases that this scenario does not have. */
export function checkThresholds(scenario: Scenario, report: (problem: Problem) => void): void {
  for (const [key, rules] of Object.entries(scenario.thresholds ?? {})) {
    const metric = attempt(
      () => ownMetric(key, scenario),
      (message) => report({ path: ['thresholds'], key, message }),
    );
    for (const [index, { rule }] of rules.entries()) {
      attempt(
        () => {
          const read = parseThresholdRule(rule);
          if (metric) checkRuleFits(metric, read);
        },
        (message) => report({ path: ['thresholds', key, index], message }),
      );
    }
  }
}

function ownMetric(key: string, scenario: Scenario): MetricKey {
  const metric = knownMetric(key);
  const tools = scenario.calls.map(callName);
  const phases = listPhases(scenario).map(({ name }) => name);
  if (metric.tool !== null && !tools.includes(metric.tool)) {
    throw new Failure(unknownLabel('call', metric.tool, tools));
  }
  if (metric.phase !== null && !phases.includes(metric.phase)) {
    throw new Failure(unknownLabel('phase', metric.phase, phases));
  }
  return metric;
}

function unknownLabel(what: string, found: string, known: readonly string[]): string {
  return `this scenario has no ${what} "${found}"${didYouMean(found, known)} (it has: ${known.join(', ')})`;
}

function attempt<Value>(action: () => Value, failed: (message: string) => void): Value | null {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failed(error.message);
    return null;
  }
}
