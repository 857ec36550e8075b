import type { ShippedTransport } from '../transport-kind.js';
import { plainWords } from '../transport-words.js';
import { adviseStdio } from './advise-stdio.js';

// Standard input, output and error.
const pipesPerServer = 3;

/** stdio: a session is a process, and each message a line on its standard input or output. */
export const stdioKind: ShippedTransport = {
  name: 'stdio',
  title: 'stdio',
  hasDialects: false,
  steps: ['spawn', 'initialize', 'initialized'],
  beside: [],
  marks: [],
  words: {
    ...plainWords,
    times: {
      ...plainWords.times,
      'handshake.spawn': 'starting the process',
      'handshake.initialize': 'request written to response, the server’s own start included',
      'handshake.initialized': 'notification sent to written',
      'call.service': 'bytes handed to the pipe to response',
      'queue.wait': 'waiting for a free slot, or for room in the pipe',
    },
    outcomes: {
      httpError: 'the request was refused',
      timeout: 'no response within the time limit',
      acceptedNoResponse: 'never: over stdio nothing is accepted apart from being answered',
    },
    waits: 'for its turn to start: so many at a time as there are cores',
    malformed: ['line was not valid JSON-RPC', 'lines were not valid JSON-RPC'],
    truncated: [
      'process ended in the middle of a line',
      'processes ended in the middle of a line',
      'the server stopped while it was writing.',
    ],
    lost: 'process while in use: it ended, or closed its pipes',
    buffered: 'the server holds its lines back: it does not flush its standard output after each.',
  },
  advise: adviseStdio,
  connectionsNeeded: ({ sessions }) => {
    const pipes = sessions.count * pipesPerServer;
    return { least: pipes, most: pipes };
  },
  load: async () => {
    const { createStdioTransport } = await import('./create-stdio-transport.js');
    return { create: createStdioTransport };
  },
};
