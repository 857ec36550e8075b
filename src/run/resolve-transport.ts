import { ExitCode, Failure } from '../failure.js';
import type { Plan, ResolvedPlan } from '../scenario/plan.js';

/** The plan with a transport and a revision of MCP by name, as workers need it. */
export function resolveTransport(plan: Plan): ResolvedPlan {
  const { target, posts } = plan;
  const transport = target.transport === 'auto' ? 'sse' : target.transport;
  const spoken = transport === 'sse' ? '2025-06-18' : '2025-11-25';
  if (transport === 'streamable' && posts.mode === 'pipelined')
    throw new Failure(
      'posts: pipelined is for HTTP+SSE alone: over Streamable HTTP each reply holds its connection, and what is sent behind it would only wait there (use serial or shared)',
      ExitCode.usage,
    );
  return {
    ...plan,
    target: { ...target, transport, protocol: target.protocol === 'auto' ? spoken : target.protocol },
  };
}
