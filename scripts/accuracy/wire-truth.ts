import type { Segment } from './capture.js';

/** One call as it passed on the wire. */
export interface WireCall {
  readonly id: number;
  readonly postNs: number;
  /** When the status line of its POST passed. */
  readonly ackNs: number;
  readonly eventNs: number;
}

const idInMessage = /"id":(\d+)/g;

/**
 * Puts the calls of one server together from a capture: POSTs by the id in their body, statuses by the order on their
 * connection, events by the id in their data. Calls that did not pass whole are left out: whoever counts will notice.
 */
export function wireCalls(segments: readonly Segment[], serverPort: number): WireCall[] {
  const postNs = new Map<number, number>();
  const ackNs = new Map<number, number>();
  const eventNs = new Map<number, number>();
  const owed = new Map<number, number[]>();
  for (const { atNs, fromPort, toPort, payload } of segments) {
    if (toPort === serverPort && payload.subarray(0, 5).equals(Buffer.from('POST '))) {
      const text = payload.toString('latin1');
      if (!text.includes('"tools/call"')) continue;
      for (const id of idsIn(text)) {
        postNs.set(id, atNs);
        const ids = owed.get(fromPort);
        if (ids) ids.push(id);
        else owed.set(fromPort, [id]);
      }
    } else if (fromPort === serverPort) {
      const text = payload.toString('latin1');
      if (text.startsWith('HTTP/1.1 2')) {
        const id = owed.get(toPort)?.shift();
        if (id !== undefined) ackNs.set(id, atNs);
      } else for (const id of idsIn(text)) if (!eventNs.has(id)) eventNs.set(id, atNs);
    }
  }
  return [...postNs]
    .flatMap(([id, posted]) => {
      const [acked, answered] = [ackNs.get(id), eventNs.get(id)];
      return acked === undefined || answered === undefined
        ? []
        : [{ id, postNs: posted, ackNs: acked, eventNs: answered }];
    })
    .toSorted((a, b) => a.id - b.id);
}

/** From the passing of each POST to that of its event. */
export function wireServedNs(calls: readonly WireCall[]): number[] {
  return calls.map(({ postNs, eventNs }) => eventNs - postNs);
}

/** From the passing of each POST to that of its 202. */
export function wireAckedNs(calls: readonly WireCall[]): number[] {
  return calls.map(({ postNs, ackNs }) => ackNs - postNs);
}

function idsIn(text: string): number[] {
  return [...text.matchAll(idInMessage)].map(([, digits]) => Number(digits));
}
