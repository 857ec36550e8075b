// HdrHistogram's layout for a unit of 1 ns and 3 significant digits: 2,048 buckets of one nanosecond, then 1,024 for each doubling.

/** Buckets of one page: those of one doubling. */
export const pageBuckets = 1024;
/** Larger values are counted as this one: 73 minutes. */
export const maxValueNs = 2 ** 42 - 1;
/** As many as `maxValueNs` needs. */
export const pageCount = 33;

const maxUint32 = 2 ** 32 - 1;
/** 2 to the power of the index: `**` with a variable exponent takes fifty times as long. */
export const powersOf2 = Float64Array.from({ length: 53 }, (_, exponent) => 2 ** exponent);

/** The bucket of a whole number of nanoseconds from 0 to `maxValueNs`. */
export function bucketOf(valueNs: number): number {
  if (valueNs <= maxUint32) {
    const doubling = 21 - Math.clz32(valueNs | 2047);
    return (doubling << 10) + (valueNs >>> doubling);
  }
  const doubling = 53 - Math.clz32(valueNs / 2 ** 32);
  return (doubling << 10) + Math.floor(valueNs / powersOf2[doubling]!);
}

/** The smallest value of a bucket. */
export function lowestOf(bucket: number): number {
  if (bucket < 2 * pageBuckets) return bucket;
  const doubling = (bucket >> 10) - 1;
  return (bucket - (doubling << 10)) * powersOf2[doubling]!;
}

/** The largest value of a bucket. */
export function highestOf(bucket: number): number {
  return bucket < 2 * pageBuckets ? bucket : lowestOf(bucket) + powersOf2[(bucket >> 10) - 1]! - 1;
}
