import { compareRuns, type CompareOptions } from '../../compare/compare-runs.js';
import { refusalsOf } from '../../compare/comparability.js';
import { checkToolGates } from '../../compare/gates.js';
import { levelsForLook, nothingSpent, spend } from '../../compare/look-levels.js';
import { repeatedFigures } from '../../compare/repeated-figures.js';
import { ExitCode, Failure } from '../../failure.js';
import { repetitionNotes } from '../../report/run/repetition-notes.js';
import { markdownRepetitions, terminalRepetitions } from '../../report/run/repetitions.js';
import type { RunResult } from '../../result/result.js';
import { exitCodeOf, type RunVerdict } from '../../result/run-verdict.js';
import { formatRate } from '../../result/units.js';
import { latencyText } from '../../report/run/latency-text.js';
import type { Plan } from '../../scenario/plan.js';
import { addStepSummary, inActions, printForActions } from '../actions.js';
import type { ComparisonFlags } from '../flags/comparison-flags.js';
import { knownVariation, parseComparisonFlags } from '../flags/read-comparison-flags.js';
import type { RepeatFlags } from '../flags/repeat-flags.js';
import { parseReportFiles } from '../reports/report-files.js';
import { readResults, type StoredResult } from '../reports/result-files.js';
import { comparisonKinds } from '../reports/comparison-kinds.js';
import { showComparison, type ComparedRuns } from '../reports/show-comparison.js';
import { tell } from '../tell.js';

/** One run of several, finished and stored. */
export interface FinishedRun {
  result: RunResult;
  path: string;
  verdict: RunVerdict;
}

/** What of the flags was understood, before anything has run. */
export interface Repetition {
  runs: number;
  most: number;
  compare: CompareOptions;
  baseline: StoredResult[];
  reports: ReturnType<typeof parseReportFiles<(typeof comparisonKinds)[number]>>;
}

/** Reads the flags and the baseline; whatever is wrong with them, or cannot be compared with the plan, is said before an hour has been spent. */
export function planRepetition(flags: RepeatFlags, plan: Plan): Repetition {
  const { repeat, maxRuns, baseline, untilConclusive } = flags;
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > 1000)
    throw new Failure(`--repeat: expected a whole number from 1 to 1000, found ${repeat}.`);
  if (maxRuns !== undefined && !(Number.isInteger(maxRuns) && maxRuns >= repeat && maxRuns <= 1000))
    throw new Failure(
      `--max-runs: expected a whole number from ${repeat} (--repeat) to 1000, found ${maxRuns}.`,
    );
  for (const [name, value] of [
    ['--until-conclusive', untilConclusive],
    ['--comparison-report', flags.comparisonReport],
  ] as const)
    if (value && baseline === undefined)
      throw new Failure(`${name} needs something to compare with: add --baseline FILES.`);
  if (!Number.isInteger(flags.rerunDisturbed) || flags.rerunDisturbed < 0 || flags.rerunDisturbed > 100)
    throw new Failure(
      `--rerun-disturbed: expected a whole number from 0 to 100, found ${flags.rerunDisturbed}.`,
    );
  if (maxRuns !== undefined && !untilConclusive)
    throw new Failure('--max-runs is the end of --until-conclusive: add that, or use --repeat alone.');
  const stored = readResults(baseline ?? []);
  checkBaseline(stored, plan);
  const compare = parseComparisonFlags(flags);
  const tools = plan.operations.map(({ name }) => name);
  checkToolGates(compare.gates ?? [], tools.length > 1 ? tools : []);
  return {
    runs: repeat,
    most: untilConclusive ? (maxRuns ?? 3 * repeat) : repeat,
    compare,
    baseline: stored,
    reports: parseReportFiles(flags.comparisonReport, comparisonKinds, '--comparison-report'),
  };
}

