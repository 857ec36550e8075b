import type { Plan } from '../../scenario/plan.js';
import { connectionsPerSession } from '../http/connections-per-session.js';
import type { ConnectionsNeeded } from '../transport-kind.js';

/** Connections that a plan needs: those that its POST policy makes, and a stream for each session that listens. */
export function connectionsNeeded(plan: Plan): ConnectionsNeeded {
  const { sessions, posts, target } = plan;
  const streams = target.listen ? sessions.count : 0;
  if (posts.mode !== 'serial')
    return { least: streams + posts.connections, most: streams + posts.connections };
  return {
    least: streams + sessions.count,
    most: streams + sessions.idle + (sessions.count - sessions.idle) * connectionsPerSession(plan),
  };
}
