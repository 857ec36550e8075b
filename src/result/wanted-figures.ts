import { responseEnds } from './facts.js';
import type { RunResult } from './result.js';

/**
 * Why a run does not give what it was made for, because of the generator; null where it does. Wanted are the figures that thresholds and gates
 * ask for; where nothing does, p50, p90 and p99 of call.response, as far as there are enough samples for them.
 */
export function disturbedWanted(result: RunResult, gates: readonly string[] | null): string | null {
  const { validity, thresholds, metrics, ended } = result;
  if (ended !== 'complete') return null;
  if (validity.state === 'suspect') return validity.reasons[0]?.message ?? 'the run is suspect';
  const undecided = thresholds.find(({ state }) => state === 'undecided');
  if (undecided !== undefined)
    return `${undecided.metric} ${undecided.rule} is undecided: ${undecided.detail}`;
  if (thresholds.length > 0 && gates === null) return null;
  const wanted = gates ?? ['p50', 'p90', 'p99'];
  const moved = responseEnds(metrics['call.response']).filter(
    ({ title, disturbed }) => disturbed && wanted.includes(title),
  );
  if (moved.length === 0) return null;
  return `${moved.map(({ title }) => title).join(', ')} of call.response ${moved.length === 1 ? 'is' : 'are'} disturbed`;
}
