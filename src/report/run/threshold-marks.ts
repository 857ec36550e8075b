import type { ThresholdResult } from '../../result/result.js';

/** How a threshold's state is shown: its colour, its sign in text and in Markdown, and the word before its detail. */
export const thresholdMarks = {
  fail: { style: 'bad', sign: '✗', icon: '❌', word: 'missed: ' },
  undecided: { style: 'doubt', sign: '?', icon: '❔', word: 'undecided: ' },
  pass: { style: 'good', sign: '✓', icon: '✅', word: '' },
} as const;

/** What failed first, then what is undecided. */
export function gravestFirst(thresholds: readonly ThresholdResult[]): ThresholdResult[] {
  const ranks = Object.keys(thresholdMarks);
  return thresholds.toSorted((a, b) => ranks.indexOf(a.state) - ranks.indexOf(b.state));
}
