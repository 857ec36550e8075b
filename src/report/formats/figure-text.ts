import { formatDuration, formatPercent, formatRate } from '../../result/units.js';

/** A figure with its unit: a latency, a rate or a share; `failed` where a percentile falls among failed calls. */
export function figureText(unit: 'ns' | 'perSec' | 'share', value: number): string {
  if (value === Infinity) return 'failed';
  if (unit === 'share') return formatPercent(value);
  return unit === 'ns' ? formatDuration(value) : `${formatRate(value)}/s`;
}
