import { type MetricKey, parseMetricKey } from '../stats/metric-key.js';
import type { ThresholdPlan } from '../scenario/plan.js';
import { parseThresholdRule, type ThresholdRule } from '../scenario/threshold-rule.js';
import { decodeV2, fromHdr } from '../stats/hdr.js';
import { Histogram, type HistogramSnapshot } from '../stats/histogram.js';
import { type EdgedTimes, type Ends, meanEnds, minEnds, type Pauses, percentileEnds } from './disturbance.js';
import type { Interval, ThresholdResult } from './result.js';
import { formatCount, formatDuration, formatPercent, formatRate } from './units.js';

/** What thresholds are asked of: a finished run, or one that is still going on. */
export interface ThresholdSubject {
  /** The times of a metric; null where none were taken. */
  times(key: MetricKey): EdgedTimes | null;
  /** What the generator slept through meanwhile. */
  pauses(key: MetricKey): Pauses;
  /** Calls, or sessions for the handshake's metrics, by how they ended. */
  counts(key: MetricKey): { started: number; ok: number; failed: number };
  /** How long it measured, for rates. */
  durationMs(key: MetricKey): number;
  /** For how long the target was up and down; null where that was not watched. */
  availability(): TimeUpAndDown | null;
  /** Whole seconds of the measurement, of one phase where the key names one. */
  intervals(key: MetricKey): readonly Interval[];
  /** Why the server was not offered what it should have been, so that what it did under less proves nothing; null where it was. */
  lessLoad(key: MetricKey): LessLoad | null;
}

/** Too little load: calls of an open loop that were never sent, or a closed loop whose generator could do no more. */
export interface LessLoad {
  readonly cause: 'not sent' | 'generator';
  readonly message: string;
}

export interface TimeUpAndDown {
  readonly upMs: number;
  readonly downMs: number;
}

/** What a rule found: null where there is nothing to judge by. Infinity: it falls among the failed. */
type Found = Ends | null;

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
    const byFigures = found === null ? 'fail' : stateOf(found, parsed);
    const lessLoad = found === null ? null : whyNot(byFigures, parsed, key, subject.lessLoad(key));
    const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
    return {
      metric,
      rule,
      value: found === null ? null : finite(found.seen),
      ...(found === null || found.low === found.high
        ? {}
        : { low: finite(found.low), high: finite(found.high) }),
      limit: parsed.limit,
      state: lessLoad === null ? byFigures : 'undecided',
      abortOnFail,
      detail:
        lessLoad === null ? explain(found, parsed, byFigures) : `${shown(found!, parsed)}, but ${lessLoad}`,
    };
  });
}

/** What a threshold came to by its figures alone, however much of the load was sent. */
export function stateByFigures({ rule, value, low, high }: ThresholdResult): ThresholdResult['state'] {
  const figure = (kept: number | null): number => kept ?? Infinity;
  const seen = figure(value);
  const ends = {
    seen,
    low: low === undefined ? seen : figure(low),
    high: high === undefined ? seen : figure(high),
  };
  return stateOf(ends, parseThresholdRule(rule));
}

/** Decided where both ends say the same. */
function stateOf({ low, high }: Ends, rule: ThresholdRule): ThresholdResult['state'] {
  const exact = rule.operator === '==' || rule.operator === '!=';
  if (exact && low < rule.limit && rule.limit < high) return 'undecided';
  const [atLow, atHigh] = [holds(low, rule), holds(high, rule)];
  return atLow !== atHigh ? 'undecided' : atLow ? 'pass' : 'fail';
}

/** Why a rule that the figures decide is left undecided: a server that was offered less has neither passed nor, for want of calls, failed. */
function whyNot(
  state: ThresholdResult['state'],
  rule: ThresholdRule,
  { name }: MetricKey,
  lessLoad: LessLoad | null,
): string | null {
  if (lessLoad === null) return null;
  const upward = rule.operator === '<' || rule.operator === '<=';
  const passedTooLightly = state === 'pass' && upward && /^(call|queue)\./.test(name);
  const tooFewAsked = state === 'fail' && !upward && name === 'calls' && lessLoad.cause === 'generator';
  return passedTooLightly || tooFewAsked ? lessLoad.message : null;
}

function measure(rule: ThresholdRule, key: MetricKey, subject: ThresholdSubject): Found {
  if (key.name === 'availability') return shareUp(subject.availability());
  const counts = subject.counts(key);
  if (key.name === 'errors') return counts.started === 0 ? null : exactly(errorsOf(rule, counts));
  if (key.name === 'calls') {
    const durationMs = subject.durationMs(key);
    if (rule.measure === 'count') return exactly(counts.ok);
    return durationMs > 0 ? exactly((counts.ok * 1000) / durationMs) : null;
  }
  const failed = countsFailures(key) ? counts.failed : 0;
  return measureTimes(rule, subject.times(key), failed, subject.pauses(key));
}

function exactly(value: number): Ends {
  return { seen: value, low: value, high: value };
}

