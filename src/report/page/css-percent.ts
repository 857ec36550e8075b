/** A share of the width or height of a drawing, to a hundredth of a per cent. */
export function cssPercent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
