import type { Session } from './session.js';

/** A call that is due: what to send and when it should have been sent. */
export interface Ticket {
  /** Number of the call, unique over the run. */
  readonly seq: number;
  readonly operation: number;
  /** Index of the phase of its intended start; -1 while warming up. */
  readonly phase: number;
  readonly intendedNs: number;
  readonly foundNs: number;
}

/** A call whose session is chosen and whose text is ready, but for its id, before it is due: then the moments are filled in. */
export class Draft implements Ticket {
  intendedNs = 0;
  foundNs = 0;

  constructor(
    readonly seq: number,
    readonly operation: number,
    readonly phase: number,
    readonly session: Session,
    /** What follows the id. */
    readonly text: string,
    readonly echo: string,
  ) {}
}
