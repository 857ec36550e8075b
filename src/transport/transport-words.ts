/** What reports and findings call what is called differently over each transport. Pairs are one and several of a thing. */
export interface TransportWords {
  /** From what to what each step of the handshake is timed, and each time of a call, by the name of its metric. */
  readonly times: Readonly<Record<string, string>>;
  /** What an outcome of a call means, by its name. */
  readonly outcomes: Readonly<Record<string, string>>;
  /** What the whole of a handshake has beyond its steps: waiting … */
  readonly waits: string;
  readonly malformed: readonly [one: string, several: string];
  readonly truncated: readonly [one: string, several: string, cause: string];
  /** Answers that nothing had been sent for. */
  readonly stray: readonly [one: string, several: string, cause: string];
  /** Completes `3 sessions lost their …`. */
  readonly lost: string;
  /** Completes `12 % of the responses came …`. */
  readonly beforeAck: string;
  /** Why responses come several at once, though their calls were sent apart, and what helps. */
  readonly buffered: string;
}

/** The words for what all transports have in common: each replaces those that it has better ones for. */
export const plainWords: TransportWords = {
  times: {
    'handshake.initialize': 'request sent to response',
    'handshake.initialized': 'notification sent to its acceptance',
    'handshake.total': 'intended opening to ready',
    'call.response': 'intended start to response: what a user would have waited',
    'call.service': 'request sent to response',
    'call.ack': 'request sent to its acceptance',
    'call.ackToEvent': 'acceptance to response: the work after it',
    'call.eventToAck': 'response to acceptance, where the response came first',
    'queue.wait': 'waiting for a free slot',
    'call.connect': 'waiting for a connection to be made, among the calls that had to',
    'schedule.lag': 'the generator’s own lateness',
    'failed.response': 'calls that failed, until they did',
  },
  outcomes: {
    httpError: 'the request was refused',
    timeout: 'no response within the time limit',
    acceptedNoResponse: 'accepted, but never answered within the time limit',
  },
  waits: 'for its turn to open',
  malformed: ['message was not valid JSON-RPC', 'messages were not valid JSON-RPC'],
  truncated: [
    'session ended in the middle of a message',
    'sessions ended in the middle of a message',
    'the server broke off while it was writing.',
  ],
  stray: [
    'answer came that nothing was waiting for',
    'answers came that nothing was waiting for',
    'the server answers some messages twice.',
  ],
  lost: 'connection to the server while in use',
  beforeAck: 'before their call had been accepted',
  buffered: 'the server, or something between it and the client, holds its messages back.',
};
