/** To four significant digits: as exact as any chart can show, and a third of the size. */
export function roundFigure(value: number): number {
  return Number(value.toPrecision(4));
}
