/** What is counted of the Streamable HTTP endpoint alone. Every key is documented in mock-server/README.md. */
export interface StreamableCounts {
  sessionsCreated: number;
  sessionsDeleted: number;
  sessionsExpired: number;
  sessionsLost: number;
  sessionsRefused: number;
  sessionsOpen: number;
  postsWithSessions: number;
  postsStateless: number;
  bodiesJson: number;
  bodiesSse: number;
  primes: number;
  disconnects: number;
  resumes: number;
  getStreams: number;
  getStreamsOpen: number;
  inputRequired: number;
  inputResponses: number;
  listens: number;
  listensOpen: number;
}

const zero: StreamableCounts = {
  sessionsCreated: 0,
  sessionsDeleted: 0,
  sessionsExpired: 0,
  sessionsLost: 0,
  sessionsRefused: 0,
  sessionsOpen: 0,
  postsWithSessions: 0,
  postsStateless: 0,
  bodiesJson: 0,
  bodiesSse: 0,
  primes: 0,
  disconnects: 0,
  resumes: 0,
  getStreams: 0,
  getStreamsOpen: 0,
  inputRequired: 0,
  inputResponses: 0,
  listens: 0,
  listensOpen: 0,
};

/** Counts that begin at zero. */
export function newStreamableCounts(): StreamableCounts {
  return { ...zero };
}

/** Sets everything to zero but what is open. */
export function resetStreamableCounts(counts: StreamableCounts): void {
  const { sessionsOpen, getStreamsOpen, listensOpen } = counts;
  Object.assign(counts, zero, { sessionsOpen, getStreamsOpen, listensOpen });
}
