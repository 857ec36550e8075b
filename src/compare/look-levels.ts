import { defaultLevels, type Levels } from './levels.js';
import { alphaForLook } from './looks.js';
import { rankInterval } from './mann-whitney.js';

/** What the looks so far have spent of the error probability, kind by kind. */
export interface Spent {
  ranks: { decision: number[]; equivalence: number[] };
  others: { decision: number[]; equivalence: number[] };
}

/** Nothing spent yet. */
export function nothingSpent(): Spent {
  return { ranks: { decision: [], equivalence: [] }, others: { decision: [], equivalence: [] } };
}

/** The confidences that the next of so many looks has to ask for, so that all together err no more often than a single one would. */
export function levelsForLook(looks: number, spent: Spent): Levels {
  const level = (kind: keyof Levels, use: 'decision' | 'equivalence'): number =>
    1 - alphaForLook(1 - defaultLevels[kind][use], looks, spent[kind][use]);
  return {
    ranks: { decision: level('ranks', 'decision'), equivalence: level('ranks', 'equivalence') },
    others: { decision: level('others', 'decision'), equivalence: level('others', 'equivalence') },
  };
}

/** Counts a look at so many runs a side as spent: ranks come in steps, and spend what their interval really has. */
export function spend(spent: Spent, levels: Levels, baseRuns: number, headRuns: number): void {
  for (const use of ['decision', 'equivalence'] as const) {
    const used = rankInterval(baseRuns, headRuns, levels.ranks[use]);
    spent.ranks[use].push(used === undefined ? 0 : 1 - used.confidence);
    spent.others[use].push(1 - levels.others[use]);
  }
}
