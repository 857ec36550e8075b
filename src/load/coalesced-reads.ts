import type { Call } from './call.js';

const fewest = 4;
const sentApartNs = 2e6;

/** Counts responses that came in one read with at least three others of their session, though their calls were sent apart: something between us gathers events. */
export class CoalescedReads {
  readonly counts = { coalesced: 0, all: 0 };

  /** The response to a call was read at this moment. */
  note(call: Call, atNs: number): void {
    const { counts } = this;
    counts.all++;
    const { lastRead } = call.session;
    if (lastRead.atNs !== atNs || call.sentNs - lastRead.sentNs < sentApartNs) lastRead.answers = 1;
    else lastRead.answers++;
    lastRead.atNs = atNs;
    lastRead.sentNs = call.sentNs;
    if (lastRead.answers === fewest) counts.coalesced += fewest;
    else if (lastRead.answers > fewest) counts.coalesced++;
  }
}
