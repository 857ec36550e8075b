import { parseMetricKey } from '../stats/metric-key.js';
import { ExitCode } from '../failure.js';
import { stateByFigures } from './evaluate-thresholds.js';
import { responseEnds } from './facts.js';
import type { RunResult } from './result.js';
import { exitCodeOf, judgeRun } from './run-verdict.js';

/**
 * Why a run does not give what it was made for, because of the generator; null where it does, and where it failed for another reason. Wanted are
 * the figures that thresholds and gates ask for; where nothing does, p50, p90 and p99 of call.response, as far as there are enough samples for them.
 */
export function disturbedWanted(result: RunResult, gates: readonly string[] | null): string | null {
  const { validity, thresholds, ended } = result;
  if (ended !== 'complete') return null;
  // A server that is gone is not there a second time, and that it went is what the run found.
  if (exitCodeOf(judgeRun(result)) === ExitCode.runFailed) return null;
  if (validity.state === 'suspect') return validity.reasons[0]?.message ?? 'the run is suspect';
  // Others are undecided since less was sent than was due: that may be the server's doing.
  const undecided = thresholds.find(
    (each) => each.state === 'undecided' && stateByFigures(each) === 'undecided',
  );
  if (undecided !== undefined)
    return `${undecided.metric} ${undecided.rule} is undecided: ${undecided.detail}`;
  if (thresholds.length > 0 && gates === null) return null;
  const moved = disturbedOf(result, gates ?? ['p50', 'p90', 'p99']);
  return moved.length === 0
    ? null
    : `${moved.join(', ')} of call.response ${moved.length === 1 ? 'is' : 'are'} disturbed`;
}

/** Those of the wanted percentiles, `p50` or `search p50`, that the generator may have moved. */
function disturbedOf({ metrics }: RunResult, wanted: readonly string[]): string[] {
  return Object.entries(metrics).flatMap(([key, metric]) => {
    const { name, tool, phase } = parseMetricKey(key);
    if (name !== 'call.response' || phase !== null) return [];
    return responseEnds(metric)
      .filter(({ disturbed }) => disturbed)
      .map(({ title }) => (tool === null ? title : `${tool} ${title}`))
      .filter((each) => wanted.includes(each));
  });
}
