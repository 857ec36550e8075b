/** How an id that is no longer in flight stands. */
export type Standing =
  /** Not sent by this session: another's, or nobody's. */
  | 'foreign'
  /** A response has already ended it. */
  | 'duplicate'
  /** It ended without a response: timed out, failed, was cancelled. */
  | 'late';

const ringSize = 1 << 20;

/**
 * Hands out ids that no other session of the run uses, and remembers to which session each went and how it ended, so that
 * a stray response can be told from a duplicate. Remembers the last million; an older id that comes back is `late`.
 */
export class Correlator {
  private issued = 0;
  // Filled, so that their memory is taken at the start: taken page by page, it looks like a leak for the first million calls.
  private readonly owner = new Int32Array(ringSize).fill(-1);
  private readonly answered = new Uint8Array(ringSize).fill(1);

  /** `index` of `of` workers: ids of different workers never meet. */
  constructor(
    private readonly index: number,
    private readonly of: number,
  ) {}

  /** A new id for the session with this serial number (> 0). */
  issue(sessionSerial: number): number {
    const slot = this.issued & (ringSize - 1);
    this.owner[slot] = sessionSerial;
    this.answered[slot] = 0;
    return this.issued++ * this.of + this.index + 1;
  }

  /** Notes that a response ended this id. */
  markAnswered(id: number): void {
    const ordinal = (id - 1 - this.index) / this.of;
    if (ordinal >= this.issued - ringSize) this.answered[ordinal & (ringSize - 1)] = 1;
  }

  /** What to make of a response on this session whose id is not in flight there. */
  standingOf(id: number, sessionSerial: number): Standing {
    const ordinal = (id - 1 - this.index) / this.of;
    if (!Number.isInteger(ordinal) || ordinal < 0 || ordinal >= this.issued) return 'foreign';
    if (ordinal < this.issued - ringSize) return 'late';
    const slot = ordinal & (ringSize - 1);
    if (this.owner[slot] !== sessionSerial) return 'foreign';
    return this.answered[slot] === 1 ? 'duplicate' : 'late';
  }
}
