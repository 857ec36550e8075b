import { type MetricKey, parseMetricKey } from '../scenario/metric-key.js';
import type { ThresholdPlan } from '../scenario/plan.js';
import { parseThresholdRule, type ThresholdRule } from '../scenario/threshold-rule.js';
import { decodeV2, fromHdr } from '../stats/hdr.js';
import { Histogram, type HistogramSnapshot } from '../stats/histogram.js';
import { percentileWithFailures } from './percentile-needs.js';
import type { Interval, ThresholdResult } from './result.js';
import { formatCount, formatDuration, formatPercent, formatRate } from './units.js';

/** What thresholds are asked of: a finished run, or one that is still going on. */
export interface ThresholdSubject {
  /** The times of a metric; null where none were taken. */
  histogram(key: MetricKey): HistogramSnapshot | null;
  /** Calls, or sessions for the handshake's metrics, by how they ended. */
  counts(key: MetricKey): { started: number; ok: number; failed: number };
  /** How long it measured, for rates. */
  durationMs(key: MetricKey): number;
  /** Whole seconds of the measurement, of one phase where the key names one. */
  intervals(key: MetricKey): readonly Interval[];
}

/** What a rule found: null where there is nothing to judge by. Infinity: it falls among the failed. */
type Found = number | null;

/** Judges every threshold; one without samples fails. */
export function evaluateThresholds(
  thresholds: readonly ThresholdPlan[],
  subject: ThresholdSubject,
): ThresholdResult[] {
  return thresholds.map(({ metric, rule, abortOnFail }) => {
    const key = parseMetricKey(metric);
    const parsed = parseThresholdRule(rule);
    const found =
      parsed.windowNs === null ? measure(parsed, key, subject) : worstWindow(parsed, key, subject);
    const pass = found !== null && holds(found, parsed);
    return {
      metric,
      rule,
      value: found === null || !Number.isFinite(found) ? null : found,
      limit: parsed.limit,
      pass,
      abortOnFail,
      detail: explain(found, parsed, pass),
    };
  });
}

function measure(rule: ThresholdRule, key: MetricKey, subject: ThresholdSubject): Found {
  const counts = subject.counts(key);
  if (key.name === 'errors') return counts.started === 0 ? null : errorsOf(rule, counts);
  if (key.name === 'calls') {
    const durationMs = subject.durationMs(key);
    if (rule.measure === 'count') return counts.ok;
    return durationMs > 0 ? (counts.ok * 1000) / durationMs : null;
  }
  const failed = countsFailures(key) ? counts.failed : 0;
  return measureTimes(rule, subject.histogram(key), failed);
}

function errorsOf(rule: ThresholdRule, { started, failed }: { started: number; failed: number }): number {
  return rule.measure === 'count' ? failed : failed / started;
}

function measureTimes(rule: ThresholdRule, times: HistogramSnapshot | null, failed: number): Found {
  const count = times?.count ?? 0;
  if (rule.measure === 'count') return count;
  if (count + failed === 0) return null;
  if (times === null || count === 0) return Infinity;
  switch (rule.measure) {
    case 'percentile':
      return percentileWithFailures(times, failed, rule.percentile!);
    case 'max':
      return failed > 0 ? Infinity : times.maxNs;
    case 'min':
      return times.minNs;
    default:
      // What a failed call took says nothing; as slow as the slowest is the least it can count for.
      return (times.sumNs + failed * times.maxNs) / (count + failed);
  }
}

// A call that failed waited for nothing good: it is slower than any that did not. Times of the generator have no failures.
function countsFailures({ name }: MetricKey): boolean {
  return name.startsWith('call.') || name.startsWith('handshake.');
}

/** The stretch in which the rule came off worst; null where no stretch is long enough or has samples. */
function worstWindow(rule: ThresholdRule, key: MetricKey, subject: ThresholdSubject): Found {
  const seconds = rule.windowNs! / 1e9;
  const intervals = subject.intervals(key);
  const upward = rule.operator === '<' || rule.operator === '<=';
  let worst: Found = null;
  for (let end = seconds; end <= intervals.length; end++) {
    const found = measureWindow(rule, key, intervals.slice(end - seconds, end));
    if (found === null) return null;
    if ((rule.operator === '==' || rule.operator === '!=') && !holds(found, rule)) return found;
    if (worst === null || (upward ? found > worst : found < worst)) worst = found;
  }
  return worst;
}

// Windows overlap, and decoding takes a tenth of a millisecond: an hour in windows of a minute would be half a minute's work.
const decoded = new WeakMap<Interval, HistogramSnapshot>();

function responseTimes(interval: Interval): HistogramSnapshot | null {
  const hdr = interval.metrics['call.response']?.hdr;
  if (hdr === undefined) return null;
  let times = decoded.get(interval);
  if (times === undefined) decoded.set(interval, (times = fromHdr(decodeV2(hdr))));
  return times;
}

function measureWindow(rule: ThresholdRule, key: MetricKey, intervals: readonly Interval[]): Found {
  const sum = (pick: (interval: Interval) => number): number =>
    intervals.reduce((total, each) => total + pick(each), 0);
  const failed = sum(({ totals }) => totals.failed + totals.notSent);
  const ok = sum(({ totals }) => totals.ok);
  if (key.name === 'errors')
    return ok + failed === 0 ? null : errorsOf(rule, { started: ok + failed, failed });
  if (key.name === 'calls') {
    return rule.measure === 'count' ? ok : (ok * 1000) / sum(({ durationMs }) => durationMs);
  }
  const times = new Histogram();
  for (const interval of intervals) {
    const one = responseTimes(interval);
    if (one !== null) times.add(one);
  }
  return measureTimes(rule, times.snapshot(), failed);
}

function holds(found: number, { operator, limit }: ThresholdRule): boolean {
  switch (operator) {
    case '<':
      return found < limit;
    case '<=':
      return found <= limit;
    case '>':
      return found > limit;
    case '>=':
      return found >= limit;
    case '==':
      return found === limit;
    case '!=':
      return found !== limit;
  }
}

function explain(found: Found, rule: ThresholdRule, pass: boolean): string {
  if (found === null) return 'no samples to judge by';
  if (found === Infinity) return 'falls among the failed calls, which count as slower than any other';
  const shown = format(found, rule);
  const where = rule.windowNs === null ? '' : ` in its worst ${rule.windowNs / 1e9} s`;
  if (pass) return `${shown}${where}`;
  const distance = Math.abs(found - rule.limit);
  const share = rule.limit === 0 ? '' : `, ${formatPercent(distance / rule.limit)}`;
  return `${shown}${where}: missed by ${format(distance, rule)}${share}`;
}

function format(value: number, { unit }: ThresholdRule): string {
  switch (unit) {
    case 'ns':
      return formatDuration(value);
    case 'share':
      return formatPercent(value);
    case 'perSec':
      return `${formatRate(value)}/s`;
    case 'count':
      return formatCount(value);
  }
}
