/** Whatever has an id of its own among those that it is kept with. */
interface Numbered {
  readonly id: number;
}

const firstCapacity = 64;
// 2³² ÷ the golden ratio: consecutive ids land far apart.
const spread = 0x9e3779b1;

/**
 * Finds things by their ids. Not a Map: one from which is deleted all the time keeps making its table anew, each old table points to the
 * next, and once one of them is old to the garbage collector, all that come later survive with what is in them. A third of what a call
 * allocates was copied and promoted for that (see call-table.test.ts).
 */
export class CallTable<T extends Numbered> {
  size = 0;
  private places: (T | null)[] = Array<T | null>(firstCapacity).fill(null);
  private mask = firstCapacity - 1;

  /** Adds an item whose id is not in it. */
  add(item: T): void {
    if (++this.size * 2 > this.places.length) this.grow();
    this.place(item);
  }

  find(id: number): T | undefined {
    for (let at = this.homeOf(id); ; at = (at + 1) & this.mask) {
      const item = this.places[at];
      if (item === null) return undefined;
      if (item.id === id) return item;
    }
  }

  /** Takes out the item with this id; false where there is none. */
  remove(id: number): boolean {
    const { places, mask } = this;
    let hole = this.homeOf(id);
    for (; ; hole = (hole + 1) & mask) {
      const item = places[hole];
      if (item === null) return false;
      if (item.id === id) break;
    }
    this.size--;
    // Those behind it move up, so that nobody meets a hole on the way to what is there.
    for (let at = (hole + 1) & mask; ; at = (at + 1) & mask) {
      const item = places[at];
      if (item === null) break;
      const home = this.homeOf(item.id);
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      places[hole] = item;
      hole = at;
    }
    places[hole] = null;
    return true;
  }

  /** All of them, by their ids. */
  all(): T[] {
    return this.places.filter((item) => item !== null).sort((a, b) => a.id - b.id);
  }

  private homeOf(id: number): number {
    return (Math.imul(id, spread) >>> 7) & this.mask;
  }

  private place(item: T): void {
    let at = this.homeOf(item.id);
    while (this.places[at] !== null) at = (at + 1) & this.mask;
    this.places[at] = item;
  }

  private grow(): void {
    const old = this.places;
    this.places = Array<T | null>(old.length * 2).fill(null);
    this.mask = this.places.length - 1;
    for (const item of old) if (item !== null) this.place(item);
  }
}
