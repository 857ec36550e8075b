import { ExitCode, Failure } from '../../failure.js';
import type { TargetPlan } from '../../scenario/plan.js';
import type { Address } from './address.js';
import type { Wiring } from './connection.js';
import { IdleLimit } from './idle-limit.js';
import { makePeer } from './make-peer.js';
import { rememberedLookup } from './remembered-lookup.js';

// Each may cost a pool of connections, and a server could name a new one in every session.
const mostOrigins = 64;

/** The ways to endpoints of other origins than the stream's: for each one TLS context, and one question to the resolver. */
export class ForeignOrigins {
  private readonly known = new Map<string, Wiring>();

  constructor(
    private readonly target: TargetPlan,
    private readonly own: Wiring,
  ) {}

  /** The same object for the same origin; throws a Failure where there are too many, or where our certificates cannot be used. */
  wiringFor(address: Address): Wiring {
    const origin = `${address.secure ? 'https' : 'http'}://${address.host} ${address.port}`;
    const known = this.known.get(origin);
    if (known !== undefined) return known;
    if (this.known.size === mostOrigins)
      throw new Failure(`the server's endpoints are at more than ${mostOrigins} origins`, ExitCode.runFailed);
    const { connectTimeoutNs } = this.own.peer;
    const peer = makePeer(this.target, connectTimeoutNs, address, address.host);
    const wiring = {
      ...this.own,
      peer: { ...peer, lookup: rememberedLookup() },
      idleLimit: new IdleLimit(),
    };
    this.known.set(origin, wiring);
    return wiring;
  }
}
