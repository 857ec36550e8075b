import { bucketOf, highestOf, lowestOf, maxValueNs, pageBuckets, pageCount } from './bucket-layout.js';

/** A histogram's contents, sparse: plain arrays and numbers that can be cloned or transferred to another thread. */
export interface HistogramSnapshot {
  /** Buckets that are not empty, ascending. */
  indices: Uint32Array;
  /** How many values each of them holds. */
  counts: Float64Array;
  count: number;
  /** 0 where there are no values, as are the others. */
  minNs: number;
  maxNs: number;
  sumNs: number;
  saturated: number;
}

/**
 * Counts durations in HdrHistogram's buckets, 3 significant digits from 1 ns to 73 minutes; exact count, sum, minimum and maximum.
 * Merging loses nothing. scripts/bench/bench-record.ts shows what a record costs.
 */
export class Histogram {
  // 8 KB each, made when a value first falls into them: latencies of one run need a handful of the 33.
  private readonly pages: (Float64Array | undefined)[] = Array.from({ length: pageCount }, () => undefined);
  private min = Infinity;
  private max = -1;
  /** How many values have been recorded. */
  count = 0;
  sumNs = 0;
  /** How many values were larger than `maxValueNs`, and have been counted as that. */
  saturated = 0;

  /** Counts one duration: a whole number of nanoseconds, not negative. */
  record(valueNs: number): void {
    // Also false for NaN.
    if (!(valueNs >= 0 && valueNs <= maxValueNs)) valueNs = this.clamp(valueNs);
    const bucket = bucketOf(valueNs);
    const page = this.pages[bucket >> 10] ?? this.addPage(bucket >> 10);
    page[bucket & 1023]!++;
    this.count++;
    this.sumNs += valueNs;
    if (valueNs < this.min) this.min = valueNs;
    if (valueNs > this.max) this.max = valueNs;
  }

  get minNs(): number {
    return this.count === 0 ? 0 : this.min;
  }

  get maxNs(): number {
    return this.count === 0 ? 0 : this.max;
  }

  get meanNs(): number {
    return this.count === 0 ? 0 : this.sumNs / this.count;
  }

  /** Empties it; keeps its memory, and touches only the pages in use: it is called every second. */
  reset(): void {
    if (this.count === 0) return;
    const last = bucketOf(this.max) >> 10;
    for (let page = bucketOf(this.min) >> 10; page <= last; page++) this.pages[page]?.fill(0);
    this.min = Infinity;
    this.max = -1;
    this.count = 0;
    this.sumNs = 0;
    this.saturated = 0;
  }

  snapshot(): HistogramSnapshot {
    const { count, minNs, maxNs, sumNs, saturated } = this;
    const first = bucketOf(minNs);
    const last = bucketOf(maxNs);
    // One pass into arrays that surely suffice, for the wide ones are sparse.
    const room = Math.min(count, last - first + 1);
    const indices = new Uint32Array(room);
    const counts = new Float64Array(room);
    let used = 0;
    for (let number = first >> 10; number <= last >> 10; number++) {
      const page = this.pages[number];
      if (page === undefined) continue;
      for (let i = 0; i < pageBuckets; i++) {
        if (page[i] === 0) continue;
        indices[used] = (number << 10) + i;
        counts[used++] = page[i]!;
      }
    }
    return {
      // Copies of the used part: a view would be cloned with all that lies behind it.
      indices: used === room ? indices : indices.slice(0, used),
      counts: used === room ? counts : counts.slice(0, used),
      count,
      minNs,
      maxNs,
      sumNs,
      saturated,
    };
  }

  /** Merges what another histogram holds into this one. */
  add(snapshot: HistogramSnapshot): void {
    if (snapshot.count === 0) return;
    const { indices, counts } = snapshot;
    for (let i = 0; i < indices.length; i++) {
      const bucket = indices[i]!;
      const page = this.pages[bucket >> 10] ?? this.addPage(bucket >> 10);
      page[bucket & 1023]! += counts[i]!;
    }
    this.count += snapshot.count;
    this.sumNs += snapshot.sumNs;
    this.saturated += snapshot.saturated;
    this.min = Math.min(this.min, snapshot.minNs);
    this.max = Math.max(this.max, snapshot.maxNs);
  }

  /** The value that `percentile` (0…100) of all values do not exceed, as HdrHistogram gives it; 0 where there are no values. */
  valueAtPercentile(percentile: number): number {
    if (this.count === 0) return 0;
    const rank = rankOf(percentile, this.count);
    const last = bucketOf(this.max);
    let seen = 0;
    for (let bucket = bucketOf(this.min); bucket <= last; bucket++) {
      const page = this.pages[bucket >> 10];
      if (page === undefined) bucket |= pageBuckets - 1;
      else {
        seen += page[bucket & 1023]!;
        if (seen >= rank) return percentile === 0 ? lowestOf(bucket) : highestOf(bucket);
      }
    }
    throw new Error(`a histogram of ${this.count} values holds ${seen}`);
  }

  private clamp(valueNs: number): number {
    if (!(valueNs >= 0)) throw new Error(`not a duration: ${valueNs} ns`);
    this.saturated++;
    return maxValueNs;
  }

  private addPage(page: number): Float64Array {
    return (this.pages[page] = new Float64Array(pageBuckets));
  }
}

/** Which of `count` ordered values, counted from 1, is the percentile; a rounding error in the product does not skip one. */
export function rankOf(percentile: number, count: number): number {
  const exact = (Math.min(percentile, 100) / 100) * count;
  return Math.max(1, Math.ceil(exact - 2 ** (Math.floor(Math.log2(exact)) - 52)));
}
