import type { Availability } from '../../result/result.js';
import { formatElapsed, formatPercent } from '../../result/units.js';

/** A target's availability in a line: `51.2 %, 3.9 s down; sessions ready 50 %`; null where it was not watched. */
export function availabilityText(availability: Availability | undefined): string | null {
  if (availability === undefined) return null;
  const { share, downMs, unobservedMs, sessionsReady, gone } = availability;
  if (share === null) return 'not observed: nothing was wanted of the target';
  return [
    formatPercent(share),
    downMs > 0 ? `, ${formatElapsed(downMs)} down${gone === null ? '' : ' and gone for good'}` : '',
    unobservedMs >= 50 ? `, ${formatElapsed(unobservedMs)} not observed` : '',
    sessionsReady !== null && sessionsReady < 1
      ? `; sessions ready ${formatPercent(sessionsReady)} of the time`
      : '',
  ].join('');
}
