import { eraOf } from '../../mcp/era.js';
import type { Plan } from '../../scenario/plan.js';
import { connectionsPerSession } from '../http/connections-per-session.js';
import { makeWiring, postsOfWorker } from '../http/make-wiring.js';
import type { Transport } from '../transport.js';
import type { Turn } from '../turn.js';
import { StreamableSockets } from './streamable-sockets.js';
import { StreamableTransport } from './streamable-transport.js';

/** Streamable HTTP over our own sockets, for one worker of a plan. `ip` is what the target's host name stands for. */
export function createStreamableTransport(plan: Plan, ip: string, turn: Turn): Transport {
  const wire = new StreamableSockets(
    makeWiring(plan, ip, turn),
    plan.target.headers,
    postsOfWorker(plan),
    connectionsPerSession(plan),
  );
  return new StreamableTransport(wire, plan.target, eraOf(plan.target.protocol) === 'stateless');
}