function shareUp(time: TimeUpAndDown | null): Found {
  return time === null || time.upMs + time.downMs === 0
    ? null
    : exactly(time.upMs / (time.upMs + time.downMs));
}

function errorsOf(rule: ThresholdRule, { started, failed }: { started: number; failed: number }): number {
  return rule.measure === 'count' ? failed : failed / started;
}

function measureTimes(rule: ThresholdRule, times: EdgedTimes | null, failed: number, pauses: Pauses): Found {
  const count = times?.seen.count ?? 0;
  if (rule.measure === 'count') return exactly(count);
  if (count + failed === 0) return null;
  if (times === null || count === 0) return exactly(Infinity);
  switch (rule.measure) {
    case 'percentile':
      return percentileEnds(times, failed, rule.percentile!, pauses);
    case 'max':
      return failed > 0 ? exactly(Infinity) : percentileEnds(times, 0, 100, pauses);
    case 'min':
      return minEnds(times, pauses);
    default:
      return meanEnds(times, failed, pauses);
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
  const pauses = subject.pauses(key);
  const upward = rule.operator === '<' || rule.operator === '<=';
  const worse = upward ? Math.max : Math.min;
  let worst: Found = null;
  for (let end = seconds; end <= intervals.length; end++) {
    const found = measureWindow(rule, key, intervals.slice(end - seconds, end), pauses);
    // Nobody looked meanwhile: that says nothing of the server, and the rule judges the stretches that were seen.
    if (found === null && key.name === 'availability') continue;
    if (found === null) return null;
    if ((rule.operator === '==' || rule.operator === '!=') && stateOf(found, rule) !== 'pass') return found;
    worst =
      worst === null
        ? found
        : {
            seen: worse(worst.seen, found.seen),
            low: worse(worst.low, found.low),
            high: worse(worst.high, found.high),
          };
  }
  return worst;
}

// Windows overlap, and decoding takes a tenth of a millisecond: an hour in windows of a minute would be half a minute's work.
const decoded = new WeakMap<Interval, { seen: HistogramSnapshot; least: HistogramSnapshot }>();

function responseTimes(interval: Interval): { seen: HistogramSnapshot; least: HistogramSnapshot } | null {
  const { hdr, leastHdr } = interval.metrics['call.response'] ?? {};
  if (hdr === undefined) return null;
  let times = decoded.get(interval);
  if (times === undefined) {
    const seen = fromHdr(decodeV2(hdr));
    times = { seen, least: leastHdr === undefined ? seen : fromHdr(decodeV2(leastHdr)) };
    decoded.set(interval, times);
  }
  return times;
}

function measureWindow(
  rule: ThresholdRule,
  key: MetricKey,
  intervals: readonly Interval[],
  pauses: Pauses,
): Found {
  const sum = (pick: (interval: Interval) => number): number =>
    intervals.reduce((total, each) => total + pick(each), 0);
  if (key.name === 'availability')
    return shareUp({
      upMs: sum(({ totals }) => totals.upMs ?? 0),
      downMs: sum(({ totals }) => totals.downMs ?? 0),
    });
  const failed = sum(({ totals }) => totals.failed + totals.notSent);
  const ok = sum(({ totals }) => totals.ok);
  if (key.name === 'errors')
    return ok + failed === 0 ? null : exactly(errorsOf(rule, { started: ok + failed, failed }));
  if (key.name === 'calls') {
    return exactly(rule.measure === 'count' ? ok : (ok * 1000) / sum(({ durationMs }) => durationMs));
  }
  const [seen, least] = [new Histogram(), new Histogram()];
  for (const interval of intervals) {
    const one = responseTimes(interval);
    if (one === null) continue;
    seen.add(one.seen);
    least.add(one.least);
  }
  const times = { seen: seen.snapshot(), least: least.snapshot(), most: null };
  return measureTimes(rule, times, failed, pauses);
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

function explain(found: Found, rule: ThresholdRule, state: ThresholdResult['state']): string {
  if (found === null) return 'no samples to judge by';
  const { seen, low, high } = found;
  if (state === 'undecided') {
    const least = format(low, rule);
    const most = high === Infinity ? 'failed' : format(high, rule);
    return `${shown(found, rule)}, and without the generator's own part anything from ${least} to ${most}: the limit lies between`;
  }
  if (seen === Infinity) return 'falls among the failed calls, which count as slower than any other';
  if (state === 'pass') return shown(found, rule);
  const distance = Math.abs(seen - rule.limit);
  const missed = `${shown(found, rule)}: missed by`;
  // Percentage points, and no per cent of per cents.
  if (rule.unit === 'share') return `${missed} ${formatPercent(distance).replace('%', 'pp')}`;
  const share = rule.limit === 0 ? '' : `, ${formatPercent(distance / rule.limit)}`;
  return `${missed} ${format(distance, rule)}${share}`;
}

function shown({ seen }: Ends, rule: ThresholdRule): string {
  const where = rule.windowNs === null ? '' : ` in its worst ${rule.windowNs / 1e9} s`;
  return `${seen === Infinity ? 'among the failed calls' : format(seen, rule)}${where}`;
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
