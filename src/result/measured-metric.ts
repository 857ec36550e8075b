import { decodeV2, encodeV2, fromHdr, summarise } from '../stats/hdr.js';
import { type EdgedTimes, isDisturbed, type Pauses, percentileEnds } from './disturbance.js';
import { type Metric, percentileKeys, type Percentiles } from './result.js';

/** The metric that a result holds of some times; those whose ends are known say between which two figures the truth lies. */
export function measuredMetric(times: EdgedTimes, pauses: Pauses): Metric {
  const { seen, least, most } = times;
  const metric: Metric = { unit: 'ns', ...summarise(seen), hdr: encodeV2(seen) };
  if (least === null) return metric;
  const ends = percentileKeys.map(({ key, percentile }) => ({
    key,
    ...percentileEnds(times, 0, percentile, pauses),
  }));
  const pick = (end: 'low' | 'high'): Percentiles =>
    Object.fromEntries(ends.map((each) => [each.key, Math.round(each[end])])) as unknown as Percentiles;
  metric.low = pick('low');
  if (most !== null) metric.high = pick('high');
  metric.disturbed = ends.filter(isDisturbed).map(({ key }) => key);
  metric.leastHdr = encodeV2(least);
  if (most !== null) metric.mostHdr = encodeV2(most);
  return metric;
}

/** The times that a metric of a result was made from. */
export function timesOf({ hdr, leastHdr, mostHdr }: Metric): EdgedTimes {
  const decode = (text: string | undefined) => (text === undefined ? null : fromHdr(decodeV2(text)));
  return { seen: fromHdr(decodeV2(hdr)), least: decode(leastHdr), most: decode(mostHdr) };
}
