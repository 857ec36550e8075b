import { createSecureContext } from 'node:tls';
import { ExitCode, Failure } from '../failure.js';
import type { Plan, TargetPlan } from '../scenario/plan.js';
import { type Address, parseTarget } from './address.js';
import { ConnectGate } from './connect-gate.js';
import type { Wiring } from './connection.js';
import type { Peer } from './socket.js';
import { SseTransport } from './sse-transport.js';
import type { Traffic, Transport } from './transport.js';
import type { Turn } from './turn.js';

// Below the listen queues in use: 511 in Node, 512 in uWebSockets, 100 in some Python servers' defaults.
const connectsUnderWay = 96;

/** The transport that a plan asks for, for one of its workers. `ip` is what the target's host name stands for. */
export function createTransport(plan: Plan, ip: string, turn: Turn): Transport {
  const traffic: Traffic = { bytesIn: 0, bytesOut: 0, connectRetries: 0, extraConnections: 0, limitsHit: {} };
  const gate = new ConnectGate(Math.max(8, Math.floor(connectsUnderWay / plan.workers)));
  const { address } = parseTarget(plan.target.url, plan.target.unixSocket);
  const { connectNs } = plan.timeouts;
  const wiring: Wiring = { peer: makePeer(plan.target, connectNs, address, ip), gate, traffic, turn };
  const posts =
    plan.posts.mode === 'shared'
      ? { ...plan.posts, connections: shareOf(plan.posts.connections, plan.workers) }
      : plan.posts;
  return new SseTransport(wiring, plan.target.headers, posts, connectionsPerSession(plan), (other) => ({
    ...wiring,
    peer: makePeer(plan.target, connectNs, other, other.host),
  }));
}

/** How many POST connections a session of the `serial` policy may have: one for each call in flight, and one more. */
export function connectionsPerSession(plan: Plan): number {
  const inFlight = plan.phases.map(({ load }) =>
    load.model === 'closed' || load.model === 'count' ? load.inFlight : plan.openLoop.inFlight,
  );
  return Math.max(...inFlight) + 1;
}

/** What connections to an address of this target need to know; throws a Failure where its certificates cannot be used. */
export function makePeer({ tls }: TargetPlan, connectTimeoutNs: number, address: Address, ip: string): Peer {
  return {
    address,
    ip,
    secureContext: address.secure ? secureContext(tls) : null,
    verify: tls.verify,
    connectTimeoutNs,
  };
}

function secureContext({ ca, cert, key }: Plan['target']['tls']): Peer['secureContext'] {
  try {
    return createSecureContext({ ca: ca ?? undefined, cert: cert ?? undefined, key: key ?? undefined });
  } catch (error) {
    throw new Failure(`the TLS certificates cannot be used: ${(error as Error).message}`, ExitCode.usage);
  }
}

function shareOf(connections: number, workers: number): number {
  return Math.max(1, Math.ceil(connections / workers));
}
