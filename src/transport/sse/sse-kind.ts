import type { ShippedTransport } from '../transport-kind.js';
import { plainWords } from '../transport-words.js';
import { adviseSse } from './advise-sse.js';
import { connectionsNeeded } from './connections-needed.js';

/** HTTP+SSE: events come on a GET that never ends, messages go out as POSTs to where the first event says. */
export const sseKind: ShippedTransport = {
  name: 'sse',
  title: 'HTTP+SSE',
  hasDialects: true,
  steps: ['connect', 'headers', 'endpoint', 'initialize', 'initialized'],
  beside: ['headers'],
  marks: ['connect', 'ack', 'ackToEvent', 'eventToAck'],
  words: {
    ...plainWords,
    times: {
      ...plainWords.times,
      'handshake.connect': 'TCP and TLS',
      'handshake.headers': 'GET sent to status line',
      'handshake.endpoint': 'GET sent to the first usable event',
      'handshake.initialize': 'POST sent to response event',
      'handshake.initialized': 'notification sent to its 2xx',
      'call.response': 'intended start to response event: what a user would have waited',
      'call.service': 'bytes handed to the socket to response event',
      'call.ack': 'bytes handed to the socket to 2xx of the POST',
      'call.ackToEvent': '2xx to response event: the work after the acceptance',
      'call.eventToAck': 'response event to 2xx, where the event came first',
      'queue.wait': 'waiting for a free slot or connection',
    },
    outcomes: {
      httpError: 'the POST was refused',
      timeout: 'no 2xx and no response within the time limit',
      acceptedNoResponse: 'accepted with a 2xx, but never answered within the time limit',
    },
    waits: 'for its turn to connect, and for the connection of the POST',
    malformed: ['event was not valid JSON-RPC', 'events were not valid JSON-RPC'],
    truncated: [
      'stream ended in the middle of an event',
      'streams ended in the middle of an event',
      'the server or a proxy cuts streams.',
    ],
    stray: [
      'HTTP answer came that no request was waiting for',
      'HTTP answers came that no request was waiting for',
      'the server answers some POSTs twice, or closes idle connections with a status (408); their connections were not used again.',
    ],
    lost: 'stream while in use: the server or a proxy closed it',
    beforeAck: 'before the 2xx of their own POST',
    buffered:
      'something between server and client buffers the stream, most often a proxy. Switch its buffering off for text/event-stream.',
  },
  advise: adviseSse,
  connectionsNeeded,
  load: async () => {
    const { createSseTransport } = await import('./create-sse-transport.js');
    return { create: createSseTransport };
  },
};
