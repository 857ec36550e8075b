import { type SlotChanges, slotMarks, slotNs, slotRowLength } from './slot-recorder.js';

const marks = slotRowLength - 1;

/** What a slot says of the target; `unobserved` is one in which nobody wanted anything of it, or nobody looked. */
export type SlotState = 'up' | 'down' | 'unobserved';

/** One slot of a measurement over all workers. */
export interface Slot {
  readonly startNs: number;
  readonly state: SlotState;
  readonly wanted: number;
  /** Never more than `wanted`: one that was replaced within the slot counts once. */
  readonly ready: number;
}

/** Adds up what all workers noted of the slots; the order in which it comes does not matter. */
export class SlotSum {
  private changes = new Float64Array(0);

  add(rows: SlotChanges): void {
    for (let row = 0; row < rows.length; row += slotRowLength) {
      const slot = rows[row]!;
      if ((slot + 1) * marks > this.changes.length) this.grow(slot + 1);
      for (let mark = 0; mark < marks; mark++) this.changes[slot * marks + mark] += rows[row + 1 + mark]!;
    }
  }

  /** The slots that begin before `endNs` after the start of the measurement. */
  *slots(endNs: number): Generator<Slot> {
    const counts = new Float64Array(marks);
    for (let slot = 0; slot * slotNs < endNs; slot++) {
      for (let mark = 0; mark < marks; mark++) counts[mark] += this.changes[slot * marks + mark] ?? 0;
      const wanted = counts[slotMarks.wanted]!;
      const ready = Math.min(wanted, counts[slotMarks.ready]!);
      yield { startNs: slot * slotNs, state: stateOf(counts), wanted, ready };
    }
  }

  private grow(slots: number): void {
    const grown = new Float64Array(slots * 2 * marks);
    grown.set(this.changes);
    this.changes = grown;
  }
}

function stateOf(counts: Float64Array): SlotState {
  if (counts[slotMarks.answered]! > 0) return 'up';
  if (counts[slotMarks.notReading]! > 0) return 'unobserved';
  if (counts[slotMarks.unanswered]! > 0) return 'down';
  return counts[slotMarks.wanted] > 0 && counts[slotMarks.ready] === 0 ? 'down' : 'unobserved';
}
