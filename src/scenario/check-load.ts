import { listPhases } from './list-phases.js';
import type { ListedPhase } from './list-phases.js';
import type { Path, Problem } from './problem.js';
import type { Scenario } from './schema.js';

type Report = (problem: Problem) => void;

/** Reports what cannot be done about sessions, workers and phases. */
export function checkLoad(scenario: Scenario, report: Report): void {
  checkSessions(scenario, report);
  checkForm(scenario, report);
  const seen = new Set<string>();
  for (const phase of listPhases(scenario)) {
    checkPhase(phase, report);
    if (seen.has(phase.name)) {
      report({ path: [...phase.path, 'name'], message: `a second phase called "${phase.name}"` });
    }
    seen.add(phase.name);
  }
}

/** How many of the sessions are never given a call. */
export function idleCount({ sessions }: Scenario): number {
  return sessions.idle?.count ?? Math.floor((sessions.idle?.share ?? 0) * sessions.count);
}

function checkSessions(scenario: Scenario, report: Report): void {
  const { count, lifetime } = scenario.sessions;
  const active = count - idleCount(scenario);
  if (active < 1) {
    report({
      path: ['sessions', 'idle'],
      message: `expected fewer idle sessions than there are sessions (${count}), so that one is left to make calls`,
    });
  }
  if (lifetime && lifetime.calls === undefined && lifetime.time === undefined) {
    report({ path: ['sessions', 'lifetime'], message: 'expected calls, or time, or both, found neither' });
  }
  if (scenario.workers !== undefined && active >= 1 && scenario.workers > active) {
    report({
      path: ['workers'],
      message: `${scenario.workers} workers for ${active} sessions that make calls: expected at most one worker for each`,
    });
  }
  if (scenario.posts?.mode === 'serial' && scenario.posts.connections !== undefined) {
    report({
      path: ['posts', 'connections'],
      message:
        'serial opens as many connections as it needs: expected connections only with pipelined or shared',
    });
  }
}

function checkForm({ phases, load, duration }: Scenario, report: Report): void {
  const short: Path = load ? ['load'] : ['duration'];
  if (phases && (load || duration !== undefined)) {
    report({
      path: [],
      key: String(short[0]),
      message: `expected either phases, or ${short[0]} for a single phase, found both`,
    });
  } else if (!phases && !load) {
    report({
      path: [],
      message: '"phases" is missing: expected phases, or load and duration for a single one',
    });
  }
}

function checkPhase({ load, durationNs, name, path }: ListedPhase, report: Report): void {
  const ownEnd = load.model === 'count' || load.model === 'steps';
  if (ownEnd && durationNs !== undefined) {
    const why = load.model === 'count' ? 'when its calls are answered' : 'with its last step';
    report({
      path: [...path, 'duration'],
      message: `a ${load.model} phase ends ${why}: expected no duration`,
    });
  }
  if (!ownEnd && durationNs === undefined) {
    report({ path, message: '"duration" is missing: expected how long this lasts, such as 30s' });
  }
  const silent =
    (load.model === 'ramp' && load.from === 0 && load.to === 0) ||
    (load.model === 'steps' && load.steps.every((step) => step.perSecond === 0));
  if (silent) report({ path: [...path, 'load'], message: 'expected a rate above 0 somewhere, found none' });
  if (/[{},]/.test(name)) {
    report({
      path: [...path, 'name'],
      message: `expected a name without braces and commas, found "${name}"`,
    });
  }
}
