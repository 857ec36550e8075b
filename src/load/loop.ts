import type { Session } from './session.js';

/** One phase's way of making calls: told what happens, and asked at every tick what is due. */
export interface Loop {
  /**
   * Starts what is due and returns when it wants to be asked again, in absolute nanoseconds: `atNs` itself where it
   * stopped early so as not to keep sockets from being read, Infinity where only events will bring it work.
   */
  tick(atNs: number): number;
  /**
   * Does, for so long at the most, what need not wait until calls are due: connections that will be needed, texts. To be called every so
   * often; true where nothing is left to do or to wait for.
   */
  prepare(atNs: number, budgetNs: number): boolean;
  onReady(session: Session, atNs: number): void;
  /** A call of `phase` ended on the session. */
  onSlotFree(session: Session, atNs: number, phase: number): void;
  /** When it next wants to be asked; as `tick` returned it, or earlier after an event. */
  readonly nextDueNs: number;
  /** It has made all its calls and they have ended: only a `count` loop ever is. */
  readonly exhausted: boolean;
}

/** Calls that one tick may start before the sockets get their turn. */
export const callsPerTick = 64;
