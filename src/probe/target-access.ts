import type { TargetPlan } from '../scenario/plan.js';
import { type Address, parseTarget } from '../transport/address.js';
import { ConnectGate } from '../transport/connect-gate.js';
import type { Wiring } from '../transport/connection.js';
import { makePeer } from '../transport/create-transport.js';
import { resolveTarget } from '../transport/resolve.js';
import { Turn } from '../transport/turn.js';

/** All that is needed to knock at a target: its address found, its TLS and headers ready. */
export interface TargetAccess {
  readonly target: TargetPlan;
  readonly address: Address;
  readonly path: string;
  /** What the host name stands for. */
  readonly ip: string;
  readonly wiring: Wiring;
  readonly headerLines: string;
  /** The way to another address, for endpoints of another origin. */
  wiringFor(address: Address): Wiring;
}

/** Finds the target; throws a Failure of one line where nobody listens there. */
export async function accessTarget(target: TargetPlan, connectTimeoutMs: number): Promise<TargetAccess> {
  const { address, path } = parseTarget(target.url.replaceAll('{session}', '0'), target.unixSocket);
  const ip = await resolveTarget(address, connectTimeoutMs);
  const wiring: Wiring = {
    peer: makePeer(target, connectTimeoutMs * 1e6, address, ip),
    gate: new ConnectGate(16),
    traffic: { bytesIn: 0, bytesOut: 0, connectRetries: 0, extraConnections: 0, limitsHit: {} },
    turn: new Turn(),
  };
  const headerLines = Object.entries(target.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return {
    target,
    address,
    path,
    ip,
    wiring,
    headerLines,
    wiringFor: (other) => ({
      ...wiring,
      peer: makePeer(target, connectTimeoutMs * 1e6, other, other.host),
    }),
  };
}
