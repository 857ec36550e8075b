import { inflateSync } from 'node:zlib';
import {
  HistogramLogWriter,
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
} from 'hdr-histogram-js';
import type { Histogram as HdrHistogram, JsHistogram } from 'hdr-histogram-js';
import { oneLine } from '../text/one-line.js';
import { bucketOf, highestOf, lowestOf, maxValueNs, powersOf2 } from './bucket-layout.js';
import { Histogram, rankOf } from './histogram.js';
import type { HistogramSnapshot } from './histogram.js';

// Off the hot path: the bridge to hdr-histogram-js, for files and other people's tools.

/** The figures that stand in a report, in nanoseconds. */
export interface Summary {
  count: number;
  min: number;
  mean: number;
  p50: number;
  p90: number;
  p95: number;
  p99: number;
  p999: number;
  max: number;
}

/** One line of a histogram log. */
export interface HlogInterval {
  /** Since the start of the run. */
  startMs: number;
  durationMs: number;
  tag?: string;
  histogram: HdrHistogram | HistogramSnapshot | Histogram;
}

// By significant digits: HdrHistogram has that many times two buckets of one unit, then half as many for each doubling.
const halfBucketBits = { 1: 4, 2: 7, 3: 10 };

// A histogram of ours has half a megabyte at most, mostly a kilobyte packed; what is packed grows at most a thousandfold.
const uncheckedLength = 16_384;
const mostUnpackedBytes = 4 * 1024 * 1024;

/** The same contents as an hdr-histogram-js histogram, of 3 significant digits or fewer; the minimum and maximum stay exact. */
export function toHdr(source: HistogramSnapshot | Histogram, significantDigits: 1 | 2 | 3 = 3): HdrHistogram {
  const hdr = build({
    // Counts in doubles: 32 bits would overflow in a long soak.
    bitBucketSize: 64,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: maxValueNs,
    numberOfSignificantValueDigits: significantDigits,
    useWebAssembly: false,
  });
  fill(hdr as JsHistogram, sparse(source), halfBucketBits[significantDigits]);
  return hdr;
}

// Straight into its counters: recording bucket by bucket takes ten times as long, and would blur the minimum and maximum.
function fill(hdr: JsHistogram, source: HistogramSnapshot, halfBits: number): void {
  const { indices, counts } = source;
  for (let i = 0; i < indices.length; i++) {
    const index = coarserBucketOf(lowestOf(indices[i]!), halfBits);
    hdr.setCountAtIndex(index, hdr.getCountAtIndex(index) + counts[i]!);
  }
  hdr.setTotalCount(source.count);
  if (source.count === 0) return;
  hdr.maxValue = source.maxNs;
  const smallest = source.minNs > 0 ? source.minNs : lowestOf(indices[1] ?? 0);
  if (smallest > 0) hdr.minNonZeroValue = smallest;
}

function coarserBucketOf(valueNs: number, halfBits: number): number {
  const bits = valueNs < 2 ** 32 ? 31 - Math.clz32(valueNs) : 63 - Math.clz32(valueNs / 2 ** 32);
  const doubling = Math.max(0, bits - halfBits);
  return (doubling << halfBits) + Math.floor(valueNs / powersOf2[doubling]!);
}

/** The contents of an hdr-histogram-js histogram; exact for 3 significant digits, otherwise as exact as it is. */
export function fromHdr(hdr: HdrHistogram): HistogramSnapshot {
  const source = hdr as JsHistogram;
  const isOurLayout = source.numberOfSignificantValueDigits === 3 && source.lowestDiscernibleValue === 1;
  const indices: number[] = [];
  const counts: number[] = [];
  // Summed here, as HdrHistogram does it: its own `mean` walks an iterator for milliseconds.
  let sumNs = 0;
  const last = Math.min(source.countsArrayLength - 1, source.countsArrayIndex(source.maxValue));
  for (let i = 0; i <= last; i++) {
    const count = source.getCountAtIndex(i);
    if (count === 0) continue;
    const lowest = isOurLayout ? lowestOf(i) : source.valueFromIndex(i);
    const highest = isOurLayout ? highestOf(i) : source.highestEquivalentValue(lowest);
    sumNs += count * (lowest + Math.floor((highest - lowest + 1) / 2));
    const bucket = bucketOf(Math.min(maxValueNs, highest));
    if (indices.at(-1) === bucket) counts[counts.length - 1]! += count;
    else {
      indices.push(bucket);
      counts.push(count);
    }
  }
  return {
    indices: Uint32Array.from(indices),
    counts: Float64Array.from(counts),
    count: hdr.totalCount,
    minNs: minOf(hdr),
    maxNs: Math.min(maxValueNs, hdr.maxValue),
    sumNs,
    saturated: 0,
  };
}

