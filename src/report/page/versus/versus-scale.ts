import type { RankedPlace } from '../../../versus/versus-result.js';

/** Where a figure stands on the axis that all targets of a ranking share: 0 is its left end, 1 its right. */
export interface VersusScale {
  at(value: number): number;
  ticks: number[];
}

// From there on equal steps would push all but the largest to the left edge.
const logFrom = 8;

/** An axis from zero in equal steps where the figures are of one size, else in powers of ten; what is infinite stands at its end. */
export function versusScale(places: readonly RankedPlace[]): VersusScale {
  const values = places.flatMap(({ values: rounds }) => rounds).filter(Number.isFinite);
  const most = Math.max(0, ...values);
  const least = Math.min(most, ...values.filter((value) => value > 0));
  if (most === 0) return { at: () => 0, ticks: [0] };
  if (most < logFrom * least || values.some((value) => value === 0)) return linear(most);
  const low = Math.log10(least) - 0.08;
  const high = Math.log10(most) + 0.08;
  const ticks = [1, 2, 5].flatMap((digit) =>
    Array.from({ length: 40 }, (_, power) => digit * 10 ** (power - 12)).filter(
      (value) => Math.log10(value) >= low && Math.log10(value) <= high,
    ),
  );
  const decades = high - low;
  const kept = ticks.filter((value) => decades < 1.7 || Math.abs(Math.log10(value) % 1) < 1e-9);
  return {
    at: (value) => clamp((Math.log10(Math.max(value, 1e-12)) - low) / (high - low)),
    ticks: kept.sort((a, b) => a - b),
  };
}

function linear(most: number): VersusScale {
  const end = most * 1.05;
  const rough = end / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough) ?? rough;
  const ticks = Array.from({ length: 6 }, (_, at) => at * step).filter((value) => value <= end);
  return { at: (value) => clamp(value / end), ticks };
}

function clamp(share: number): number {
  return Math.max(0, Math.min(1, share));
}
