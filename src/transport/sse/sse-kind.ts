import type { TransportKind } from '../transport-kind.js';

/** HTTP+SSE: events come on a GET that never ends, messages go out as POSTs to where the first event says. */
export const sseKind: TransportKind = {
  name: 'sse',
  title: 'HTTP+SSE',
  steps: ['connect', 'headers', 'endpoint'],
  marks: ['connect', 'ack'],
};
