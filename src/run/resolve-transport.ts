import { adviseOtherwise, detectTarget, type DetectionLimits, namedBy } from '../detect/detect-target.js';
import { speaking } from '../detect/spoken.js';
import { ExitCode, Failure } from '../failure.js';
import type { Plan, ResolvedPlan } from '../scenario/plan.js';
import { redact } from '../text/secrets.js';

/** The plan with a transport and a revision of MCP by name, as workers need it: what the target does not name is found out by asking it. */
export async function resolveTransport(plan: Plan): Promise<ResolvedPlan> {
  const { timeouts, target, posts } = plan;
  const spoken = await detectTarget(target, limitsOf(timeouts));
  if (spoken.transport === 'streamable' && posts.mode === 'pipelined')
    throw new Failure(
      'posts: pipelined is for HTTP+SSE alone: over Streamable HTTP each reply holds its connection, and what is sent behind it would only wait there (use serial or shared)',
      ExitCode.usage,
    );
  return { ...plan, target: speaking(target, spoken) };
}

/** Where no session could be opened with a target that names what it speaks: what the server speaks instead, if that is known. */
export async function withAdvice(failure: unknown, { target, timeouts }: Plan): Promise<unknown> {
  if (!(failure instanceof Failure) || namedBy(target) === null) return failure;
  const advice = await adviseOtherwise(target, limitsOf(timeouts));
  return advice === null ? failure : new Failure(redact(`${target.url}: ${advice}`), failure.exitCode);
}

function limitsOf({ connectNs, handshakeNs }: Plan['timeouts']): DetectionLimits {
  return { connectMs: connectNs / 1e6, answersMs: handshakeNs / 1e6 };
}
