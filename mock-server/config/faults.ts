/** No fault at all, with what each is like where only its share is given. */
export const noFaults = {
  rpcError: { rate: 0, code: -32000, message: 'Server error, injected by the mock' },
  toolError: { rate: 0, message: 'Tool error, injected by the mock' },
  httpError: { rate: 0, status: 503 },
  lost: { rate: 0 },
  duplicate: { rate: 0 },
  misrouted: { rate: 0 },
  cut: { rate: 0 },
  eventBefore202: { rate: 0, gap: 1e6 },
  ackAfterWork: { rate: 0 },
  heldPost: { rate: 0, for: 1e9 },
  unansweredPost: { rate: 0 },
  splitEvent: { rate: 0 },
  serverRequest: { rate: 0 },
  push: { rate: 0 },
  slowRead: { rate: 0, for: 50e6 },
};

/** Every fault with its share of the calls, and what else is to be known of it. */
export type FaultConfig = typeof noFaults;

/** The faults of one tool: its own where it has them, those of the server otherwise, none at all by default. */
export function mergeFaults(...layers: Partial<FaultConfig>[]): FaultConfig {
  return Object.assign({}, noFaults, ...layers) as FaultConfig;
}
