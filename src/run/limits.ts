import { ExitCode, Failure } from '../failure.js';
import type { MachineLimits } from '../machine/machine-limits.js';
import type { Plan } from '../scenario/plan.js';
import type { ConnectionsNeeded } from '../transport/transport-kind.js';

// What Node itself, the worker threads and the result file need.
const ownDescriptors = 64;

/** Refuses a plan that this machine cannot hold, and returns a warning where it may only just not. */
export function checkLimits(
  plan: Plan,
  { least, most }: ConnectionsNeeded,
  limits: MachineLimits,
): string | null {
  const isStdio = plan.target.transport === 'stdio';
  const sessions = isStdio
    ? `${plan.sessions.count} servers with three pipes each`
    : `${plan.sessions.count} sessions with ${plan.posts.mode} POSTs`;
  const orShared = isStdio ? '' : ', or use posts: { mode: shared }';
  if (limits.descriptors !== null && least + ownDescriptors > limits.descriptors) {
    throw new Failure(
      `${sessions} need at least ${least + ownDescriptors} open files, and this process may have ${limits.descriptors}. ` +
        `Raise the limit (ulimit -n ${most + ownDescriptors})${isStdio ? ' or' : ','} lower --sessions${orShared}.`,
      ExitCode.usage,
    );
  }
  const local = isStdio || plan.target.unixSocket !== null;
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
