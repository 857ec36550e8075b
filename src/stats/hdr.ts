import {
  HistogramLogWriter,
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
} from 'hdr-histogram-js';
import type { Histogram as HdrHistogram, JsHistogram } from 'hdr-histogram-js';
import { bucketOf, highestOf, lowestOf, maxValueNs } from './bucket-layout.js';
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

/** The same contents as an hdr-histogram-js histogram, of 3 significant digits or fewer; the minimum and maximum stay exact. */
export function toHdr(source: HistogramSnapshot | Histogram, significantDigits: 1 | 2 | 3 = 3): HdrHistogram {
  const { indices, counts, minNs, maxNs } = sparse(source);
  const hdr = build({
    // Counts in doubles: 32 bits would overflow in a long soak.
    bitBucketSize: 64,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: maxValueNs,
    numberOfSignificantValueDigits: significantDigits,
    useWebAssembly: false,
  });
  // Where a value stands within its bucket makes no difference but to the minimum and maximum, which are known.
  const last = indices.length - 1;
  for (let i = 0; i <= last; i++) {
    const value = i === last ? maxNs : Math.max(minNs, lowestOf(indices[i]!));
    hdr.recordValueWithCount(value, counts[i]!);
  }
  if (last === 0 && minNs < maxNs) {
    hdr.reset();
    hdr.recordValueWithCount(maxNs, counts[0]! - 1);
    hdr.recordValue(minNs);
  }
  return hdr;
}

/** The contents of an hdr-histogram-js histogram; exact for 3 significant digits, otherwise as exact as it is. */
export function fromHdr(hdr: HdrHistogram): HistogramSnapshot {
  const source = hdr as JsHistogram;
  const counts = new Map<number, number>();
  // Summed here, as HdrHistogram does it: its own `mean` walks an iterator at 16 ms a histogram.
  let sumNs = 0;
  for (let i = 0; i < source.countsArrayLength; i++) {
    const count = source.getCountAtIndex(i);
    if (count === 0) continue;
    sumNs += count * source.medianEquivalentValue(source.valueFromIndex(i));
    const bucket = bucketOf(Math.min(maxValueNs, source.highestEquivalentValue(source.valueFromIndex(i))));
    counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  }
  return {
    indices: Uint32Array.from(counts.keys()),
    counts: Float64Array.from(counts.values()),
    count: hdr.totalCount,
    minNs: minOf(hdr),
    maxNs: hdr.maxValue,
    sumNs,
    saturated: 0,
  };
}

/** HdrHistogram's V2 encoding, compressed, base64; takes 0.2 to 0.5 ms, so never in a worker. */
export function encodeV2(
  source: HdrHistogram | HistogramSnapshot | Histogram,
  significantDigits: 1 | 2 | 3 = 3,
): string {
  return encodeIntoCompressedBase64(isHdr(source) ? source : toHdr(source, significantDigits));
}

/** Reads what `encodeV2`, or any other HdrHistogram, wrote; throws where the text is something else. */
export function decodeV2(text: string): HdrHistogram {
  return decodeFromCompressedBase64(text, 64);
}

/** A histogram log that HdrHistogram's tools read: values in ns, the times and the maximum column in s and ms. */
export function writeHlog(startedAtMs: number, intervals: Iterable<HlogInterval>): string {
  const lines: string[] = [];
  const writer = new HistogramLogWriter((line) => lines.push(line));
  writer.outputLogFormatVersion();
  const startedAtSec = (startedAtMs / 1000).toFixed(3);
  writer.outputComment(
    `[StartTime: ${startedAtSec} (seconds since epoch), ${new Date(startedAtMs).toISOString()}]`,
  );
  writer.outputComment(`[BaseTime: ${startedAtSec} (seconds since epoch)]`);
  writer.outputLegend();
  for (const { startMs, durationMs, tag, histogram } of intervals) {
    const hdr = isHdr(histogram) ? histogram : toHdr(histogram);
    const before = hdr.tag;
    // A comma or a blank would end the field.
    if (tag !== undefined) hdr.tag = tag.replace(/[,\s]+/g, '_');
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
    mean: count === 0 ? 0 : hdr.mean,
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
  if (hdr.totalCount === 0 || hdr.getValueAtPercentile(0) === 0) return 0;
  return hdr.minNonZeroValue;
}
