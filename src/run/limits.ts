import { ExitCode, Failure } from '../failure.js';
import type { MachineLimits } from '../machine/machine-limits.js';
import type { Plan } from '../scenario/plan.js';

// What Node itself, the worker threads and the result file need.
const ownDescriptors = 64;

/** Connections that a plan needs at the least, and at the most with its POST policy. */
export function connectionsNeeded(
  plan: Plan,
  connectionsPerSession: number,
): { least: number; most: number } {
  const { sessions, posts } = plan;
  switch (posts.mode) {
    case 'serial':
      return {
        least: sessions.count * 2,
        most: sessions.idle * 2 + (sessions.count - sessions.idle) * (1 + connectionsPerSession),
      };
    case 'pipelined':
      return {
        least: sessions.count * (1 + posts.connections),
        most: sessions.count * (1 + posts.connections),
      };
    case 'shared':
      return { least: sessions.count + posts.connections, most: sessions.count + posts.connections };
  }
}

/** Refuses a plan that this machine cannot hold, and returns a warning where it may only just not. */
export function checkLimits(plan: Plan, connectionsPerSession: number, limits: MachineLimits): string | null {
  const { least, most } = connectionsNeeded(plan, connectionsPerSession);
  const sessions = `${plan.sessions.count} sessions with ${plan.posts.mode} POSTs`;
  if (limits.descriptors !== null && least + ownDescriptors > limits.descriptors) {
    throw new Failure(
      `${sessions} need at least ${least + ownDescriptors} open files, and this process may have ${limits.descriptors}. ` +
        `Raise the limit (ulimit -n ${most + ownDescriptors}), lower --sessions, or use posts: { mode: shared }.`,
      ExitCode.usage,
    );
  }
  const local = plan.target.unixSocket !== null;
  if (!local && limits.ports !== null && least > limits.ports) {
    throw new Failure(
      `${sessions} need at least ${least} connections, and this machine has ${limits.ports} local ports for one target. ` +
        'Widen the range (sysctl net.ipv4.ip_local_port_range="1024 65535"), lower --sessions, or use posts: { mode: shared }.',
      ExitCode.usage,
    );
  }
  if (limits.descriptors !== null && most + ownDescriptors > limits.descriptors) {
    return `${sessions} may need up to ${most} connections where the server holds its answers back; this process may open ${limits.descriptors} files.`;
  }
  return null;
}
