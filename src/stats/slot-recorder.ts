/** Availability is judged in slots of this length, counted from the start of the measurement. */
export const slotNs = 100e6;

/** What is noted of a slot; each is a number of calls, sessions or readers that it holds true for in some part of the slot. */
export const slotMarks = {
  /** Calls in flight that were answered in the end. */
  answered: 0,
  /** Calls in flight that never were, and calls that were due and could not be sent. */
  unanswered: 1,
  /** Sessions that should have been ready: intended churn is none of them. */
  wanted: 2,
  /** Sessions that were. */
  ready: 3,
  /** Generators that read nothing from the slot's beginning to its end. */
  notReading: 4,
} as const;
export type SlotMark = keyof typeof slotMarks;

/** Numbers in a row of `SlotChanges`: the slot, then by how much each mark's count differs from that of the slot before. */
export const slotRowLength = 1 + Object.keys(slotMarks).length;

/** Rows of changes, one slot after the other. Those of any number of workers and moments add up: see `SlotSum`. */
export type SlotChanges = Int32Array;

const firstCapacity = 1024;

/**
 * Notes, for each slot of a worker's measurement, what tells whether the target was available. A range of slots costs two additions, however
 * long it is and however late its meaning is known: only the changes at its two borders are kept.
 */
export class SlotRecorder {
  private startNs = Infinity;
  /** A row per slot, without the slot's own number: those that differ from zero have not been taken yet. */
  private changes = new Int32Array(firstCapacity * (slotRowLength - 1));
  private dirtyFrom = Infinity;
  private dirtyTo = -1;
  /** Sessions that are wanted and ready by now. */
  private readonly open = { wanted: 0, ready: 0 };

  /** The measurement begins: what is open reaches into the first slot, what ended before is forgotten. */
  start(atNs: number): void {
    this.startNs = atNs;
    this.add(slotMarks.wanted, 0, this.open.wanted);
    this.add(slotMarks.ready, 0, this.open.ready);
  }

  /** A mark holds for every slot that the time from `fromNs` to `toNs` touches. */
  note(mark: SlotMark, fromNs: number, toNs: number): void {
    const last = Math.floor((toNs - this.startNs) / slotNs);
    if (!(last >= 0)) return;
    const first = Math.floor((fromNs - this.startNs) / slotNs);
    const at = slotMarks[mark];
    this.add(at, first > 0 ? first : 0, 1);
    this.add(at, last + 1, -1);
  }

  /** The life of a call: it was due at `foundNs`, left at `sentNs` (0: never) and ended at `endNs`, with or without an answer, or neither is known (null). */
  noteCall(mark: 'answered' | 'unanswered' | null, foundNs: number, sentNs: number, endNs: number): void {
    if (sentNs === 0) {
      if (mark !== null) this.note('unanswered', foundNs, endNs);
      return;
    }
    if (mark !== null) this.note(mark, sentNs, endNs);
    // It waited in all slots before that in which it was sent; this one is judged by what became of it.
    const sentSlotNs = this.startNs + Math.floor((sentNs - this.startNs) / slotNs) * slotNs;
    if (foundNs < sentSlotNs) this.note('unanswered', foundNs, sentSlotNs - 1);
  }

  /** Nothing was read between the two moments: holds for the slots that lie wholly within. */
  noteNotReading(fromNs: number, toNs: number): void {
    const first = Math.max(0, Math.ceil((fromNs - this.startNs) / slotNs));
    const after = Math.floor((toNs - this.startNs) / slotNs);
    if (!(after > first)) return;
    this.add(slotMarks.notReading, first, 1);
    this.add(slotMarks.notReading, after, -1);
  }

  /** So many sessions more are wanted, or ready, from here on; `atNs` may lie in the past. */
  begin(mark: 'wanted' | 'ready', atNs: number, count = 1): void {
    this.open[mark] += count;
    if (this.startNs === Infinity) return;
    this.add(slotMarks[mark], Math.max(0, Math.floor((atNs - this.startNs) / slotNs)), count);
  }

  /** One fewer from the next slot on. */
  end(mark: 'wanted' | 'ready', atNs: number): void {
    this.open[mark]--;
    if (this.startNs === Infinity) return;
    this.add(slotMarks[mark], Math.max(0, Math.floor((atNs - this.startNs) / slotNs) + 1), -1);
  }

  /** Hands over the changes since the last time. */
  take(): SlotChanges {
    const rows: number[] = [];
    const marks = slotRowLength - 1;
    for (let slot = this.dirtyFrom; slot <= this.dirtyTo; slot++) {
      const row = this.changes.subarray(slot * marks, (slot + 1) * marks);
      if (row.every((change) => change === 0)) continue;
      rows.push(slot, ...row);
      row.fill(0);
    }
    this.dirtyFrom = Infinity;
    this.dirtyTo = -1;
    return Int32Array.from(rows);
  }

  private add(at: number, slot: number, change: number): void {
    if (slot < this.dirtyFrom) this.dirtyFrom = slot;
    if (slot > this.dirtyTo) this.dirtyTo = slot;
    const index = slot * (slotRowLength - 1) + at;
    if (index >= this.changes.length) this.grow(index);
    this.changes[index] += change;
  }

  private grow(index: number): void {
    const marks = slotRowLength - 1;
    const grown = new Int32Array((Math.floor(index / marks) + 1) * 2 * marks);
    grown.set(this.changes);
    this.changes = grown;
  }
}
