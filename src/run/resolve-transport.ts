import { detectTarget, type DetectionLimits, orSpeaksOtherwise } from '../detect/detect-target.js';
import { speaking } from '../detect/spoken.js';
import { ExitCode, Failure } from '../failure.js';
import type { Plan, ResolvedPlan } from '../scenario/plan.js';

/**
 * The plan with a transport and a revision of MCP by name, as workers need it: what the target does not name is found out by asking it,
 * unless `signal` ends that: then its reason is thrown.
 */
export async function resolveTransport(plan: Plan, signal?: AbortSignal): Promise<ResolvedPlan> {
  const { timeouts, target, posts } = plan;
  const spoken = await detectTarget(target, limitsOf(timeouts), signal);
  if (spoken.transport === 'streamable' && posts.mode === 'pipelined')
    throw new Failure(
      'posts: pipelined is for HTTP+SSE alone: over Streamable HTTP each reply holds its connection, and what is sent behind it would only wait there (use serial or shared)',
      ExitCode.usage,
    );
  return { ...plan, target: speaking(target, spoken) };
}

/** Where no session could be opened with a target that names what it speaks: what the server speaks instead, if that is known. */
export function withAdvice(failure: unknown, { target, timeouts }: Plan): Promise<unknown> {
  return orSpeaksOtherwise(failure, target, limitsOf(timeouts));
}

function limitsOf({ connectNs, handshakeNs }: Plan['timeouts']): DetectionLimits {
  return { connectMs: connectNs / 1e6, answersMs: handshakeNs / 1e6 };
}
