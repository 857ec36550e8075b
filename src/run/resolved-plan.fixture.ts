import type { Plan, ResolvedPlan } from '../scenario/plan.js';

/** The plan as a run would have it of a server that speaks HTTP+SSE, or what the plan names, without asking anybody. */
export function resolvedPlan(plan: Plan): ResolvedPlan {
  const { target } = plan;
  const transport = target.transport === 'auto' ? 'sse' : target.transport;
  const protocol = transport !== 'sse' && target.protocol === 'auto' ? '2025-11-25' : target.protocol;
  return { ...plan, target: { ...target, transport, protocol } };
}
