import type { Ceiling } from '../../compare/calibration.js';
import type { Comparison } from '../../compare/comparison.js';
import type { RepeatedFigure } from '../../compare/repeated-figures.js';
import { runsForVariation } from '../../compare/variance-notes.js';
import type { RunResult } from '../../result/result.js';
import { formatAmount, formatPercent, formatRate } from '../../result/units.js';
import { comparisonHeadline } from './comparison-text.js';
import { wrap } from '../formats/display-width.js';
import { terminalRepetitions } from '../run/repetitions.js';
import { createStyle } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';

/** What a calibration found. */
export interface CalibrationFindings {
  name: string;
  /** Valid ones. */
  runs: number;
  suspect: readonly RunResult[];
  /** None where too many runs were suspect. */
  figures: readonly RepeatedFigure[];
  /** The runs compared with each other, half against half; null where there are too few. */
  comparison: Comparison | null;
  ceiling: readonly Ceiling[];
  path: string;
}

/** A calibration as text for people: how much runs differ, what that is good for, what the generator can do. */
export function terminalCalibration(
  found: CalibrationFindings,
  options: { colour: boolean; width: number },
): string {
  const style = createStyle(options.colour);
  const width = Math.max(40, Math.min(options.width, 110));
  const indented = (text: string): string[] => wrap(oneLine(text), width - 2).map((line) => `  ${line}`);
  const lines: string[] = [];
  if (found.figures.length > 0) {
    lines.push(terminalRepetitions(found.name, found.runs, found.figures, [], options));
    lines.push(...indented(meaning(found.figures)), ...sameAgainstSame(found).flatMap(indented), '');
  }
  if (found.suspect.length > 0) lines.push(...indented(suspectText(found)).map(style.doubt), '');
  if (found.ceiling.length > 0)
    lines.push(
      style.strong("The generator's ceiling on this machine, flat out against the mock"),
      ...found.ceiling.flatMap((ceiling) => indented(ceilingText(ceiling))),
      '',
    );
  lines.push(`${style.strong('Calibration')}  ${oneLine(found.path)}`, '');
  return lines.join('\n');
}

function meaning(figures: readonly RepeatedFigure[]): string {
  const cv = figures.find(({ metric }) => metric === 'p50')?.variation?.cv;
  if (cv === undefined) return '';
  const runs = runsForVariation(cv);
  return runs === null
    ? `At a variation of ${formatPercent(cv)} even 10 runs a side may miss a change of p50 by 10 %: free the machine, or make the runs longer.`
    : `At a variation of ${formatPercent(cv)}, ${runs} runs a side find a change of p50 by 10 % in 95 % of all cases.`;
}

function sameAgainstSame({ comparison }: CalibrationFindings): string[] {
  if (comparison === null) return [];
  const { word, text } = comparisonHeadline(comparison);
  return [
    comparison.outcome === 'regression'
      ? `Compared with each other, half against half, the runs gave a false alarm (${text}): comparisons on this machine are not to be trusted now.`
      : `Compared with each other, half against half: ${word}, ${text}.`,
  ];
}

function suspectText({ suspect, figures }: CalibrationFindings): string {
  const reason = suspect[0]!.validity.reasons[0]?.message ?? '';
  const rest = figures.length > 0 ? 'left out' : 'too few are left, and their noise was not kept';
  return `${formatAmount(suspect.length, 'run')} suspect, ${rest}: ${reason}`;
}

function ceilingText(ceiling: Ceiling): string {
  const { posts, callsPerSec, generatorBusy, targetCpu } = ceiling;
  const target = targetCpu === null ? '' : `, mock ${formatPercent(targetCpu)} of a core`;
  return `${posts} POSTs: ${formatRate(callsPerSec)} calls/s, generator ${formatPercent(generatorBusy)} busy${target}${limitText(ceiling)}`;
}

function limitText({ generatorBusy, targetCpu, othersCpu }: Ceiling): string {
  if (othersCpu !== null && othersCpu >= 0.1)
    return `; other processes took ${formatPercent(othersCpu)} of the CPU, so it can do more`;
  if (targetCpu === null) return '';
  if (generatorBusy >= 0.9 && targetCpu < 0.9) return ': its own limit';
  if (targetCpu >= 0.9 && generatorBusy < 0.9) return ': the mock was the limit, and it can do more';
  return ': both shared what CPU there was';
}
