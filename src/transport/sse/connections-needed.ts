import type { Plan } from '../../scenario/plan.js';
import type { ConnectionsNeeded } from '../transport-kind.js';
import { connectionsPerSession } from '../http/connections-per-session.js';

/** Connections that a plan needs: a stream for each session, and those that its POST policy makes. */
export function connectionsNeeded(plan: Plan): ConnectionsNeeded {
  const { sessions, posts } = plan;
  switch (posts.mode) {
    case 'serial':
      return {
        least: sessions.count * 2,
        most: sessions.idle * 2 + (sessions.count - sessions.idle) * (1 + connectionsPerSession(plan)),
      };
    case 'pipelined': {
      const all = sessions.count * (1 + posts.connections);
      return { least: all, most: all };
    }
    case 'shared': {
      const all = sessions.count + posts.connections;
      return { least: all, most: all };
    }
  }
}
