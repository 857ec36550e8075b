/** The x in [low, high] at which an increasing function reaches the target, to the last bit that a double can tell. */
export function bisect(increasing: (x: number) => number, target: number, low: number, high: number): number {
  let below = low;
  let above = high;
  for (;;) {
    const middle = below + (above - below) / 2;
    if (middle <= below || middle >= above) return middle;
    if (increasing(middle) < target) below = middle;
    else above = middle;
  }
}
