/** What went over the wire and what it took. */
export interface Traffic {
  bytesIn: number;
  bytesOut: number;
  connectRetries: number;
  /** POST connections opened beyond a session's first: its others still owed an answer. */
  extraConnections: number;
  /** POST connections made anew, in place of one that had idled too long or that the server had closed. */
  reconnected: number;
  /** POST connections ended because bytes came on them that no request was waiting for. */
  strayAnswers: number;
  /** Connections lost to this machine's own limits: descriptors, ports. */
  limitsHit: Record<string, number>;
  /** What only replies that are streams, and sessions that the server keeps, can have. */
  readonly replies: ReplyCounts;
  /** What only servers can have that are processes of ours. */
  readonly pipes: PipeCounts;
  /** Connections ended because a bug of ours came up while their bytes were read; `example` is the first. */
  readonly internalErrors: InternalErrors;
}

/** What was odd about the replies to messages, and what became of the sessions that a server had made ids for. */
export interface ReplyCounts {
  /** Events without a message, which only have an id to come back with. */
  priming: number;
  /** Replies that broke off and were asked to go on, and those of them that did not. */
  resumed: number;
  resumeRefused: number;
  /** Replies that were announced as events and were JSON. */
  jsonAsEvents: number;
  /** Streams for the server's own messages that it would not open. */
  listenRefused: number;
  /** Sessions that were told to end, and ended; those that the server would not end so; those that were just left. */
  deleted: number;
  deleteRefused: number;
  left: number;
}

export function noReplyCounts(): ReplyCounts {
  return {
    priming: 0,
    resumed: 0,
    resumeRefused: 0,
    jsonAsEvents: 0,
    listenRefused: 0,
    deleted: 0,
    deleteRefused: 0,
    left: 0,
  };
}

/** What was odd about servers that are processes, spoken to over their pipes, and about how they ended. */
export interface PipeCounts {
  /** Lines on their standard output that are no JSON; `otherLine` is the first. */
  otherLines: number;
  otherLine: string;
  /** What they wrote to their standard error. */
  stderrBytes: number;
  /** Processes that had ended before they were asked to. */
  died: number;
  /** Those that went on after the end of their input and had to be told by SIGTERM; those of them that SIGKILL alone could end. */
  survivedEof: number;
  killed: number;
  /** Those that left others behind, which we ended. */
  leftOthers: number;
}

export function noPipeCounts(): PipeCounts {
  return {
    otherLines: 0,
    otherLine: '',
    stderrBytes: 0,
    died: 0,
    survivedEof: 0,
    killed: 0,
    leftOthers: 0,
  };
}

export interface InternalErrors {
  count: number;
  example: string;
}

/** The traffic before the first byte. */
export function noTraffic(): Traffic {
  return {
    bytesIn: 0,
    bytesOut: 0,
    connectRetries: 0,
    extraConnections: 0,
    reconnected: 0,
    strayAnswers: 0,
    limitsHit: {},
    replies: noReplyCounts(),
    pipes: noPipeCounts(),
    internalErrors: { count: 0, example: '' },
  };
}
