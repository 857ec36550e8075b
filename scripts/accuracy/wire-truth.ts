import type { Segment } from './capture.js';

/** One call as it passed on the wire. */
export interface WireCall {
  readonly id: number;
  readonly postNs: number;
  /** When the status line of its POST passed. */
  readonly ackNs: number;
  /** When its response passed: as an event, or in the body of its POST's reply. */
  readonly eventNs: number;
  /** When the last chunk of its POST's reply passed; null where that has none. */
  readonly endNs: number | null;
}

const idInMessage = /"id":(\d+)/g;
const lastChunk = '0\r\n\r\n';

/**
 * Puts the calls of one server together from a capture: POSTs by the id in their body, statuses and ends of replies by the order on
 * their connection, responses by the id in them. Calls that did not pass whole are left out: whoever counts will notice.
 */
export function wireCalls(segments: readonly Segment[], serverPort: number): WireCall[] {
  const postNs = new Map<number, number>();
  const ackNs = new Map<number, number>();
  const eventNs = new Map<number, number>();
  const endNs = new Map<number, number>();
  const lastOn = new Map<number, number>();
  const owed = new Map<number, number[]>();
  for (const { atNs, fromPort, toPort, payload } of segments) {
    if (toPort === serverPort) {
      for (const id of callsIn(payload)) {
        postNs.set(id, atNs);
        lastOn.set(fromPort, id);
        const ids = owed.get(fromPort);
        if (ids) ids.push(id);
        else owed.set(fromPort, [id]);
      }
    } else if (fromPort === serverPort) {
      const text = payload.toString('latin1');
      if (text.startsWith('HTTP/1.1 2')) {
        const id = owed.get(toPort)?.shift();
        if (id !== undefined) ackNs.set(id, atNs);
      }
      for (const id of idsIn(text)) if (!eventNs.has(id)) eventNs.set(id, atNs);
      const last = lastOn.get(toPort);
      if (last !== undefined && text.endsWith(lastChunk)) endNs.set(last, atNs);
    }
  }
  return [...postNs]
    .flatMap(([id, posted]) => {
      const [acked, answered] = [ackNs.get(id), eventNs.get(id)];
      return acked === undefined || answered === undefined
        ? []
        : [{ id, postNs: posted, ackNs: acked, eventNs: answered, endNs: endNs.get(id) ?? null }];
    })
    .toSorted((a, b) => a.id - b.id);
}

/** How many calls were sent to one server, whatever became of them. */
export function callsPosted(segments: readonly Segment[], serverPort: number): number {
  return segments.reduce(
    (sum, { toPort, payload }) => sum + (toPort === serverPort ? callsIn(payload).length : 0),
    0,
  );
}

/** From the passing of each POST to that of its response. */
export function wireServedNs(calls: readonly WireCall[]): number[] {
  return calls.map(({ postNs, eventNs }) => eventNs - postNs);
}

/** From the passing of each POST to that of its status. */
export function wireAckedNs(calls: readonly WireCall[]): number[] {
  return calls.map(({ postNs, ackNs }) => ackNs - postNs);
}

/** From the passing of each response to that of the end of its reply, where this has one. */
export function wireReleasedNs(calls: readonly WireCall[]): number[] {
  return calls.flatMap(({ eventNs, endNs }) => (endNs === null ? [] : [endNs - eventNs]));
}

// One that comes with the head of its POST, as all of ours do.
function callsIn(payload: Buffer): number[] {
  if (!payload.subarray(0, 5).equals(Buffer.from('POST '))) return [];
  const text = payload.toString('latin1');
  return text.includes('"tools/call"') ? idsIn(text) : [];
}

function idsIn(text: string): number[] {
  return [...text.matchAll(idInMessage)].map(([, digits]) => Number(digits));
}
