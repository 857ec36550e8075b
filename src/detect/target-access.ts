import type { TargetPlan } from '../scenario/plan.js';
import { type Address, parseTarget } from '../transport/http/address.js';
import { ConnectGate } from '../transport/http/connect-gate.js';
import type { Wiring } from '../transport/http/connection.js';
import { ForeignOrigins } from '../transport/http/foreign-origins.js';
import { IdleLimit } from '../transport/http/idle-limit.js';
import { makePeer } from '../transport/http/make-peer.js';
import { RequestHeads } from '../transport/http/request-heads.js';
import { resolveTarget } from '../transport/http/resolve.js';
import { noTraffic } from '../transport/traffic.js';
import { Turn } from '../transport/turn.js';

/** All that is needed to knock at a target: its address found, its TLS and headers ready. */
export interface TargetAccess {
  readonly target: TargetPlan;
  readonly address: Address;
  readonly path: string;
  /** What the host name stands for. */
  readonly ip: string;
  readonly wiring: Wiring;
  readonly heads: RequestHeads;
  readonly foreign: ForeignOrigins;
}

/** Finds the target; throws a Failure of one line where nobody listens there. */
export async function accessTarget(target: TargetPlan, connectTimeoutMs: number): Promise<TargetAccess> {
  const { address, path } = parseTarget(target.url.replaceAll('{session}', '0'), target.unixSocket);
  const ip = await resolveTarget(address, connectTimeoutMs);
  const wiring: Wiring = {
    peer: makePeer(target, connectTimeoutMs * 1e6, address, ip),
    gate: new ConnectGate(16),
    traffic: noTraffic(),
    idleLimit: new IdleLimit(),
    turn: new Turn(),
  };
  return {
    target,
    address,
    path,
    ip,
    wiring,
    heads: new RequestHeads(target.headers),
    foreign: new ForeignOrigins(target, wiring),
  };
}
