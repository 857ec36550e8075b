import type { JsonValue } from './plan.js';

/** What the command line may change about the calls of a scenario and how many of them are made. */
export interface CallOverrides {
  /** Calls this tool, and nothing else. Thresholds of what is no longer called go with it. */
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, JsonValue>>;
  /** Calls in flight per session, in all phases that have such a number. */
  readonly inFlight?: number;
  /** Calls over all sessions, in a scenario that ends after a number of calls. */
  readonly calls?: number;
}
