import type { Behaviour } from './behaviour.js';
import type { FaultName } from '../stats.js';
import type { WireOptions } from '../protocol/wire-options.js';

/** All that will be done to one call on purpose, decided before anything is done. */
export interface CallPlan {
  /** The POST is refused and nothing follows. */
  readonly refused: boolean;
  /** When the POST is accepted. */
  readonly ack: 'at-once' | 'after-work' | 'after-event' | 'held' | 'never';
  /** The fault that chose `ack`, if one did. */
  readonly ackFault: FaultName | null;
  readonly delivery: 'normal' | 'cut' | 'lost' | 'misrouted' | 'duplicate';
  readonly result: 'own' | 'rpcError' | 'toolError';
  readonly split: boolean;
  readonly serverRequest: boolean;
  readonly push: boolean;
  readonly latencyNs: number;
}

/**
 * Draws the plan of a session's n-th call. Where faults exclude each other the first of the list wins: httpError; then
 * unansweredPost, heldPost, eventBefore202, ackAfterWork; and cut, lost, misrouted, duplicate; and rpcError, toolError.
 */
export function planCall(
  behaviour: Behaviour,
  wire: WireOptions,
  sessionOrdinal: number,
  callOrdinal: number,
): CallPlan {
  const hits = (fault: FaultName): boolean => behaviour.hits(fault, sessionOrdinal, callOrdinal);
  const refused = hits('httpError');
  const ackFault =
    (['unansweredPost', 'heldPost', 'eventBefore202', 'ackAfterWork'] as const).find(hits) ?? null;
  const delivery = (['cut', 'lost', 'misrouted', 'duplicate'] as const).find(hits) ?? 'normal';
  return {
    refused,
    ack: ackFault === null ? defaultAck(wire) : ackOfFault[ackFault],
    ackFault,
    delivery,
    result: (['rpcError', 'toolError'] as const).find(hits) ?? 'own',
    split: hits('splitEvent'),
    serverRequest: hits('serverRequest'),
    push: hits('push'),
    latencyNs: refused ? 0 : behaviour.latencyNs(sessionOrdinal, callOrdinal),
  };
}

const ackOfFault = {
  unansweredPost: 'never',
  heldPost: 'held',
  eventBefore202: 'after-event',
  ackAfterWork: 'after-work',
} as const;

function defaultAck(wire: WireOptions): CallPlan['ack'] {
  // A response in the body of the POST can only be there once the work is done.
  return wire.jsonInPost && wire.ack === 'at-once' ? 'after-work' : wire.ack;
}