/** Runs as often as asked for, summarises, compares, and returns the one exit code of it all. */
export async function repeatRuns(
  repetition: Repetition,
  flags: RepeatFlags & { quiet: boolean },
  colour: boolean,
  runOnce: (number: number, of: number) => Promise<FinishedRun>,
): Promise<number> {
  const { runs, most, baseline } = repetition;
  const finished: FinishedRun[] = [];
  const looks = Math.max(1, Math.floor(most / runs));
  const spent = nothingSpent();
  for (let look = 1; ; look++) {
    await runBatch(finished, look * runs, flags.quiet, runOnce);
    const cut = finished.some(({ result }) => result.ended !== 'complete');
    if (baseline.length === 0 || cut) {
      if (runs > 1) showRepetitions(finished, flags.quiet, colour);
      return exitCodeOf(...finished.map(({ verdict }) => verdict));
    }
    const levels = levelsForLook(looks, spent);
    const compared = compare(repetition, flags, finished, levels);
    if (compared.comparison.outcome === 'inconclusive' && look < looks) {
      spend(spent, levels, baseline.length, finished.length);
      if (!flags.quiet) tell(`inconclusive after ${finished.length} runs, ${runs} more`);
      continue;
    }
    if (finished.length > 1) showRepetitions(finished, flags.quiet, colour);
    const shown = showComparison(compared, { reports: repetition.reports, quiet: flags.quiet, colour });
    return exitCodeOf(...finished.map(({ verdict }) => verdict), shown);
  }
}

async function runBatch(
  finished: FinishedRun[],
  until: number,
  quiet: boolean,
  runOnce: (number: number, of: number) => Promise<FinishedRun>,
): Promise<void> {
  while (finished.length < until) {
    const one = await runOnce(finished.length + 1, until);
    finished.push(one);
    if (!quiet && until > 1) tell(progressLine(one, finished.length, until));
    if (one.result.ended !== 'complete') return;
  }
}

function progressLine({ result, path }: FinishedRun, number: number, of: number): string {
  const latency = latencyText(result);
  const doubt = result.validity.state === 'suspect' ? ', suspect' : '';
  return `run ${number} of ${of}: ${latency}${latency && ', '}${formatRate(result.totals.callsPerSec)} calls/s${doubt} (${path})`;
}

function compare(
  { compare, baseline }: Repetition,
  flags: ComparisonFlags,
  finished: readonly FinishedRun[],
  levels: NonNullable<CompareOptions['levels']>,
): ComparedRuns {
  const base = baseline.map(({ result }) => result);
  const head = finished.map(({ result }) => result);
  const comparison = compareRuns(base, head, {
    ...compare,
    levels,
    known: knownVariation(flags, [...base, ...head]),
    labels: { base: 'baseline', head: 'now' },
    paths: { base: baseline.map(({ path }) => path), head: finished.map(({ path }) => path) },
  });
  return { comparison, base, head };
}

function showRepetitions(finished: readonly FinishedRun[], quiet: boolean, colour: boolean): void {
  const results = finished.map(({ result }) => result);
  const measured = results.filter(({ totals }) => totals.started > 0);
  if (measured.length === 0) return;
  const figures = repeatedFigures(measured);
  const notes = repetitionNotes(results);
  const name = measured[0]!.name;
  const width = process.stdout.columns ?? 100;
  if (!quiet) printForActions(terminalRepetitions(name, measured.length, figures, notes, { colour, width }));
  if (inActions()) addStepSummary(markdownRepetitions(name, measured.length, figures, notes));
}

/** A baseline that cannot be compared with what is about to run, as far as that is known already. */
function checkBaseline(stored: readonly StoredResult[], plan: Plan): void {
  const [first] = stored;
  if (first === undefined) return;
  const expected: RunResult = {
    ...first.result,
    scenario: plan,
    scenarioHash: plan.scenarioHash,
    seed: plan.seed,
    validity: { state: 'valid', reasons: [], warnings: [] },
    ended: 'complete',
  };
  const refusals = refusalsOf({ base: stored.map(({ result }) => result), head: [expected] });
  if (refusals.length > 0)
    throw new Failure(
      `the baseline cannot be compared with this run: ${refusals.map(({ message }) => message).join(' ')} Make a new baseline, or run as the baseline did.`,
      ExitCode.invalid,
    );
}
