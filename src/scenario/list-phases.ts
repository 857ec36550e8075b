import type { Path } from './problem.js';
import type { Scenario } from './schema.js';

export type LoadInput = NonNullable<Scenario['load']>;

/** One phase, whichever way the scenario writes it, and where it stands. */
export interface ListedPhase {
  readonly name: string;
  /** As written; `count` and `steps` have none. */
  readonly durationNs: number | undefined;
  readonly load: LoadInput;
  readonly path: Path;
}

/** The phases of a scenario, be they listed or written short as `load` and `duration`. */
export function listPhases(scenario: Scenario): ListedPhase[] {
  if (scenario.phases) {
    return scenario.phases.map(({ name, duration, load }, index) => ({
      name: name ?? `phase-${index + 1}`,
      durationNs: duration,
      load,
      path: ['phases', index],
    }));
  }
  return scenario.load
    ? [{ name: 'main', durationNs: scenario.duration, load: scenario.load, path: [] }]
    : [];
}

/** How long a phase takes: null for `count`, which ends by itself. */
export function lengthNs({ load, durationNs }: Pick<ListedPhase, 'load' | 'durationNs'>): number | null {
  if (load.model === 'count') return null;
  if (load.model === 'steps') return load.steps.reduce((sum, step) => sum + step.duration, 0);
  return durationNs ?? 0;
}
