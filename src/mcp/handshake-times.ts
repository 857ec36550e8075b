import type { Recorder } from '../stats/recorder.js';
import type { Turn } from '../transport/turn.js';

/** Times the steps of one handshake, and what of the whole may have been our own doing: a late start, and answers that lay unread. */
export class HandshakeTimes {
  private ownNs = 0;
  /** The latest step: one from the same start takes its place in the whole. */
  private stepSinceNs = -1;
  private stepUnreadNs = 0;

  constructor(
    private readonly recorder: Recorder,
    private readonly turn: Turn,
    private readonly intendedNs: number,
  ) {}

  /** It begins at last. */
  begin(atNs: number): void {
    this.ownNs = Math.max(0, atNs - this.intendedNs);
  }

  /** `byUs`: what was done in it did not end with a read. */
  step(name: string, sinceNs: number, atNs: number, byUs = false): void {
    const unreadNs = byUs ? 0 : this.turn.unreadNs(atNs);
    this.ownNs += unreadNs;
    if (sinceNs === this.stepSinceNs) this.ownNs -= this.stepUnreadNs;
    this.stepSinceNs = sinceNs;
    this.stepUnreadNs = unreadNs;
    this.recorder.handshake(`handshake.${name}`, atNs - sinceNs, unreadNs);
  }

  /** The session is ready. */
  end(atNs: number): void {
    this.recorder.handshake('handshake.total', atNs - this.intendedNs, this.ownNs);
  }
}
