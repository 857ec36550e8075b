/** Calls that ended in one interval: how many fell into which bucket of the histogram, and how many failed. */
export interface IntervalCounts {
  /** Occupied buckets, in any order. */
  indices: ArrayLike<number>;
  counts: ArrayLike<number>;
  /** Calls without a latency: they count as slower than any other. */
  failed?: number;
}

/** From where to where a bucket of the histogram reaches, in the metric's unit. */
export type EdgesOf = (index: number) => readonly [from: number, to: number];

/**
 * The intervals of one run, ready to be resampled in circular blocks of ⌈n^⅓⌉. For every possible block it holds the cumulative counts over the
 * occupied buckets, so that a percentile of a resampled run costs a binary search over sums of n^⅔ numbers instead of a merge of n
 * histograms. Memory: 4 bytes × intervals × occupied buckets.
 */
export class IntervalBlocks {
  readonly blockLength: number;
  readonly blocksPerRun: number;
  /** Calls in all intervals, failed ones included. */
  readonly total: number;
  private readonly buckets: readonly number[];
  /** Row k, of one number per block start: calls of that block in the first k occupied buckets. One row more counts the failed ones too. */
  private readonly upTo: Uint32Array;
  private readonly wholeRun: Float64Array;

  constructor(
    private readonly intervals: readonly IntervalCounts[],
    private readonly edgesOf: EdgesOf,
  ) {
    const n = intervals.length;
    this.blockLength = Math.ceil(Math.cbrt(n) - 1e-9);
    this.blocksPerRun = Math.ceil(n / this.blockLength);
    this.buckets = occupiedBuckets(intervals);
    this.upTo = cumulativeBlocks(intervals, this.buckets, this.blockLength);
    const rows = this.buckets.length + 2;
    this.wholeRun = new Float64Array(rows);
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let start = 0; start < n; start++) sum += this.upTo[row * n + start]!;
      // Every interval is part of that many blocks.
      this.wholeRun[row] = sum / this.blockLength;
    }
    this.total = this.wholeRun[rows - 1]!;
  }

  /** Fills in the starts of the blocks that make up one resampled run. */
  draw(starts: Uint32Array, random: () => number): void {
    const n = this.intervals.length;
    for (let i = 0; i < starts.length; i++) starts[i] = Math.floor(random() * n);
  }

  /** The value below which this share of the calls lies, of the run or of a resampled one; Infinity among the failed calls. */
  percentile(share: number, starts?: Uint32Array): number {
    const all = this.sum(this.buckets.length + 1, starts);
    if (all === 0) return 0;
    const rank = Math.max(1, Math.ceil(share * all - 1e-9));
    let low = 1;
    let high = this.buckets.length + 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sum(middle, starts) >= rank) high = middle;
      else low = middle + 1;
    }
    if (low > this.buckets.length) return Infinity;
    const before = this.sum(low - 1, starts);
    const inside = this.sum(low, starts) - before;
    const [from, to] = this.edgesOf(this.buckets[low - 1]!);
    // Within a bucket the calls are taken for evenly spread: else the answer jumps by the histogram's resolution, 1 % at two digits.
    return from + ((rank - before - 0.5) / inside) * (to - from);
  }

  /** Calls with a latency per interval, of the run or of a resampled one. */
  rate(starts?: Uint32Array): number {
    const intervals = starts === undefined ? this.intervals.length : starts.length * this.blockLength;
    return this.sum(this.buckets.length, starts) / intervals;
  }

  private sum(row: number, starts: Uint32Array | undefined): number {
    if (starts === undefined) return this.wholeRun[row]!;
    const offset = row * this.intervals.length;
    let sum = 0;
    for (let i = 0; i < starts.length; i++) sum += this.upTo[offset + starts[i]!]!;
    return sum;
  }
}

function occupiedBuckets(intervals: readonly IntervalCounts[]): number[] {
  const occupied = new Set<number>();
  for (const { indices } of intervals) for (let i = 0; i < indices.length; i++) occupied.add(indices[i]!);
  return [...occupied].sort((a, b) => a - b);
}

function cumulativeBlocks(
  intervals: readonly IntervalCounts[],
  buckets: readonly number[],
  blockLength: number,
): Uint32Array {
  const n = intervals.length;
  const rowOf = new Map(buckets.map((bucket, i) => [bucket, i + 1]));
  const upTo = new Uint32Array((buckets.length + 2) * n);
  intervals.forEach(({ indices, counts, failed }, at) => {
    for (let i = 0; i < indices.length; i++) upTo[rowOf.get(indices[i]!)! * n + at]! += counts[i]!;
    upTo[(buckets.length + 1) * n + at] = failed ?? 0;
  });
  const row = new Uint32Array(n);
  for (let k = 1; k <= buckets.length + 1; k++) {
    row.set(upTo.subarray(k * n, (k + 1) * n));
    let block = 0;
    for (let i = 0; i < blockLength; i++) block += row[i % n]!;
    for (let start = 0; start < n; start++) {
      upTo[k * n + start] = block + upTo[(k - 1) * n + start]!;
      block += row[(start + blockLength) % n]! - row[start]!;
    }
  }
  return upTo;
}
