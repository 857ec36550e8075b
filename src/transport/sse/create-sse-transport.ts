import type { Plan } from '../../scenario/plan.js';
import { ForeignOrigins } from '../http/foreign-origins.js';
import { connectionsPerSession } from '../http/connections-per-session.js';
import { makeWiring, postsOfWorker } from '../http/make-wiring.js';
import { SocketWire } from './socket-wire.js';
import { SseTransport } from './sse-transport.js';
import type { Transport } from '../transport.js';
import type { Turn } from '../turn.js';

/** HTTP+SSE over our own sockets, for one worker of a plan. `ip` is what the target's host name stands for. */
export function createSseTransport(plan: Plan, ip: string, turn: Turn): Transport {
  const wiring = makeWiring(plan, ip, turn);
  const foreign = new ForeignOrigins(plan.target, wiring);
  const wire = new SocketWire(
    wiring,
    plan.target.headers,
    postsOfWorker(plan),
    connectionsPerSession(plan),
    foreign,
  );
  return new SseTransport(wire, plan.target);
}
