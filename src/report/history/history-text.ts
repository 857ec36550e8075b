import type { History, LevelChange, Trend } from '../../compare/history.js';
import { formatAmount } from '../../result/units.js';
import { disturbedNote, tilde } from '../formats/disturbed-note.js';
import { figureText } from '../formats/figure-text.js';

/** `20.0 ms → 22.3 ms (+11.5 %)`. */
export function changeOfLevel({ unit }: Trend, { before, after, ratio }: LevelChange): string {
  const size = (ratio - 1) * 100;
  const percent =
    Number.isFinite(size) && unit !== 'share'
      ? ` (${size < 0 ? '−' : '+'}${Math.abs(size).toFixed(Math.abs(size) < 99.95 ? 1 : 0)} %)`
      : '';
  return `${figureText(unit, before)} → ${figureText(unit, after)}${percent}`;
}

/** Which stored runs are not shown. */
export function leftOutText({ leftOut }: History): string[] {
  const { suspect, incomplete, others } = leftOut;
  const parts = [
    ...(suspect > 0 ? [`${suspect} suspect`] : []),
    ...(incomplete > 0 ? [`${incomplete} cut short`] : []),
    ...(others > 0 ? [`${others} of another load or machine`] : []),
  ];
  const all = suspect + incomplete + others;
  return parts.length > 0 ? [`Left out: ${formatAmount(all, 'run')} (${parts.join(', ')}).`] : [];
}

/** The figure of one run of a trend, marked where the generator may have moved it. */
export function runText({ unit, values, disturbed }: Trend, at: number): string {
  return figureText(unit, values[at]!) + tilde(disturbed[at]);
}

/** What the marks mean; none where there are none. */
export function disturbedText({ trends }: History): string[] {
  return disturbedNote(trends, 'no change of a level is concluded from those');
}
