import type { ConfidenceInterval } from './confidence-interval.js';

/** What can be said about one metric. Only `regression` fails a build. */
export type Verdict =
  | 'regression'
  | 'improvement'
  | 'slower, size uncertain'
  | 'faster, size uncertain'
  | 'no change'
  | 'inconclusive';

/** An effect, the interval that decides whether there is one, and the one that decides whether there is none worth talking about. */
export interface Evidence {
  effect: number;
  interval: ConfidenceInterval | undefined;
  equivalence: ConfidenceInterval | undefined;
}

/** From where on a change matters, on the scale of the effect; `none` is no change. */
export interface Margins {
  none: number;
  up: number;
  down: number;
  worse: 'up' | 'down';
}

/** What the user regards as too small to matter. */
export interface RatioLimits {
  /** Relative: 0.05 is 5 %. */
  margin: number;
  /** In the unit of the metric: smaller absolute changes never fail a build. 0 where there is none. */
  floor: number;
  /** Typical value on the base side, which turns the floor into a ratio. */
  typical: number;
  worse: 'up' | 'down';
}

// An effect of exactly the margin counts as reached, also where a logarithm there and back cost its last bit.
const hair = 1e-9;

/**
 * Margins of a ratio head/base. Downwards it is 1/(1+δ), so that swapping the sides mirrors the verdict. The floor is a margin like the
 * other, and the larger of the two holds: what is too small to block a build is also too small to stay inconclusive about.
 */
export function ratioMargins({ margin, floor, typical, worse }: RatioLimits): Margins {
  const relativeFloor = typical > 0 ? floor / typical : floor > 0 ? Infinity : 0;
  return {
    none: 1,
    up: 1 + Math.max(margin, relativeFloor),
    down: Math.min(1 / (1 + margin), 1 - relativeFloor),
    worse,
  };
}

/** Margins of a difference head − base, in its own unit; more is worse. */
export function differenceMargins(margin: number): Margins {
  return { none: 0, up: margin, down: -margin, worse: 'up' };
}

/**
 * The verdict, in this order: a change that is proven and at least as large as the margin; a change that is proven but smaller than the
 * margin by its estimate; a change beyond the margin ruled out; nothing of the kind.
 */
export function judge({ effect, interval, equivalence }: Evidence, margins: Margins): Verdict {
  const { none, up, down, worse } = margins;
  if (interval !== undefined && interval.low > none) {
    const large = effect >= up * (1 - hair);
    if (worse === 'up') return large ? 'regression' : 'slower, size uncertain';
    return large ? 'improvement' : 'faster, size uncertain';
  }
  if (interval !== undefined && interval.high < none) {
    const large = effect <= (down < 0 ? down * (1 - hair) : down * (1 + hair));
    if (worse === 'down') return large ? 'regression' : 'slower, size uncertain';
    return large ? 'improvement' : 'faster, size uncertain';
  }
  const within = equivalence !== undefined && equivalence.low >= down && equivalence.high <= up;
  return within ? 'no change' : 'inconclusive';
}
