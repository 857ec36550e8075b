import type { RepeatedFigure } from '../../compare/repeated-figures.js';
import { formatAmount } from '../../result/units.js';

type Marked = Pick<RepeatedFigure, 'metric' | 'disturbed'>;

/** What is put behind a figure that the generator may have moved. */
export function tilde(disturbed: boolean | undefined): string {
  return disturbed === true ? '~' : '';
}

/** What the tilde means over several runs, with their number, and what follows from it; none where no figure carries it. */
export function disturbedNote(figures: readonly Marked[], consequence: string): string[] {
  const list = figures.flatMap(({ metric, disturbed }) => {
    const runs = disturbed.filter(Boolean).length;
    return runs === 0 ? [] : [`${metric} in ${formatAmount(runs, 'run')}`];
  });
  return list.length === 0 ? [] : [`~ disturbed by the generator (${list.join(', ')}): ${consequence}`];
}
