import type { Plan } from '../../scenario/plan.js';
import { parseTarget } from '../http/address.js';
import { ConnectGate } from '../http/connect-gate.js';
import type { Wiring } from '../http/connection.js';
import { ForeignOrigins } from '../http/foreign-origins.js';
import { IdleLimit } from '../http/idle-limit.js';
import { makePeer } from '../http/make-peer.js';
import { connectionsPerSession } from './connections-per-session.js';
import { SocketWire } from './socket-wire.js';
import { SseTransport } from './sse-transport.js';
import { noTraffic } from '../traffic.js';
import type { Transport } from '../transport.js';
import type { Turn } from '../turn.js';

// Below the listen queues in use: 511 in Node, 512 in uWebSockets, 100 in some Python servers' defaults.
const connectsUnderWay = 96;

/** HTTP+SSE over our own sockets, for one worker of a plan. `ip` is what the target's host name stands for. */
export function createSseTransport(plan: Plan, ip: string, turn: Turn): Transport {
  const traffic = noTraffic();
  const gate = new ConnectGate(Math.max(8, Math.floor(connectsUnderWay / plan.workers)));
  const { address } = parseTarget(plan.target.url, plan.target.unixSocket);
  const { connectNs } = plan.timeouts;
  const wiring: Wiring = {
    peer: makePeer(plan.target, connectNs, address, ip),
    gate,
    traffic,
    idleLimit: new IdleLimit(),
    turn,
  };
  const posts =
    plan.posts.mode === 'shared'
      ? { ...plan.posts, connections: shareOf(plan.posts.connections, plan.workers) }
      : plan.posts;
  const foreign = new ForeignOrigins(plan.target, wiring);
  const wire = new SocketWire(wiring, plan.target.headers, posts, connectionsPerSession(plan), foreign);
  return new SseTransport(wire, plan.target);
}

function shareOf(connections: number, workers: number): number {
  return Math.max(1, Math.ceil(connections / workers));
}
