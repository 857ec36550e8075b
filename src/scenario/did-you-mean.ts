/** `; did you mean "x"?` for the candidate that a typing mistake could have come from, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === null ? '' : `; did you mean "${found}"?`;
}

// `streamable-http` is more than `streamable`, and no mistake in typing.
const fewestInCommon = 5;

/** The candidate nearest to the word, if it is near enough for a typing mistake; else one that the word begins with. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(Math.min(word.length, 9) / 3)) + 1;
  for (const candidate of candidates) {
    // A server's names may be megabytes long.
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return (
    best ??
    candidates.find(
      (candidate) =>
        candidate.length >= fewestInCommon &&
        candidate.length <= word.length &&
        word.toLowerCase().startsWith(candidate.toLowerCase()),
    ) ??
    null
  );
}

// Letters put in, left out, exchanged, or swapped with their neighbour: each counts one.
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforePrevious[j - 2]! + 1);
      }
      row.push(distance);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}
