import type { Interval, IntervalMetric } from '../../../result/result.js';
import { decodeV2, fromHdr, summarise } from '../../../stats/hdr.js';
import { Histogram, type HistogramSnapshot } from '../../../stats/histogram.js';

/** A stretch of a run: an interval, or several in a row taken together. */
export interface Frame {
  atMs: number;
  durationMs: number;
  started: number;
  ok: number;
  failed: number;
  notSent: number;
  /** At its end, as is `inFlight`. */
  sessionsReady: number;
  inFlight: number;
  /** null where no call ended ok. */
  response: Pick<IntervalMetric, 'count' | 'p50' | 'p99' | 'max'> | null;
  histogram: HistogramSnapshot | null;
}

/** Each interval as a frame; what is left of a second at the end goes to the frame before it, or its rate would stand out. */
export function framesOf(intervals: readonly Interval[]): Frame[] {
  const frames = intervals.map(frameOf);
  const [first, last] = [frames[0], frames.at(-1)];
  if (frames.length < 2 || last!.durationMs >= first!.durationMs / 2) return frames;
  return [...frames.slice(0, -2), joined(frames.slice(-2))];
}

/** The same stretch of time in at most so many frames of equal length. */
export function gatherFrames(frames: readonly Frame[], most: number): Frame[] {
  const size = Math.ceil(frames.length / most);
  if (size <= 1) return [...frames];
  return Array.from({ length: Math.ceil(frames.length / size) }, (_, at) =>
    joined(frames.slice(at * size, (at + 1) * size)),
  );
}

function frameOf({ atMs, durationMs, totals, metrics }: Interval): Frame {
  const { started, ok, failed, notSent, sessionsReady, inFlight } = totals;
  const response = metrics['call.response'];
  const some = response !== undefined && response.count > 0;
  return {
    atMs,
    durationMs,
    started,
    ok,
    failed,
    notSent,
    sessionsReady,
    inFlight,
    response: some ? response : null,
    histogram: some && response.hdr !== undefined ? fromHdr(decodeV2(response.hdr)) : null,
  };
}

function joined(frames: readonly Frame[]): Frame {
  const [first, last] = [frames[0]!, frames.at(-1)!];
  const sum = (of: (frame: Frame) => number): number => frames.reduce((total, frame) => total + of(frame), 0);
  const histogram = new Histogram();
  for (const frame of frames) if (frame.histogram) histogram.add(frame.histogram);
  return {
    atMs: first.atMs,
    durationMs: last.atMs + last.durationMs - first.atMs,
    started: sum(({ started }) => started),
    ok: sum(({ ok }) => ok),
    failed: sum(({ failed }) => failed),
    notSent: sum(({ notSent }) => notSent),
    sessionsReady: last.sessionsReady,
    inFlight: last.inFlight,
    response: histogram.count > 0 ? summarise(histogram) : null,
    histogram: histogram.count > 0 ? histogram.snapshot() : null,
  };
}
