import { ExitCode, Failure } from '../failure.js';
import type { Plan, ResolvedPlan } from '../scenario/plan.js';

/** The plan with a transport and a revision of MCP by name, as workers need it. */
export function resolveTransport(plan: Plan): ResolvedPlan {
  const { transport, protocol } = plan.target;
  if (transport === 'streamable')
    throw new Failure('runs over Streamable HTTP are not possible yet', ExitCode.usage);
  return {
    ...plan,
    target: { ...plan.target, transport: 'sse', protocol: protocol === 'auto' ? '2025-06-18' : protocol },
  };
}
