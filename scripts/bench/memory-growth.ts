import { median } from '../../src/compare/median.js';

/** Resident memory at a moment. */
export interface MemorySample {
  /** Since the start. */
  readonly atSeconds: number;
  readonly bytes: number;
}

/** Whether memory grew after the warm-up, and by how much. */
export interface MemoryGrowth {
  /** Samples before it do not count. */
  readonly fromSeconds: number;
  /** The median after it. */
  readonly levelBytes: number;
  readonly bytesPerSecond: number;
  /** Over the whole time after the warm-up. */
  readonly growthBytes: number;
  readonly allowedBytes: number;
  /** How surely there is a trend at all: Mann and Kendall's, a standard normal where there is none. */
  readonly trendZ: number;
  readonly grows: boolean;
}

const blockSeconds = 10;
// With fewer, not even a straight line is surely a trend.
const fewestBlocks = 8;
const allowedShare = 0.05;
const sureZ = 2.58;

/**
 * Looks for growth in the medians of ten-second blocks, so that the saw-tooth of the garbage collector is no trend: the slope
 * is Theil and Sen's, the median of the slopes between any two blocks, which a third of outliers cannot move. Memory grows
 * where that slope takes it up by more than 5 % within the time seen, and the trend is no chance (99 %).
 */
export function findGrowth(samples: readonly MemorySample[], warmupSeconds: number): MemoryGrowth {
  const late = samples.filter(({ atSeconds }) => atSeconds >= warmupSeconds);
  const blocks = blocksOf(late);
  if (blocks.length < fewestBlocks)
    throw new Error(
      `memory was watched for ${blocks.length} blocks of ${blockSeconds} s after the warm-up: ${fewestBlocks} are needed`,
    );
  const slopes: number[] = [];
  let ups = 0;
  for (const [i, later] of blocks.entries()) {
    for (const earlier of blocks.slice(0, i)) {
      slopes.push((later.bytes - earlier.bytes) / (later.atSeconds - earlier.atSeconds));
      ups += Math.sign(later.bytes - earlier.bytes);
    }
  }
  const bytesPerSecond = median(slopes);
  const levelBytes = median(blocks.map(({ bytes }) => bytes));
  const growthBytes = bytesPerSecond * (late.at(-1)!.atSeconds - late[0]!.atSeconds);
  const allowedBytes = allowedShare * levelBytes;
  const n = blocks.length;
  const deviation = Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const trendZ = ups === 0 ? 0 : (ups - Math.sign(ups)) / deviation;
  const grows = growthBytes > allowedBytes && trendZ > sureZ;
  return { fromSeconds: warmupSeconds, levelBytes, bytesPerSecond, growthBytes, allowedBytes, trendZ, grows };
}

function blocksOf(samples: readonly MemorySample[]): MemorySample[] {
  const blocks = new Map<number, MemorySample[]>();
  for (const sample of samples) {
    const block = Math.floor(sample.atSeconds / blockSeconds);
    const members = blocks.get(block);
    if (members) members.push(sample);
    else blocks.set(block, [sample]);
  }
  return [...blocks.values()]
    .filter((members) => members.length >= blockSeconds / 2)
    .map((members) => ({
      atSeconds: median(members.map(({ atSeconds }) => atSeconds)),
      bytes: median(members.map(({ bytes }) => bytes)),
    }));
}
