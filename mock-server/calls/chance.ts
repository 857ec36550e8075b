/** The kinds of random choice; each has its own stream of numbers, so switching one on never moves another. */
export const Choice = {
  latency: 1,
  rpcError: 2,
  toolError: 3,
  httpError: 4,
  lost: 5,
  duplicate: 6,
  misrouted: 7,
  cut: 8,
  eventBefore202: 9,
  ackAfterWork: 10,
  heldPost: 11,
  unansweredPost: 12,
  splitEvent: 13,
  serverRequest: 14,
  push: 15,
  slowRead: 16,
  misroutedTo: 17,
  splitAt: 18,
  randomTool: 19,
  body: 20,
  disconnect: 21,
  sessionLost: 22,
  inputRequired: 23,
  noise: 24,
} as const;
export type Choice = (typeof Choice)[keyof typeof Choice];

/**
 * A number in [0, 1) that depends only on its arguments: no generator state is shared, so what happens to the n-th call of a
 * session is the same however the sessions interleave.
 */
export function chance(seed: number, sessionOrdinal: number, callOrdinal: number, choice: Choice): number {
  let hash = mix(seed >>> 0, Math.floor(seed / 0x1_0000_0000) >>> 0);
  hash = mix(hash, sessionOrdinal >>> 0);
  hash = mix(hash, callOrdinal >>> 0);
  hash = mix(hash, choice);
  return (hash >>> 0) / 0x1_0000_0000;
}

function mix(hash: number, value: number): number {
  // One round of murmur3 per value with its finaliser: full avalanche, so neighbouring calls are independent.
  let h = (hash ^ Math.imul(value + 0x7f4a7c15, 0xcc9e2d51)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) + 0x9e3779b9;
}
