import type { Era } from '../mcp/era.js';
import type { JsonValue, TransportName } from '../scenario/plan.js';
import type { Flood } from './flood.js';

/** How many POSTs a server accepts beside how many calls it answers. */
export interface CeilingReport {
  readonly schema: 'mcp-bench/ceiling@1';
  readonly url: string;
  readonly at: string;
  readonly server: string;
  readonly transport: TransportName;
  readonly era: Era;
  /** Both of them, and the revision, in words. */
  readonly spoken: string;
  readonly dialect: string;
  readonly sessions: number;
  readonly flood: Flood;
  /** How long after the flood the next call took to be answered; null where none was. */
  readonly backlogMs: number | null;
  readonly calls: {
    readonly tool: string | null;
    readonly arguments: Readonly<Record<string, JsonValue>>;
    readonly inFlight: number;
    readonly ok: number;
    readonly failed: number;
    readonly perSec: number;
    readonly p50Ns: number;
    readonly p99Ns: number;
    /** How busy the generator was. */
    readonly clientBusy: number;
  };
  readonly limit: CeilingLimit;
}

/** Which part of the server is the limit, or why that cannot be said. */
export interface CeilingLimit {
  readonly is: 'http-front' | 'tool-path' | 'unclear';
  /** Answered calls over accepted POSTs. */
  readonly share: number;
  readonly why: string;
}

const busyLimit = 0.9;
// Below it a call costs clearly more than the POST that brings it.
const frontShare = 0.8;
// Every call is a POST that was accepted: clearly above, the flood was not all that the front takes.
const moreThanFlood = 1.2;

/** Judges from both rates where the limit lies; a client at its own limit judges nobody. */
export function judgeCeiling(
  posts: { perSec: number; refusedShare: number; clientBusy: number },
  calls: { perSec: number; clientBusy: number },
): CeilingLimit {
  const share = posts.perSec === 0 ? 0 : calls.perSec / posts.perSec;
  if (posts.perSec === 0 || calls.perSec === 0)
    return {
      is: 'unclear',
      share,
      why: posts.perSec === 0 ? 'no POST was accepted' : 'no call was answered',
    };
  if (posts.refusedShare > 0.01)
    return {
      is: 'unclear',
      share,
      why: 'POSTs of the flood were refused, so what was accepted is not what it could take',
    };
  if (calls.clientBusy >= busyLimit && share < frontShare)
    return { is: 'unclear', share, why: 'the generator was at its own limit while it made the calls' };
  if (share > moreThanFlood)
    return {
      is: 'unclear',
      share,
      why: 'more calls were answered than POSTs accepted, so the flood did not find the limit of the front: give it more --connections, or the machine more rest',
    };
  if (share >= frontShare) {
    if (posts.clientBusy >= busyLimit)
      return {
        is: 'unclear',
        share,
        why: 'the flood was limited by this process: the front may accept more than was sent',
      };
    return { is: 'http-front', share, why: 'calls are answered nearly as fast as POSTs are accepted' };
  }
  const extraUs = 1e6 / calls.perSec - 1e6 / posts.perSec;
  const bound = posts.clientBusy >= busyLimit ? 'at least ' : '';
  return {
    is: 'tool-path',
    share,
    why: `a call takes ${bound}${Math.round(extraUs)} µs of the server beyond accepting its POST`,
  };
}
