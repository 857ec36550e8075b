import type { ComparisonRow } from '../../../compare/comparison.js';

/** Where a change stands on the axis of a forest plot: 0 is its left end, 1 its right, and no change is in the middle. */
export interface ForestScale {
  at(change: number): number;
  ticks: { change: number; text: string }[];
}

// Wider than this nobody reads it, and the others would shrink to dots: the plot ends in an arrow there.
const widestLog = Math.log(3);
const percentSteps = [0.5, 1, 2, 5, 10, 20, 50, 100];

/**
 * The axis that all ratios share: logarithmic, so that half and double are as far from no change. It has room for what is judged, where anything is: of
 * the rest, what lies beyond is an arrow.
 */
export function ratioScale(rows: readonly ComparisonRow[]): ForestScale {
  const gated = rows.filter(({ gate, scale }) => gate !== null && scale === 'ratio');
  const sizes = (gated.length > 0 ? gated : rows)
    .filter(({ scale }) => scale === 'ratio')
    .flatMap(extentOf)
    .map((ratio) => Math.abs(Math.log(ratio)))
    .filter(Number.isFinite);
  const half = Math.min(widestLog, Math.max(0.03, ...sizes) * 1.12);
  const percent = (Math.exp(half) - 1) * 100;
  const step = percentSteps.find((size) => percent / size < 3) ?? 100;
  const ticks: ForestScale['ticks'] = [{ change: 1, text: '0' }];
  for (let size = step; size < percent * 0.98; size += step) {
    ticks.push({ change: 1 + size / 100, text: `+${size} %` });
    const down = 1 - size / 100;
    if (down > 0 && Math.abs(Math.log(down)) < half * 0.98) ticks.push({ change: down, text: `−${size} %` });
  }
  return { at: (ratio) => clamp(0.5 + Math.log(Math.max(ratio, 1e-9)) / (2 * half)), ticks };
}

/** The axis of a difference, of which there is but one kind: the share of failed calls. */
export function differenceScale(rows: readonly ComparisonRow[]): ForestScale {
  const sizes = rows
    .filter(({ scale }) => scale === 'difference')
    .flatMap(extentOf)
    .map(Math.abs)
    .filter(Number.isFinite);
  const half = Math.max(1e-6, ...sizes) * 1.12;
  return { at: (difference) => clamp(0.5 + difference / (2 * half)), ticks: [] };
}

function extentOf({ effect, interval, margins }: ComparisonRow): number[] {
  return [effect, margins.up, margins.down, ...(interval ? [interval.low, interval.high] : [])];
}

function clamp(share: number): number {
  return Math.max(0, Math.min(1, share));
}
