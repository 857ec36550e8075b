import { ExitCode } from '../failure.js';
import { failedCalls } from './conservation.js';
import type { RunResult } from './result.js';

/** What a run, or a comparison of runs, can come to; where several apply, the first in this list decides. */
const exitCodes = {
  interrupted: ExitCode.interrupted,
  /** A worker crashed, or the run could not go on for another reason of ours. */
  crashed: ExitCode.runFailed,
  /** The target did not answer any more at the end, and took no connection. */
  gone: ExitCode.runFailed,
  noCalls: ExitCode.runFailed,
  allFailed: ExitCode.runFailed,
  /** Calls and their outcomes do not add up. */
  miscounted: ExitCode.invalid,
  /** Cut short by a threshold that had failed by then, whatever the calls still in flight made of it. */
  aborted: ExitCode.thresholds,
  missed: ExitCode.thresholds,
  regression: ExitCode.regression,
  incomparable: ExitCode.invalid,
  /** With `--strict`: a threshold that the measurement could not decide. */
  undecided: ExitCode.invalid,
  /** With `--strict`: the measurement is in doubt. */
  suspect: ExitCode.invalid,
  passed: ExitCode.pass,
} as const;

export type Verdict = keyof typeof exitCodes;
export type RunVerdict = Exclude<Verdict, 'regression' | 'incomparable'>;

/** What a run came to. Its exit code, its headline and its JUnit report are all made from this. */
export function judgeRun(result: RunResult, { strict }: { strict: boolean } = { strict: false }): RunVerdict {
  const { started, outcomes, conserved, availability } = result.totals;
  if (result.ended === 'interrupted') return 'interrupted';
  if (result.ended === 'failed') return 'crashed';
  if (availability?.gone) return 'gone';
  if (started === 0) return 'noCalls';
  // A scenario may have all its calls cut off (`end: abandon`): those have not failed.
  if (outcomes.ok === 0 && failedCalls(outcomes) > 0) return 'allFailed';
  if (!conserved) return 'miscounted';
  if (result.ended === 'aborted') return 'aborted';
  if (result.thresholds.some(({ state }) => state === 'fail')) return 'missed';
  if (strict && result.thresholds.some(({ state }) => state === 'undecided')) return 'undecided';
  if (strict && result.validity.state === 'suspect') return 'suspect';
  return 'passed';
}

/** The exit code of one or more verdicts: that of the gravest. */
export function exitCodeOf(...verdicts: readonly Verdict[]): ExitCode {
  const gravest = (Object.keys(exitCodes) as Verdict[]).find((verdict) => verdicts.includes(verdict));
  return exitCodes[gravest ?? 'passed'];
}
