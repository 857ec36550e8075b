import type { RunResult } from '../../result/result.js';
import { formatAmount, formatDuration, formatRate } from '../../result/units.js';

type Load = RunResult['scenario']['phases'][number]['load'];

/** A load model in words: `800 calls/s`, `4 in flight per session`, `bursts of 8 per session every 1.00 s`. */
export function describeLoad(load: Load): string {
  switch (load.model) {
    case 'closed':
      return `${load.inFlight} in flight per session${load.thinkNs > 0 ? `, ${formatDuration(load.thinkNs)} between` : ''}`;
    case 'count':
      return `${formatAmount(load.calls, 'call')}, ${load.inFlight} in flight per session`;
    case 'burst':
      return `bursts of ${load.calls} per session every ${formatDuration(load.everyNs)}`;
    case 'rate':
      return `${formatRate(load.perSecond)} calls/s${arrivals(load.arrivals)}`;
    case 'ramp':
      return `${formatRate(load.fromPerSecond)} to ${formatRate(load.toPerSecond)} calls/s${arrivals(load.arrivals)}`;
    case 'steps':
      return `${load.steps.map((step) => formatRate(step.perSecond)).join(', ')} calls/s${arrivals(load.arrivals)}`;
  }
}

function arrivals(kind: string): string {
  return kind === 'poisson' ? ' (Poisson)' : '';
}
