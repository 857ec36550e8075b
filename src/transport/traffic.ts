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
  /** Connections ended because a bug of ours came up while their bytes were read; `example` is the first. */
  readonly internalErrors: InternalErrors;
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
    internalErrors: { count: 0, example: '' },
  };
}