/** HdrHistogram's V2 encoding, compressed, base64; takes up to half a millisecond, so never in a worker. */
export function encodeV2(
  source: HdrHistogram | HistogramSnapshot | Histogram,
  significantDigits: 1 | 2 | 3 = 3,
): string {
  return encodeIntoCompressedBase64(isHdr(source) ? source : toHdr(source, significantDigits));
}

/** Reads what `encodeV2`, or any other HdrHistogram, wrote; throws where the text is something else, or holds megabytes. */
export function decodeV2(text: string): HdrHistogram {
  if (text.length > uncheckedLength) checkUnpacked(text);
  return decodeFromCompressedBase64(text, 64);
}

// Behind a cookie and its length.
function checkUnpacked(text: string): void {
  const packed = Buffer.from(text, 'base64').subarray(8);
  inflateSync(packed, { maxOutputLength: mostUnpackedBytes });
}

/** A histogram log that HdrHistogram's tools read: values in ns, the times and the maximum column in s and ms. */
export function writeHlog(startedAtMs: number, intervals: Iterable<HlogInterval>, comment?: string): string {
  const lines: string[] = [];
  const writer = new HistogramLogWriter((line) => lines.push(line));
  writer.outputLogFormatVersion();
  const startedAtSec = (startedAtMs / 1000).toFixed(3);
  writer.outputComment(
    `[StartTime: ${startedAtSec} (seconds since epoch), ${new Date(startedAtMs).toISOString()}]`,
  );
  if (comment !== undefined) writer.outputComment(`[${oneLine(comment)}]`);
  writer.outputComment(`[BaseTime: ${startedAtSec} (seconds since epoch)]`);
  writer.outputLegend();
  for (const { startMs, durationMs, tag, histogram } of intervals) {
    const hdr = isHdr(histogram) ? histogram : toHdr(histogram);
    const before = hdr.tag;
    // A comma or a blank would end the field.
    if (tag !== undefined) hdr.tag = oneLine(tag).replace(/[,\s]+/g, '_');
    writer.outputIntervalHistogram(hdr, startMs / 1000, (startMs + durationMs) / 1000, 1e6);
    hdr.tag = before;
  }
  return lines.join('');
}

/** The figures of a report. Percentiles are HdrHistogram's, cut off at the maximum, so that no percentile exceeds it. */
export function summarise(source: HdrHistogram | HistogramSnapshot | Histogram): Summary {
  const of = isHdr(source) ? hdrFigures(source) : sparseFigures(sparse(source));
  const at = (percentile: number) => Math.min(of.max, of.at(percentile));
  return {
    count: of.count,
    min: of.min,
    mean: of.mean,
    p50: at(50),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    p999: at(99.9),
    max: of.max,
  };
}

interface Figures {
  count: number;
  min: number;
  mean: number;
  max: number;
  at(percentile: number): number;
}

function hdrFigures(hdr: HdrHistogram): Figures {
  const count = hdr.totalCount;
  return {
    count,
    min: minOf(hdr),
    // hdr-histogram-js takes milliseconds for its own.
    mean: count === 0 ? 0 : fromHdr(hdr).sumNs / count,
    max: hdr.maxValue,
    at: (percentile) => hdr.getValueAtPercentile(percentile),
  };
}

function sparseFigures(snapshot: HistogramSnapshot): Figures {
  const { count, minNs, maxNs, sumNs, indices, counts } = snapshot;
  return {
    count,
    min: minNs,
    mean: count === 0 ? 0 : sumNs / count,
    max: maxNs,
    at(percentile) {
      const rank = rankOf(percentile, count);
      let seen = 0;
      for (let i = 0; i < indices.length; i++) {
        seen += counts[i]!;
        if (seen >= rank) return highestOf(indices[i]!);
      }
      return 0;
    },
  };
}

function sparse(source: HistogramSnapshot | Histogram): HistogramSnapshot {
  return source instanceof Histogram ? source.snapshot() : source;
}

function isHdr(source: HdrHistogram | HistogramSnapshot | Histogram): source is HdrHistogram {
  return 'recordValueWithCount' in source;
}

// hdr-histogram-js knows the smallest value but zero only.
function minOf(hdr: HdrHistogram): number {
  if (hdr.totalCount === 0 || (hdr as JsHistogram).getCountAtIndex(0) > 0) return 0;
  return hdr.minNonZeroValue;
}
