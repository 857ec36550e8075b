import type { Call } from '../calls/planned-call.js';
import type { SessionTask } from './session-due.js';
import type { Site } from '../protocol/site.js';
import type { Stream } from './stream.js';

export const SessionState = { fresh: 0, initializeAnswered: 1, ready: 2 } as const;
export type SessionState = (typeof SessionState)[keyof typeof SessionState];

/** One client's session; in the workspace dialect, one workspace with all its streams. */
export class Session {
  state: SessionState;
  initialized = false;
  /** tools/call requests so far: with `ordinal`, what the random choices are made from. */
  calls = 0;
  posts = 0;
  counter = 0;
  inFlight = 0;
  serverRequests = 0;
  serverRequestOpen = false;
  readonly streams: Stream[] = [];
  /** Delayed calls and POSTs that are held open. */
  tasks: Set<SessionTask> | null = null;
  /** Calls that wait in their POSTs for room in the session's queue. */
  waiting: Call[] | null = null;

  constructor(
    readonly id: string,
    readonly site: Site,
    readonly ordinal: number,
  ) {
    this.state = site.readyFromStart ? SessionState.ready : SessionState.fresh;
  }
}
