import { responseEnds } from '../../result/facts.js';
import type { RunResult, ThresholdResult } from '../../result/result.js';
import { formatAmount } from '../../result/units.js';

/** A line below the table of several runs: a threshold over all of them, or what was wrong with some. */
export interface RepetitionNote {
  readonly state: 'good' | 'bad' | 'doubt';
  readonly text: string;
}

const mostDetails = 5;

/** Which thresholds were missed, and in which runs; how many runs were suspect, or disturbed in part; which did not come to their end. */
export function repetitionNotes(results: readonly RunResult[]): RepetitionNote[] {
  const rules = new Map<string, Map<number, ThresholdResult>>();
  for (const [at, { thresholds }] of results.entries())
    for (const threshold of thresholds) {
      const key = `${threshold.metric} ${threshold.rule}`;
      rules.set(key, (rules.get(key) ?? new Map<number, ThresholdResult>()).set(at + 1, threshold));
    }
  return [
    ...[...rules].map(([rule, byRun]) => thresholdNote(rule, byRun)),
    ...runsNote(results, 'doubt', 'suspect', ({ validity }) =>
      validity.state === 'suspect' ? (validity.reasons[0]?.message ?? '') : null,
    ),
    ...runsNote(results, 'doubt', 'disturbed', disturbedIn),
    ...runsNote(results, 'bad', 'cut short', ({ ended }) => (ended === 'complete' ? null : ended)),
  ];
}

/** What of a run that is not suspect the generator may have moved; null where all holds. */
function disturbedIn({ metrics, validity }: RunResult): string | null {
  if (validity.state === 'suspect') return null;
  const moved = responseEnds(metrics['call.response']).filter(({ disturbed }) => disturbed);
  return moved.length === 0 ? null : `${moved.map(({ title }) => title).join(', ')} of call.response`;
}

function thresholdNote(rule: string, byRun: ReadonlyMap<number, ThresholdResult>): RepetitionNote {
  for (const [state, shown, word] of [
    ['fail', 'bad', 'missed'],
    ['undecided', 'doubt', 'undecided'],
  ] as const) {
    const found = [...byRun].filter(([, each]) => each.state === state);
    if (found.length === 0) continue;
    const details = found
      .slice(0, mostDetails)
      .map(([, { detail }]) => detail.replace(/(: missed by|, and without|, but) .*$/, ''));
    const more = found.length > mostDetails ? ', …' : '';
    const runs = whichRuns(
      found.map(([run]) => run),
      byRun.size,
    );
    return { state: shown, text: `${rule}: ${word} in ${runs}: ${details.join(', ')}${more}` };
  }
  return { state: 'good', text: `${rule}: held in ${whichRuns([], byRun.size)}` };
}

function runsNote(
  results: readonly RunResult[],
  state: RepetitionNote['state'],
  what: string,
  why: (result: RunResult) => string | null,
): RepetitionNote[] {
  const found = results.flatMap((result, at) => {
    const reason = why(result);
    return reason === null ? [] : [{ run: at + 1, reason }];
  });
  if (found.length === 0) return [];
  const runs = found.map(({ run }) => run);
  const verb = found.length === 1 ? 'was' : 'were';
  const first = found[0]!.reason;
  const others = found.some(({ reason }) => reason !== first) ? ` (run ${runs[0]})` : '';
  return [{ state, text: `${whichRuns(runs, results.length)} ${verb} ${what}: ${first}${others}` }];
}

/** `all 5 runs`, `run 2 of 5`, `3 of 5 runs (1, 3, 4)`. */
function whichRuns(runs: readonly number[], of: number): string {
  if (runs.length === 0 || runs.length === of) return of === 1 ? 'the run' : `all ${formatAmount(of, 'run')}`;
  if (runs.length === 1) return `run ${runs[0]} of ${of}`;
  const list = runs.slice(0, 20).join(', ') + (runs.length > 20 ? ', …' : '');
  return `${runs.length} of ${formatAmount(of, 'run')} (${list})`;
}
