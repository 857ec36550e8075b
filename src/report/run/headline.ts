import { failedCalls } from '../../result/conservation.js';
import { responseEnds } from '../../result/facts.js';
import { whichHold } from '../../result/phase-doubt.js';
import type { RunResult } from '../../result/result.js';
import { judgeRun } from '../../result/run-verdict.js';
import { formatAmount, formatCount, formatElapsed, formatPercent } from '../../result/units.js';

export interface Headline {
  state: 'good' | 'doubt' | 'bad';
  word: string;
  text: string;
}

/** How the run came out, in a line: the first thing that every report says. */
export function outcomeHeadline(result: RunResult): Headline {
  switch (judgeRun(result)) {
    case 'interrupted':
      return { state: 'doubt', word: 'interrupted', text: partialText(result) };
    case 'crashed':
      return { state: 'bad', word: 'failed', text: partialText(result) };
    case 'gone':
      return { state: 'bad', word: 'failed', text: goneText(result) };
    case 'noCalls':
      return { state: 'bad', word: 'failed', text: 'no call was made' };
    case 'allFailed':
      return { state: 'bad', word: 'failed', text: wholeOrPartialText(result) };
    case 'miscounted':
      return {
        state: 'bad',
        word: 'invalid',
        text: `the outcomes do not add up to the calls started; ${wholeOrPartialText(result)}`,
      };
    case 'aborted':
      return { state: 'bad', word: 'aborted', text: partialText(result) };
    case 'missed':
      return { state: 'bad', word: 'failed', text: `${missedText(result)}; ${callsText(result)}` };
    case 'undecided':
    case 'suspect':
    case 'passed':
      return heldHeadline(result);
  }
}

function heldHeadline(result: RunResult): Headline {
  const { totals, thresholds } = result;
  const undecided = thresholds.filter(({ state }) => state === 'undecided').length;
  if (undecided > 0)
    return {
      state: 'doubt',
      word: 'undecided',
      text: `${formatCount(undecided)} of ${formatAmount(thresholds.length, 'threshold')} could not be decided; ${callsText(result)}`,
    };
  const held = thresholds.length > 0 ? `; ${heldText(thresholds.length)}` : '';
  return {
    state: failedCalls(totals.outcomes) > 0 ? 'doubt' : 'good',
    word: thresholds.length > 0 ? 'passed' : 'done',
    text: callsText(result) + held,
  };
}

/** Whether the figures may be believed, in a line. */
export function validityHeadline(result: RunResult): Headline {
  const { state, reasons, warnings } = result.validity;
  if (state === 'suspect')
    return {
      state: 'bad',
      word: 'suspect',
      text: `do not trust these figures: ${formatAmount(reasons.length, 'reason')} below`,
    };
  if (result.totals.started === 0) return { state: 'doubt', word: 'valid', text: 'but nothing was measured' };
  const response = responseEnds(result.metrics['call.response']);
  if (response.some(({ disturbed }) => disturbed)) {
    const none = response.every(({ disturbed }) => disturbed);
    return { state: 'doubt', word: 'valid', text: `${none ? 'but' : 'in part:'} ${whichHold(response)}` };
  }
  if (warnings.length > 0)
    return { state: 'doubt', word: 'valid', text: `with ${formatAmount(warnings.length, 'warning')} below` };
  return { state: 'good', word: 'valid', text: 'no sign that the generator distorted the figures' };
}

function callsText(result: RunResult): string {
  const { outcomes, started } = result.totals;
  const failed = failedCalls(outcomes);
  if (started > 0 && outcomes.ok === 0 && failed > 0) return `all ${formatAmount(failed, 'call')} failed`;
  const ok = `${formatAmount(outcomes.ok, 'call')} ok`;
  const others =
    failed === 0 ? 'none failed' : `${formatCount(failed)} failed (${formatPercent(failed / started)})`;
  const cut = outcomes.aborted > 0 ? `, ${formatCount(outcomes.aborted)} cut off by us` : '';
  return `${ok}, ${others}${cut}`;
}

function goneText(result: RunResult): string {
  const { availability, started } = result.totals;
  const when = `the target was gone from ${formatElapsed(availability!.downSinceMs!)} of ${formatElapsed(result.durationMs)} on`;
  const calls = started === 0 ? 'no call was made' : callsText(result);
  return [`${when} (${availability!.gone})`, missedText(result), calls].filter(Boolean).join('; ');
}

function wholeOrPartialText(result: RunResult): string {
  return result.ended === 'complete' ? callsText(result) : partialText(result);
}

function partialText(result: RunResult): string {
  const plannedMs = result.scenario.phases.reduce((sum, phase) => sum + (phase.durationNs ?? 0) / 1e6, 0);
  const of = plannedMs > result.durationMs ? ` of ${formatElapsed(plannedMs)}` : '';
  if (result.durationMs === 0) return 'before anything was measured';
  const parts = [
    `after ${formatElapsed(result.durationMs)}${of}, all figures are of that part`,
    missedText(result),
    callsText(result),
  ];
  return parts.filter(Boolean).join('; ');
}

function missedText({ thresholds }: RunResult): string {
  const missed = thresholds.filter(({ state }) => state === 'fail').length;
  return missed > 0 ? `${formatCount(missed)} of ${formatAmount(thresholds.length, 'threshold')} missed` : '';
}

function heldText(count: number): string {
  if (count === 1) return 'the threshold holds';
  return count === 2 ? 'both thresholds hold' : `all ${formatCount(count)} thresholds hold`;
}
