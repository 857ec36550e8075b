import { createSecureContext } from 'node:tls';
import { ExitCode, Failure } from '../../failure.js';
import type { TargetPlan } from '../../scenario/plan.js';
import type { Address } from './address.js';
import type { Peer } from './socket.js';

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

function secureContext({ ca, cert, key }: TargetPlan['tls']): Peer['secureContext'] {
  try {
    return createSecureContext({ ca: ca ?? undefined, cert: cert ?? undefined, key: key ?? undefined });
  } catch (error) {
    throw new Failure(`the TLS certificates cannot be used: ${(error as Error).message}`, ExitCode.usage);
  }
}
