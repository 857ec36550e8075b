import type { Availability, Note } from './result.js';
import { formatAmount, formatElapsed, formatPercent } from './units.js';

/** What there is to say where the target did not answer all the time; `startedAt` is when the measurement began, `lost` how many responses it dropped. */
export function unavailableFindings(availability: Availability | null, startedAt: string, lost = 0): Note[] {
  if (availability === null || availability.share === null || availability.downMs === 0) return [];
  const { share, upMs, downMs, longestDown, outages, downSinceMs, gone } = availability;
  const sum = `the server answered nothing for ${formatElapsed(downMs)} of the ${formatElapsed(upMs + downMs)} in which calls or sessions were wanted (availability ${formatPercent(share)})`;
  const at = (ms: number): string => new Date(Date.parse(startedAt) + ms).toISOString().slice(11, 19);
  if (gone !== null)
    return [
      note(
        'target-gone',
        `${sum}. It was gone for good from ${formatElapsed(downSinceMs!)} after the start, and accepted no connection afterwards (${gone}): it ended, crashed or was killed, or it hangs and accepts no connections. Check its log at ${at(downSinceMs!)} UTC.`,
      ),
    ];
  const { atMs, durationMs } = longestDown!;
  const stretches =
    outages === 1
      ? ''
      : `, in ${formatAmount(outages, 'stretch', 'stretches')}, the longest ${formatElapsed(durationMs)}`;
  const when = `from ${formatElapsed(atMs)} after the start (${at(atMs)} UTC)`;
  const meaning =
    downSinceMs === null
      ? 'Did it restart, hang or lose its connections? Check its log at that time.'
      : 'It had not come back at the end, although it accepted a connection then: is it hanging, or just restarting? Check its log.';
  const orLost =
    lost > 0
      ? ' Or did it only drop responses? While all calls in flight wait for dropped ones, it answers nothing.'
      : '';
  return [note('unavailable', `${sum}${stretches}, ${when}. ${meaning}${orLost}`)];
}

function note(code: string, message: string): Note {
  return { code, message };
}
