import type { ShippedTransport } from '../transport-kind.js';
import { plainWords } from '../transport-words.js';
import { adviseStreamable } from './advise-streamable.js';
import { connectionsNeeded } from './connections-needed.js';

/** Streamable HTTP: messages go out as POSTs, and what answers them comes in the body of each, as JSON or as events. */
export const streamableKind: ShippedTransport = {
  name: 'streamable',
  title: 'Streamable HTTP',
  hasDialects: false,
  steps: ['connect', 'discover', 'initialize', 'initialized', 'listen'],
  beside: [],
  marks: ['connect', 'ack', 'ackToEvent', 'firstEvent', 'release'],
  words: {
    ...plainWords,
    times: {
      ...plainWords.times,
      'handshake.connect': 'TCP and TLS',
      'handshake.discover': 'POST sent to response',
      'handshake.initialize': 'POST sent to response',
      'handshake.initialized': 'notification sent to its 2xx',
      'handshake.listen': 'GET sent to status line',
      'call.response': 'intended start to response: what a user would have waited',
      'call.service': 'bytes handed to the socket to response',
      'call.ack': 'bytes handed to the socket to status line',
      'call.ackToEvent': 'status line to response, where the body is a stream of events',
      'call.firstEvent': 'bytes handed to the socket to the first message of a stream of events',
      'call.release': 'response to the end of its body, where that is a stream of events',
      'queue.wait': 'waiting for a free slot or connection',
    },
    outcomes: {
      httpError: 'the POST was refused',
      timeout: 'no status line and no response within the time limit',
      acceptedNoResponse:
        'accepted with a 2xx, but its reply ended, or the time limit passed, without a response',
    },
    waits: 'for its turn to connect, and for the connection of the POST',
    malformed: ['message was not valid JSON-RPC', 'messages were not valid JSON-RPC'],
    truncated: [
      'reply ended in the middle of an event',
      'replies ended in the middle of an event',
      'the server or a proxy cuts streams.',
    ],
    lost: 'session while in use: the server forgot it, or could not be reached any more',
    beforeAck: 'before the status line of their own POST',
    buffered:
      'something between server and client buffers replies, most often a proxy. Switch its buffering off for text/event-stream.',
  },
  advise: adviseStreamable,
  connectionsNeeded,
  load: async () => {
    const { createStreamableTransport } = await import('./create-streamable-transport.js');
    return { create: createStreamableTransport };
  },
};
