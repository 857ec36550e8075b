import type { Plan } from '../../scenario/plan.js';

/** How many POST connections a session of the `serial` policy may have: one for each call in flight, and one more. */
export function connectionsPerSession(plan: Plan): number {
  const inFlight = plan.phases.map(({ load }) =>
    load.model === 'closed' || load.model === 'count' ? load.inFlight : plan.openLoop.inFlight,
  );
  return Math.max(...inFlight) + 1;
}
